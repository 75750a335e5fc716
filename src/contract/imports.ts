import { CODE_TAGS_MAX, CURSOR_PAGE, LIST_MAX, URL_MAX } from './codes/code-values.ts'
import {
  codeDomain,
  LOOK_OF_CODES,
  newLook,
  PAGE_CURSOR,
  PATH_WORDS,
  pageLimit,
  partOf,
  qrCode,
} from './codes/codes.ts'
import { codeTags } from './codes/tags.ts'
import { errorBody } from './errors.ts'
import {
  countFrom1,
  createdAt,
  flag,
  idParams,
  list,
  oneOf,
  ownId,
  plainText,
  text,
  textOrNull,
  time,
  timeOrNull,
  URL_WORDS,
  wordsOf,
  z,
} from './zod.ts'

/*
 * Codes out of a spreadsheet. A file is read, and its rows are kept with what is wrong with each. Codes
 * are created when the owner says so: of all rows, or of those that are ready.
 */

/** Largest file, in bytes. */
export const IMPORT_BODY_MAX = 5 * 1024 * 1024
/** Most codes in one file: as many as an account's list shows. */
export const IMPORT_ROWS_MAX = LIST_MAX
/** Files that an account has read and not used yet; one more takes the place of the oldest. */
export const OPEN_IMPORTS_MAX = 3
/** Hours until an unused file is forgotten. */
export const OPEN_IMPORT_HOURS = 24
/** Days for which a used one is listed, and its pictures can be had as one zip. */
export const USED_IMPORT_DAYS = 7
/** Imports that a list shows. */
export const IMPORTS_LISTED = 20
/** Rows that the answer to a file shows of those with a problem. */
export const FIRST_PROBLEMS = 20

/** The media types of a file. Excel and others name the type of a CSV file as they like. */
export const importTypes = [
  'text/csv',
  'application/csv',
  'application/vnd.ms-excel',
  'text/tab-separated-values',
  'application/octet-stream',
] as const

/** The media types of a workbook, which is answered with how to save it as CSV. */
export const workbookTypes = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/zip',
] as const

/** Where a file comes from, as its columns tell: `sheet` is any spreadsheet, `tessera` our own exports. */
export const importFormats = [
  'sheet',
  'tessera',
  'bitly',
  'dub',
  'rebrandly',
  'shortio',
  'qrtiger',
  'shlink',
  'kutt',
  'yourls',
] as const
export type ImportFormat = (typeof importFormats)[number]

/** `windows-1252` is what a text that is not UTF-8 is taken for: Excel writes it. */
export const importEncodings = ['utf-8', 'utf-16', 'windows-1252'] as const
export type ImportEncoding = (typeof importEncodings)[number]

/**
 * `checked`: read, nothing is created. `publishing`: its codes are being created, and none can be seen yet.
 * `published`: all of them are there.
 */
export const importStates = ['checked', 'publishing', 'published'] as const

/** The fields that a column of the file can be read as. */
export const importFields = [
  ...(['name', 'url', 'vanityUrl', 'tags', 'createdAt'] as const),
  ...(['status', 'endsAt', 'externalId', 'shortUrl', 'formerUrls', 'design'] as const),
] as const
export type ImportField = (typeof importFields)[number]

/** Columns that a file may have; one with more has no header. */
export const IMPORT_COLUMNS_MAX = 100

const FILE_NAME_MAX = 200

const FILE_NAME = 'The name of the file.'
const DOMAIN = 'The host of its codes’ links; null for this site’s.'
const ROW = 'Its number in a spreadsheet.'

/** Query of POST /api/imports. `name` is the file's; `domain` as a code's, or that of new codes. */
export const importQuery = z.object({
  name: plainText.min(1).max(FILE_NAME_MAX).default('import.csv').describe(FILE_NAME),
  format: oneOf(
    ['auto', ...importFormats],
    'Which service the file is from; `auto` detects it by its columns.',
  ).default('auto'),
  domain: codeDomain.optional().describe(DOMAIN),
})

const count = z.int().min(0)

export const importEntry = z.strictObject({
  id: ownId,
  name: text(FILE_NAME),
  format: oneOf(importFormats, 'Which service the file is from.'),
  encoding: oneOf(importEncodings, 'The encoding in which the file was read.'),
  /** On a domain paths stay as another service had them. */
  domain: textOrNull(DOMAIN),
  state: oneOf(
    importStates,
    '`checked`: nothing is created yet. `publishing`: codes are being created. `published`: all are there.',
  ),
  columns: list(
    z.strictObject({
      name: text('As in the file.'),
      as: z.enum(importFields).nullable().describe('What it’s read as; null if it isn’t read.'),
      /** By which it is known if its name says nothing */
      sample: text('Its text in the first row.'),
    }),
    'The columns of the file.',
  ),
  rows: count.describe('How many the file has.'),
  /** They are left out, if the owner says so. */
  problems: count.describe('How many rows can’t become codes.'),
  /** They become codes with a short link only. */
  lostPaths: count.describe('How many rows have a custom URL that isn’t available.'),
  /** They become codes without it. */
  losses: count.describe('How many rows lose something: a name, a tag, a date, an end.'),
  /** All can be seen at once. */
  done: count.describe('How many codes are ready.'),
  fault: errorBody
    .pick({ code: true, message: true })
    .strict()
    .nullable()
    .describe('Why the last try created nothing; null if there was none.'),
  madeAt: createdAt,
  publishedAt: timeOrNull('When its codes were created; null before.'),
  endsAt: time('When it’s removed with its rows. Its codes stay.'),
})
export type ImportEntry = z.infer<typeof importEntry>

