import { CURSOR_PAGE, LIST_MAX } from './code-values.ts'
import { newLook } from './codes.ts'
import { errorCodes } from './errors.ts'
import { codeTags } from './tags.ts'
import { plainText, z } from './zod.ts'

/*
 * Codes out of a spreadsheet. A file is read and its rows are kept with what is wrong with each; codes
 * are made when its owner says so, all of them or none.
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

/** Where a file comes from, as its columns tell: `sheet` is any spreadsheet, `tessera` our own exports. */
export const importFormats = ['sheet', 'tessera', 'bitly', 'shlink', 'kutt', 'yourls'] as const
export type ImportFormat = (typeof importFormats)[number]

/**
 * `checked`: read, nothing is made. `publishing`: its codes are being made, and none can be seen yet.
 * `published`: all of them are there.
 */
export const importStates = ['checked', 'publishing', 'published'] as const

/** The fields that a column of the file can be read as. */
export const importFields = ['name', 'url', 'vanityUrl', 'tags'] as const
export type ImportField = (typeof importFields)[number]

const FILE_NAME_MAX = 200

/** Query of POST /api/imports. `name` is the file's. */
export const importQuery = z.object({
  name: plainText.min(1).max(FILE_NAME_MAX).default('import.csv'),
  format: z.enum(['auto', ...importFormats]).default('auto'),
})

export const importParams = z.object({ id: z.string() })

const count = z.int().min(0)
const instant = z.iso.datetime()

export const importEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  format: z.enum(importFormats),
  state: z.enum(importStates),
  /** The file's columns in their order, and what each is read as; null for one that is not read */
  columns: z.array(z.strictObject({ name: z.string(), as: z.enum(importFields).nullable() })),
  rows: count,
  /** Rows that cannot become codes: while there are any, nothing can be made. */
  problems: count,
  /** Rows whose custom URL cannot be had: they become codes with a short link only. */
  lostPaths: count,
  /** Rows that are ready, if work on the file has begun. All become codes at once. */
  done: count,
  /** Why the last try made nothing */
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
  problems: z.array(z.strictObject({ field: z.enum(importFields), message: z.string() })),
  /** Why the custom URL cannot be had; null if it can, or if there is none */
  lostPath: z.string().nullable(),
  /** Once it is published */
  codeId: z.string().nullable(),
})
export type ImportRow = z.infer<typeof importRow>

/** GET /api/imports/{id}. `room` is how many codes the account has room for now. */
export const importState = importEntry.extend({ room: count })
export type ImportNow = z.infer<typeof importState>

/** Answer of POST /api/imports: with the first rows that have a problem, or a lost path. */
export const madeImport = importState.extend({ firstProblems: z.array(importRow) })
export type MadeImport = z.infer<typeof madeImport>

/** Query of GET /api/imports/{id}/rows. */
export const importRowsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(CURSOR_PAGE.max).default(CURSOR_PAGE.default),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/)
    .optional(),
  only: z.enum(['problems', 'lost-paths']).optional(),
})
export type ImportRowsQuery = z.output<typeof importRowsQuery>

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
  /** Rows whose custom URL cannot be had get a short link only. Without it they hold up the import. */
  otherPaths: z.boolean().default(false),
})
export type ImportPublish = z.output<typeof importPublish>
export type ImportPublishCall = z.input<typeof importPublish>
