import { URL_MAX } from '#contract/codes/code-values.ts'
import { codeName, type design, externalId, vanityUrl } from '#contract/codes/codes.ts'
import { destination } from '#contract/codes/destination.ts'
import {
  IMPORT_COLUMNS_MAX,
  type ImportField,
  type ImportFormat,
  type ImportRow,
  type ImportRowChange,
  importFields,
} from '#contract/imports.ts'
import { completed } from '#contract/links.ts'
import type { z } from '#contract/zod.ts'
import { refusedAt } from '../../http/errors.ts'
import { FORMER_PATHS_MAX, isOwnLink, OWN_LINK } from '../rules.ts'
import { shortCode } from '../short-codes.ts'
import {
  designIn,
  domainPath,
  hasEnded,
  instantIn,
  isPausedBy,
  type Kept,
  meant,
  nameIn,
  nameOfLink,
  pathIn,
  pathOnDomain,
  tagsIn,
} from './cell-values.ts'
import { chosenColumns, columnsOf, fieldOf, formatOf, keyOf } from './columns.ts'
import type { FileRecord } from './file-records.ts'
import { refuseFile } from './file-text.ts'

type Problem = ImportRow['problems'][number]

/** A row as it was read. With problems, its texts are those of the file, as far as people want to see them. */
export type ReadRow = {
  row: number
  name: string
  url: string
  path: string | null
  tags: string[]
  createdAt: number | null
  /** Other parts of its code elsewhere that it keeps */
  kept: KeptParts
  problems: Problem[]
  lostPath: string | null
  losses: string[]
  /** As they are in the file */
  cells: string[]
}

export type KeptParts = {
  isPaused: boolean
  externalId: string | null
  /** The short code; null if there is none that could be ours */
  short: string | null
  /** Former custom paths */
  former: string[]
  look: z.infer<typeof design> | null
}

export type RowReader = {
  format: ImportFormat
  /** The columns as the contract shows them */
  columns: { name: string; as: ImportField | null }[]
  read: (record: FileRecord) => ReadRow
  /** The cells with other texts. @throws AppError invalid_input for a field that no column is read as */
  changed: (cells: readonly string[], change: ImportRowChange) => string[]
}

export type ReaderOptions = {
  format: ImportFormat | 'auto'
  publicUrl: string
  /** The host of the codes' links; null for this server's */
  domain: string | null
  now: Date
  /** The owner's choice for each column */
  chosen?: readonly (ImportField | null)[] | undefined
}

const COLUMN_NAME_MAX = 60
/** Characters of a lost text that its loss shows */
const SHOWN_MAX = 60
/** Characters of a cell that is read: no text of a code is as long. */
const CELL_MAX = 2 * URL_MAX
const NO_DESTINATION = 'No column is read as the destination'

/**
 * Reads the rows below a header.
 * @throws AppError import_unreadable if it has too many columns
 */
