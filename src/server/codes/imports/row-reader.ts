import { NAME_MAX, URL_MAX } from '#contract/code-values.ts'
import { codeName, destination, vanityUrl } from '#contract/codes.ts'
import { textOfCell } from '#contract/csv.ts'
import type { ImportField, ImportFormat, ImportRow } from '#contract/imports.ts'
import { completed } from '#contract/links.ts'
import { codeTags } from '#contract/tags.ts'
import { CONTROL, TURNING } from '#contract/text.ts'
import type { z } from '#contract/zod.ts'
import { isOwnLink, OWN_LINK } from '../rules.ts'
import { distinctNames } from '../tags/give-tags.ts'
import { columnsOf, fieldOf, formatOf } from './columns.ts'
import { type FileRecord, refuseFile } from './file-records.ts'

type Problem = ImportRow['problems'][number]

/** A row as it was read. With problems, its texts are those of the file, as far as people want to see them. */
export type ReadRow = {
  row: number
  name: string
  url: string
  path: string | null
  tags: string[]
  problems: Problem[]
  lostPath: string | null
}

export type RowReader = {
  format: ImportFormat
  /** The columns as the contract shows them */
  columns: { name: string; as: ImportField | null }[]
  read: (record: FileRecord) => ReadRow
}

/** Columns that a preview names; a file with more has no header. */
const COLUMNS_MAX = 100
const COLUMN_NAME_MAX = 60
const SHOWN_MAX = URL_MAX

const NO_DESTINATIONS =
  'No column of this file has destinations. Its first row must have the columns’ names, one of them “Destination”.'

/**
 * Reads the rows below a header.
 * @param asked the format, if the caller says it
 * @throws AppError import_unreadable if no column has destinations
 */
export function rowReader(
  header: FileRecord,
  asked: ImportFormat | 'auto',
  { publicUrl }: { publicUrl: string },
): RowReader {
  if (header.cells.length > COLUMNS_MAX) refuseFile('This file has more than 100 columns.')
  const format = asked === 'auto' ? formatOf(header.cells) : asked
  const columns = columnsOf(header.cells, format)
  if (columns.url.length === 0) refuseFile(NO_DESTINATIONS)
  const isForeign = format !== 'sheet'
  const cellOf = ({ cells }: FileRecord, field: ImportField) =>
    columns[field].map((at) => meant(cells[at] ?? '')).find((text) => text !== '') ?? ''

  function read(record: FileRecord): ReadRow {
    const problems: Problem[] = []
    const take = <Value>(field: ImportField, schema: z.ZodType<Value>, value: unknown) => {
      const result = schema.safeParse(value)
      if (result.success) return result.data
      problems.push({ field, message: result.error.issues[0]?.message ?? 'Invalid input' })
      return undefined
    }
    const typed = { url: completed(cellOf(record, 'url')), name: cellOf(record, 'name') }
    const url = take('url', destination, typed.url)
    if (url !== undefined && isOwnLink(url, publicUrl)) {
      problems.push({ field: 'url', message: OWN_LINK })
    }
    const path = pathOf(cellOf(record, 'vanityUrl'), isForeign)
    const needsName = isForeign || columns.name.length === 0
    const name = needsName ? keptName(typed.name, path, typed.url) : typed.name
    const known = take('name', codeName, name)
    const tags = take('tags', codeTags, tagsIn(cellOf(record, 'tags')))
    const kept = vanityUrl.safeParse(path)
    let lostPath: string | null = null
    if (!kept.success) {
      const message = kept.error.issues[0]?.message ?? 'Invalid input'
      if (isForeign) lostPath = message
      else problems.push({ field: 'vanityUrl', message })
    }
    return {
      row: record.row,
      name: shown(known ?? name),
      url: shown(url ?? typed.url),
      path: kept.success ? kept.data : shown(path),
      tags: distinctNames(tags ?? []),
      problems,
      lostPath,
    }
  }

  return {
    format,
    columns: header.cells.map((name, at) => ({
      name: shown(name.trim(), COLUMN_NAME_MAX),
      as: fieldOf(columns, at),
    })),
    read,
  }
}

const meant = (cell: string) => textOfCell(cell.trim())

/** Something with a slash behind a host, or behind `https:`, is a link, of which the path is the end. */
const LINK = /^(?:https?:\/\/)?[^\s/?#]+\.[^\s/?#]+\/|^https?:\/\//i

/** A custom path as it stands in a cell: by itself, or as the end of a short link. */
function pathOf(cell: string, isForeign: boolean): string {
  if (!LINK.test(cell)) return isForeign ? cell.replace(/^\/+|\/+$/g, '') : cell
  const [address = ''] = cell.replace(/^https?:\/\//i, '').split(/[?#]/)
  return address.split('/').slice(1).filter(Boolean).at(-1) ?? ''
}

const UNUSABLE = new RegExp(`(?:${CONTROL.source}|${TURNING.source})+`, 'g')

/** Other services let titles be empty, long, or of several lines. */
function keptName(title: string, path: string, url: string): string {
  const line = title.replace(UNUSABLE, ' ').trim()
  const name = line || path || url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1).toWellFormed()}…` : name
}

const tagsIn = (cell: string) =>
  distinctNames(
    cell
      .split(/[,|]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )

const shown = (text: string, max = SHOWN_MAX) => text.slice(0, max).toWellFormed()

/** Why a row loses a custom path that an earlier row has. */
export const samePath = (row: number) => `Row ${row} has the same custom URL`
