import type { FileRecord } from './file-records.ts'
import { refuseFile } from './file-text.ts'
import { type ReaderOptions, type ReadRow, type RowReader, rowReader } from './row-reader.ts'

/** How the columns of a file are read, and its rows */
export type FileRows = Pick<RowReader, 'format' | 'columns'> & { rows: AsyncIterable<ReadRow> }

/** A first row with an address in it has no names of columns. */
const ADDRESS = /^\s*https?:\/\//i
const EMPTY = 'This file has no rows below the names of its columns.'

/** The rows of a file, whose first record has the names of its columns. @throws AppError import_unreadable */
export async function rowsOf(
  records: AsyncIterable<FileRecord>,
  options: ReaderOptions,
): Promise<FileRows> {
  const rest = records[Symbol.asyncIterator]()
  const { value: first } = await rest.next()
  if (!first) refuseFile(EMPTY)
  const isNamed = !first.cells.some((cell: string) => ADDRESS.test(cell))
  const header = isNamed
    ? first.cells
    : first.cells.map((_: string, at: number) => `Column ${at + 1}`)
  const reader = rowReader(header, options)
  async function* rows() {
    let isEmpty = isNamed
    if (!isNamed) yield reader.read(first)
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      isEmpty = false
      yield reader.read(next.value)
    }
    if (isEmpty) refuseFile(EMPTY)
  }
  return { format: reader.format, columns: reader.columns, rows: rows() }
}