const { shape } = qrCode

/** A row as it was read. `row` is its number in a spreadsheet, whose first one has the columns' names. */
export const importRow = z.strictObject({
  row: z.int().min(1).describe(ROW),
  name: shape.name,
  url: shape.url,
  vanityUrl: shape.vanityUrl,
  tags: shape.tags,
  /** It keeps this date. */
  createdAt: timeOrNull('When the code was created at the service that the file is from.'),
  isPaused: flag(
    'Whether its code will be paused: it was paused, archived or over where the file is from.',
  ),
  problems: list(
    z.strictObject({
      field: oneOf(importFields, 'Which field it’s about.'),
      message: errorBody.shape.message,
    }),
    'What’s wrong.',
  ),
  lostPath: textOrNull('Why the custom URL isn’t available; null if it is.'),
  losses: list(z.string(), 'What else the code goes without, such as a tag that is too long.'),
  /** Null for a row that was left out, too */
  codeId: textOrNull('The id of its code; null until there is one.'),
})
export type ImportRow = z.infer<typeof importRow>

/** GET /api/imports/{id}. `room` is how many codes the account has room for now. */
export const importState = importEntry.extend({
  room: count.describe('How many more codes the account can have.'),
})
export type ImportNow = z.infer<typeof importState>

/** Answer of POST /api/imports: with the first rows that have a problem, or a lost path. */
export const madeImport = importState.extend({
  firstProblems: list(importRow, 'The first rows with a problem or a loss.'),
})
export type MadeImport = z.infer<typeof madeImport>

/** Rows of which a list is asked for: `losses` has those with `lost-paths` too. */
const importRowKinds = ['problems', 'lost-paths', 'losses'] as const

const only = oneOf(
  importRowKinds,
  'Only rows with a problem, with a custom URL that isn’t available, or with any loss.',
).optional()

/** Query of GET /api/imports/{id}/rows. */
export const importRowsQuery = z.object({
  limit: pageLimit(CURSOR_PAGE.max).default(CURSOR_PAGE.default),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional()
    .describe(PAGE_CURSOR),
  only,
})
export type ImportRowsQuery = z.output<typeof importRowsQuery>

/** Query of GET /api/imports/{id}/rows.csv. */
export const importTableQuery = z.object({ only })

export const importRowParams = idParams.extend({
  row: countFrom1.describe(ROW),
})

const cell = plainText.max(URL_MAX)

/** Body of PATCH /api/imports/{id}/rows/{row}: new texts for some cells of a row, which is then checked again. */
export const importRowChange = z
  .object({
    name: cell.describe(wordsOf(shape.name)),
    url: cell.describe(URL_WORDS),
    vanityUrl: cell.describe(PATH_WORDS),
    tags: z.array(cell).max(CODE_TAGS_MAX).describe(wordsOf(codeTags)),
  })
  .partial()
export type ImportRowChange = z.infer<typeof importRowChange>

/** Its answer: the row, and the counts of the import that it is in. */
export const changedImportRow = z.strictObject({
  row: importRow.describe(ROW),
  import: importState.describe('The import that the row is in, with its counts.'),
})
export type ChangedImportRow = z.infer<typeof changedImportRow>

/** Body of POST /api/imports/{id}/columns: what each column is read as, in the order of the file, and the domain. */
export const importColumns = z.object({
  columns: z
    .array(z.enum(importFields).nullable())
    .max(IMPORT_COLUMNS_MAX)
    .describe('What each column is read as, in their order; null if it isn’t read.'),
  domain: codeDomain.optional().describe(DOMAIN),
})
export type ImportColumns = z.infer<typeof importColumns>

export const importRows = partOf(importRow)
export type ImportRows = z.infer<typeof importRows>

/** Body of POST /api/imports/{id}/publish. */
export const importPublish = z.object({
  look: newLook.optional().describe(LOOK_OF_CODES),
  tags: codeTags.default([]).describe('Added to all codes, besides the tags in their rows.'),
  /** Without it they hold up the import. */
  otherPaths: flag('Rows whose custom URL isn’t available only get a short link.').default(false),
  /** Without it they hold up the import. */
  skipProblems: flag('Rows with a problem are left out.').default(false),
})
export type ImportPublish = z.output<typeof importPublish>
export type ImportPublishCall = z.input<typeof importPublish>
