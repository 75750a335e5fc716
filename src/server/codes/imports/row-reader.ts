import { URL_MAX } from '#contract/code-values.ts'
import { codeName, destination, vanityUrl } from '#contract/codes.ts'
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
import { isOwnLink, OWN_LINK } from '../rules.ts'
import {
  domainPath,
  instantIn,
  meant,
  nameIn,
  pathIn,
  pathOnDomain,
  tagsIn,
} from './cell-values.ts'
import { chosenColumns, columnsOf, fieldOf, formatOf } from './columns.ts'
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
  problems: Problem[]
  lostPath: string | null
  losses: string[]
  /** As they are in the file */
  cells: string[]
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
  const textsIn = (cells: readonly string[], field: ImportField) =>
    columns[field]
      .map((at) => meant((cells[at] ?? '').slice(0, CELL_MAX)))
      .filter((text) => text !== '')
  const textOf = (cells: readonly string[], field: ImportField) => textsIn(cells, field)[0] ?? ''
  const { domain } = options

  function read({ row, cells }: FileRecord): ReadRow {
    const problems: Problem[] = importFields.flatMap((field) => {
      const [length = 0] = columns[field]
        .map((at) => cells[at]?.length ?? 0)
        .filter((each) => each > CELL_MAX)
      return length > 0 ? { field, message: tooLong(length) } : []
    })
    const take = <Value>(field: ImportField, schema: z.ZodType<Value>, value: unknown) => {
      const result = schema.safeParse(value)
      if (result.success) return result.data
      problems.push({ field, message: firstMessage(result.error) })
      return undefined
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
    const name = needsName ? nameIn(typed.name, path, typed.url) : typed.name
    // Without a destination there is nothing yet to name a code after.
    const isNameless = needsName && columns.url.length === 0
    const keptName = isNameless ? name : take('name', codeName, name)
    const keptPath = (domain === null ? vanityUrl : domainPath).safeParse(path)
    const tags = tagsIn(textOf(cells, 'tags'), format)
    const createdAt = instantIn(textOf(cells, 'createdAt'), options.now)
    return {
      row,
      name: shown(keptName ?? name),
      url: shown(url ?? typed.url),
      path: keptPath.success ? keptPath.data : shown(path),
      tags: tags.value,
      createdAt: createdAt.value,
      problems,
      lostPath: keptPath.success ? null : firstMessage(keptPath.error),
      losses: [...tags.losses, ...createdAt.losses],
      cells: cells.slice(0, header.length),
    }
  }

  function changed(cells: readonly string[], { tags, ...texts }: ImportRowChange): string[] {
    const after = header.map((_, at) => cells[at] ?? '')
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

const tooLong = (length: number) =>
  `A cell can have at most ${CELL_MAX.toLocaleString('en-US')} characters; this one has ${length.toLocaleString('en-US')}`

const firstMessage = ({ issues }: z.ZodError) => issues[0]?.message ?? 'Invalid input'

const shown = (text: string, max = URL_MAX) => text.slice(0, max).toWellFormed()

/** Why a row loses a custom path that an earlier row has. */
export const samePath = (row: number) => `Row ${row} has the same custom URL`