export function rowReader(header: readonly string[], options: ReaderOptions): RowReader {
  if (header.length > IMPORT_COLUMNS_MAX) {
    refuseFile(`This file has more than ${IMPORT_COLUMNS_MAX} columns.`)
  }
  const format = options.format === 'auto' ? formatOf(header) : options.format
  const known = columnsOf(header, format)
  const columns = options.chosen ? chosenColumns(known, options.chosen) : known
  const needsName = format !== 'sheet' || columns.name.length === 0
  // A longer cell is a problem of its row.
  const cellAt = (cells: readonly string[], at: number) =>
    meant((cells[at] ?? '').slice(0, CELL_MAX))
  const textsIn = (cells: readonly string[], field: ImportField) =>
    columns[field].map((at) => cellAt(cells, at)).filter((text) => text !== '')
  const textOf = (cells: readonly string[], field: ImportField) => textsIn(cells, field)[0] ?? ''
  const { domain, now } = options
  const keys = header.map(keyOf)
  const pathSchema = domain === null ? vanityUrl : domainPath

  type Keep = <Value>(kept: Kept<Value>) => Value

  /** The other parts of a row's code that it keeps; `keep` notes what of a cell is lost. */
  function keptOf(cells: readonly string[], losses: string[], keep: Keep): KeptParts {
    const stops = columns.status.map((at) => keep(isPausedBy(keys[at] ?? '', cellAt(cells, at))))
    const hasStopped = keep(hasEnded(textOf(cells, 'endsAt'), now))
    const named = (text: string, schema: z.ZodType<string | null>, what: string) => {
      const { success, data = null } = schema.safeParse(text)
      if (!success) losses.push(`${what} “${shown(text, SHOWN_MAX)}” can’t be kept`)
      return data
    }
    const short = nameOfLink(textOf(cells, 'shortUrl'))
    const former = textOf(cells, 'formerUrls').split(/\s+/).map(nameOfLink).filter(Boolean)
    if (former.length > FORMER_PATHS_MAX) {
      losses.push(`Only the first ${FORMER_PATHS_MAX} former custom URLs are kept`)
    }
    const id = textOf(cells, 'externalId')
    return {
      isPaused: stops.includes(true) || hasStopped,
      externalId: id === '' ? null : named(id, externalId, 'Its external ID'),
      short: short === '' ? null : named(short, shortCode, 'Its short link'),
      former: former
        .slice(0, FORMER_PATHS_MAX)
        .flatMap((name) => named(name, pathSchema, 'Its former custom URL') ?? []),
      look: keep(designIn(textOf(cells, 'design'), options)),
    }
  }

  function read({ row, cells }: FileRecord): ReadRow {
    const problems: Problem[] = importFields.flatMap((field) => {
      const [length] = columns[field]
        .map((at) => cells[at]?.length ?? 0)
        .filter((each) => each > CELL_MAX)
      if (length !== undefined) return { field, message: tooLong(length) }
      const texts = format === 'tessera' ? [] : textsIn(cells, field)
      return texts.some((text) => text.includes('\uFFFD')) ? { field, message: UNREADABLE } : []
    })
    const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1
    if (filled > header.length)
      problems.push({ field: 'url', message: tooMany(filled, header.length) })
    const take = <Value>(field: ImportField, schema: z.ZodType<Value>, value: unknown) => {
      const result = schema.safeParse(value)
      if (result.success) return result.data
      problems.push({ field, message: firstMessage(result.error) })
      return undefined
    }
    const losses: string[] = []
    const keep: Keep = (kept) => {
      losses.push(...kept.losses)
      return kept.value
    }
    const typed = { url: completed(textOf(cells, 'url')), name: textOf(cells, 'name') }
    const url = columns.url.length > 0 ? take('url', destination, typed.url) : undefined
    if (columns.url.length === 0) problems.push({ field: 'url', message: NO_DESTINATION })
    if (url !== undefined && isOwnLink(url, options.publicUrl)) {
      problems.push({ field: 'url', message: OWN_LINK })
    }
    const path =
      domain === null
        ? pathIn(textOf(cells, 'vanityUrl'))
        : pathOnDomain(textsIn(cells, 'vanityUrl'), domain)
    const named = path || nameOfLink(textOf(cells, 'shortUrl'))
    const name = needsName ? keep(nameIn(typed.name, named, typed.url)) : typed.name
    // Without a destination there is nothing yet to name a code after.
    const isNameless = needsName && columns.url.length === 0
    const keptName = isNameless ? name : take('name', codeName, name)
    const keptPath = pathSchema.safeParse(path)
    return {
      row,
      name: shown(keptName ?? name),
      url: shown(url ?? typed.url),
      path: keptPath.success ? keptPath.data : shown(path),
      tags: keep(tagsIn(textOf(cells, 'tags'), format)),
      createdAt: keep(instantIn(textOf(cells, 'createdAt'), now)),
      kept: keptOf(cells, losses, keep),
      problems,
      lostPath: keptPath.success ? null : firstMessage(keptPath.error),
      losses,
      cells,
    }
  }

  function changed(cells: readonly string[], { tags, ...texts }: ImportRowChange): string[] {
    // A whole address takes the place of one that fills several cells.
    const after = header.map((_, at) => cells[at] ?? '')
    if (texts.url === undefined) after.push(...cells.slice(header.length))
    const change = { ...texts, ...(tags && { tags: tags.join(', ') }) }
    for (const [field, text] of Object.entries(change) as [ImportField, string][]) {
      const [first, ...others] = columns[field]
      if (first === undefined) throw refusedAt('invalid_input', field)
      // The first one that is not empty counts.
      for (const at of others) after[at] = ''
      after[first] = text
    }
    return after
  }

  return {
    format,
    columns: header.map((name, at) => ({
      name: shown(name.trim(), COLUMN_NAME_MAX),
      as: fieldOf(columns, at),
    })),
    read,
    changed,
  }
}

const UNREADABLE =
  'A character here can’t be read (\uFFFD). Correct it, or save the file as CSV UTF-8'

const tooMany = (cells: number, columns: number) =>
  `This row has ${cells} cells, and the file has ${columns} columns: put the address in quotes`

const tooLong = (length: number) =>
  `A cell can have at most ${CELL_MAX.toLocaleString('en-US')} characters; this one has ${length.toLocaleString('en-US')}`

const firstMessage = ({ issues }: z.ZodError) => issues[0]?.message ?? 'Invalid input'

const shown = (text: string, max = URL_MAX) => text.slice(0, max).toWellFormed()

/** Why a row loses a custom path that an earlier row has. */
export const samePath = (row: number) => `Row ${row} has the same custom URL`
