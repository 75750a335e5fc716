import type { Database, Engine } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import { atOneInstant, transact } from '../database/transact.ts'
import {
  addRows,
  type Cell,
  lineOf,
  type Row,
  RowSum,
  readTable,
  removeRows,
  type Table,
} from './table-rows.ts'

/** Rows of a change. More are kept back only where one may need the place of another that goes later. */
const CHANGE_ROWS = 2_000
const KEPT_BACK_ROWS = 50_000

type From = { db: Db; engine: Engine; table: Table }
type To = { database: Database; table: Table }
/** Told, now and then, how many rows it has read. */
type OnRows = (rows: number) => void
const TELL_ROWS = 250_000

/**
 * Makes a table of the copy the same as that of the source: it reads both in the order of their keys and writes
 * the rows that differ. `changed` counts those of the source that it wrote.
 */
export async function syncTable(
  from: From,
  { database, table }: To,
  onRows: OnRows,
): Promise<{ rows: number; sum: string; changed: number }> {
  const { engine } = database.location
  const places = from.table.key.map((name) =>
    from.table.columns.findIndex((column) => column.name === name),
  )
  const sum = new RowSum()
  let changed = 0
  let added: Row[] = []
  let removed: Row[] = []
  const write = async () => {
    const [gone, come] = [removed, added]
    removed = []
    added = []
    if (gone.length + come.length === 0) return
    await transact(database.db, async (tx) => {
      await removeRows(tx, engine, table, gone)
      await addRows(tx, engine, table, come)
    })
  }
  await atOneInstant(database, async (reads) => {
    const ours = new RowCursor(readTable(from.db, from.engine, from.table))
    const theirs = new RowCursor(readTable(reads, engine, table))
    await ours.next()
    await theirs.next()
    const wasEmpty = theirs.row === undefined
    while (ours.row || theirs.row) {
      const order = orderOf(ours.row, theirs.row, places)
      const line = order <= 0 ? lineOf(ours.row as Row) : ''
      if (order <= 0) sum.add(line)
      if (order <= 0 && sum.rows % TELL_ROWS === 0) onRows(sum.rows)
      const isSame = order === 0 && line === lineOf(theirs.row as Row)
      if (order >= 0 && !isSame) removed.push(theirs.row as Row)
      if (order <= 0 && !isSame) {
        added.push(ours.row as Row)
        changed++
      }
      if (added.length + removed.length >= (wasEmpty ? CHANGE_ROWS : KEPT_BACK_ROWS)) await write()
      if (order <= 0 && !ours.step()) await ours.next()
      if (order >= 0 && !theirs.step()) await theirs.next()
    }
  })
  await write()
  return { rows: sum.rows, sum: sum.sum, changed }
}

/** Walks through the rows of pages. `row` is the present one, undefined at the end. */
class RowCursor {
  readonly #pages: AsyncGenerator<Row[]>
  #page: Row[] = []
  #at = 0
  row: Row | undefined

  constructor(pages: AsyncGenerator<Row[]>) {
    this.#pages = pages
  }

  /** Goes to the next row of the page; false if there is none. */
  step(): boolean {
    this.row = this.#page[++this.#at]
    return this.row !== undefined
  }

  /** Goes to the first row of the next page. */
  async next(): Promise<void> {
    const { value } = await this.#pages.next()
    this.#page = value ?? []
    this.#at = 0
    this.row = this.#page[0]
  }
}

/** Negative if our key comes first, or they have no more rows. */
function orderOf(ours: Row | undefined, theirs: Row | undefined, places: number[]): number {
  if (!ours) return 1
  if (!theirs) return -1
  for (const at of places) {
    const order = compareCells(ours[at] ?? null, theirs[at] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** As both engines sort keys here: numbers by size, texts by the bytes of UTF-8. */
function compareCells(one: Cell, other: Cell): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(one as string), Buffer.from(other as string))
}
