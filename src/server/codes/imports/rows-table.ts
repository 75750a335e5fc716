import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import type { ImportRowsQuery } from '#contract/imports.ts'
import type { Db } from '../../database/schema.ts'
import { presentImport, presentRow } from '../presenter.ts'
import { type ImportRecord, rowsFrom } from './imports-store.ts'

/** Rows that are read at once */
const PART = 250

/** Rows of an import as a CSV file: their cells as they were sent, and what is wrong with them in one more column. */
export async function* rowsTable(
  db: Db,
  record: ImportRecord,
  only: ImportRowsQuery['only'],
): AsyncGenerator<string> {
  const { columns } = presentImport(record)
  yield BYTE_ORDER_MARK + csvLine([...columns.map(({ name }) => name), 'Error'])
  let from: number | undefined = 0
  while (from !== undefined) {
    const rows = await rowsFrom(db, record.id, { from, limit: PART, only })
    const lines = rows.map((row) => {
      const { problems, lostPath, losses } = presentRow(row, record.state)
      const messages = [...problems.map(({ message }) => message), lostPath, ...losses]
      const cells = JSON.parse(row.cells) as string[]
      return csvLine([
        ...columns.map((_, at) => cells[at] ?? ''),
        messages.filter((message) => message !== null).join('. '),
      ])
    })
    yield lines.join('')
    const last = rows.at(-1)
    from = rows.length === PART && last ? last.n + 1 : undefined
  }
}
