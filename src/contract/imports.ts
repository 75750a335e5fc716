import { CODE_TAGS_MAX, CURSOR_PAGE, LIST_MAX, URL_MAX } from './code-values.ts'
import { codeDomain, newLook } from './codes.ts'
import { errorCodes } from './errors.ts'
import { codeTags } from './tags.ts'
import { plainText, z } from './zod.ts'

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

/** Query of POST /api/imports. `name` is the file's; `domain` as a code's, or that of new codes. */
export const importQuery = z.object({
  name: plainText.min(1).max(FILE_NAME_MAX).default('import.csv'),
  format: z.enum(['auto', ...importFormats]).default('auto'),
  domain: codeDomain.optional(),
})

export const importParams = z.object({ id: z.string() })

const count = z.int().min(0)
const instant = z.iso.datetime()

export const importEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  format: z.enum(importFormats),
  encoding: z.enum(importEncodings),
  /** The host of the codes' links; null for this server's. On a domain paths stay as another service had them. */
  domain: z.string().nullable(),
  state: z.enum(importStates),
  /** The file's columns in their order, and what each is read as; null for one that is not read */
  columns: z.array(
    z.strictObject({
      name: z.string(),
      as: z.enum(importFields).nullable(),
      /** Its text in the first row, by which it is known if its name says nothing */
      sample: z.string(),
    }),
  ),
  rows: count,
  /** Rows that cannot become codes: they are left out, if the owner says so. */
  problems: count,
  /** Rows whose custom URL is not available: they become codes with a short link only. */
  lostPaths: count,
  /** Rows that lose something: a name, a tag, a date, an end. They become codes without it. */
  losses: count,
  /** Codes that are ready, if work on the file has begun. All can be seen at once. */
  done: count,
  /** Why the last try created nothing */
  fault: z.strictObject({ code: z.enum(errorCodes), message: z.string() }).nullable(),
  madeAt: instant,
  publishedAt: instant.nullable(),
  /** When it is forgotten; its codes stay. */
  endsAt: instant,
})
export type ImportEntry = z.infer<typeof importEntry>

/** A row as it was read. `row` is its number in a spreadsheet, whose first one has the columns' names. */
export const importRow = z.strictObject({
  row: z.int().min(1),
  name: z.string(),
  url: z.string(),
  vanityUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** When the code was created at the service that the file is from; it keeps this date. */
  createdAt: instant.nullable(),
  /** Whether its code will be paused, as it was at the service that the file is from */
  isPaused: z.boolean(),
  problems: z.array(z.strictObject({ field: z.enum(importFields), message: z.string() })),
  /** Why the custom URL is not available; null if it is, or if there is none */
  lostPath: z.string().nullable(),
  /** Other losses, such as a tag that is too long */
  losses: z.array(z.string()),
  /** Once it is published; null for a row that was left out */
  codeId: z.string().nullable(),
})
export type ImportRow = z.infer<typeof importRow>

/** GET /api/imports/{id}. `room` is how many codes the account has room for now. */
export const importState = importEntry.extend({ room: count })
export type ImportNow = z.infer<typeof importState>

/** Answer of POST /api/imports: with the first rows that have a problem, or a lost path. */
export const madeImport = importState.extend({ firstProblems: z.array(importRow) })
export type MadeImport = z.infer<typeof madeImport>

/** Rows of which a list is asked for: `losses` has those with `lost-paths` too. */
const importRowKinds = ['problems', 'lost-paths', 'losses'] as const

/** Query of GET /api/imports/{id}/rows. */
export const importRowsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(CURSOR_PAGE.max).default(CURSOR_PAGE.default),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
  only: z.enum(importRowKinds).optional(),
})
export type ImportRowsQuery = z.output<typeof importRowsQuery>

/** Query of GET /api/imports/{id}/rows.csv. */
export const importTableQuery = z.object({ only: z.enum(importRowKinds).optional() })

export const importRowParams = z.object({ id: z.string(), row: z.coerce.number().int().min(1) })

/** Body of PATCH /api/imports/{id}/rows/{row}: new texts for some cells of a row, which is then checked again. */
export const importRowChange = z
  .object({
    name: plainText.max(URL_MAX),
    url: plainText.max(URL_MAX),
    vanityUrl: plainText.max(URL_MAX),
    tags: z.array(plainText.max(URL_MAX)).max(CODE_TAGS_MAX),
  })
  .partial()
export type ImportRowChange = z.infer<typeof importRowChange>

/** Its answer: the row, and the counts of the import that it is in. */
export const changedImportRow = z.strictObject({ row: importRow, import: importState })
export type ChangedImportRow = z.infer<typeof changedImportRow>

/** Body of POST /api/imports/{id}/columns: what each column is read as, in the order of the file, and the domain. */
export const importColumns = z.object({
  columns: z.array(z.enum(importFields).nullable()).max(IMPORT_COLUMNS_MAX),
  domain: codeDomain.optional(),
})
export type ImportColumns = z.infer<typeof importColumns>

export const importRows = z.strictObject({
  items: z.array(importRow),
  nextCursor: z.string().nullable(),
})
export type ImportRows = z.infer<typeof importRows>

/** Body of POST /api/imports/{id}/publish. */
export const importPublish = z.object({
  /** Without one, that of the style for new codes */
  look: newLook.optional(),
  /** All of the codes have them, besides those of their row. */
  tags: codeTags.default([]),
  /** Rows whose custom URL is not available get a short link only. Without it they hold up the import. */
  otherPaths: z.boolean().default(false),
  /** Rows with a problem are left out. Without it they hold up the import. */
  skipProblems: z.boolean().default(false),
})
export type ImportPublish = z.output<typeof importPublish>
export type ImportPublishCall = z.input<typeof importPublish>
