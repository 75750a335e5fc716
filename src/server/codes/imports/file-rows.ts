import { columnsOf, formatOf } from './columns.ts'
import type { FileRecord } from './file-records.ts'
import { refuseFile } from './file-text.ts'
import { type ReaderOptions, type ReadRow, type RowReader, rowReader } from './row-reader.ts'

/** How the columns of a file are read, and its rows */
export type FileRows = Pick<RowReader, 'format' | 'columns'> & { rows: AsyncIterable<ReadRow> }

/** A first row with an address in it has no names of columns. */
const ADDRESS = /^\s*https?:\/\//i
const EMPTY = 'This file has no rows below the names of its columns.'

const hasDestination = ({ cells }: FileRecord) => columnsOf(cells, formatOf(cells)).url.length > 0

/** A title stands alone above the names of the columns. */
const isTitle = (first: FileRecord, second: FileRecord) =>
  first.cells.filter((cell) => cell.trim() !== '').length === 1 &&
  !hasDestination(first) &&
  hasDestination(second)

/** The rows of a file, whose first record has the names of its columns. @throws AppError import_unreadable */
export async function rowsOf(records: AsyncIterable<FileRecord>, options: ReaderOptions) {
  const all = records[Symbol.asyncIterator]()
  const next = async (): Promise<FileRecord | undefined> => (await all.next()).value
  const [first, second] = [await next(), await next()]
  if (!first) refuseFile(EMPTY)
  const ahead = [first, second].filter((each) => each !== undefined)
  if (second && isTitle(first, second)) ahead.shift()
  const isNamed = !ahead[0]?.cells.some((cell) => ADDRESS.test(cell))
  const [names = first] = isNamed ? ahead.splice(0, 1) : ahead
  const header = names.cells.map((cell, at) => (isNamed ? cell : `Column ${at + 1}`))
  const reader = rowReader(header, options)
  async function* rows() {
    const start = ahead.shift() ?? (await next()) ?? refuseFile(EMPTY)
    for (let each: FileRecord | undefined = start; each; each = ahead.shift() ?? (await next())) {
      yield reader.read(each)
    }
  }
  return { format: reader.format, columns: reader.columns, rows: rows() }
}
