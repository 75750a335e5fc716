import type { Database, Engine } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import { atOneInstant, transact } from '../database/transact.ts'
import {
  addRows,
  type Key,
  keyReader,
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
/** Called now and then with how many rows were read. */
type OnRows = (rows: number) => void
const TELL_ROWS = 250_000

/**
 * Makes a table of the copy the same as that of the source: it reads both in the order of their keys and writes
 * the rows that differ. `added` counts the rows that it wrote, `removed` those that it took away.
 */
export async function syncTable(from: From, { database, table }: To, onRows: OnRows) {
  const { engine } = database.location
  const keyOf = keyReader(table)
  const sum = new RowSum()
  const counts = { added: 0, removed: 0 }
  let added: string[] = []
  let removed: Key[] = []
  const write = async () => {
    const [gone, come] = [removed, added]
    removed = []
    added = []
    counts.added += come.length
    counts.removed += gone.length
    if (gone.length + come.length === 0) return
    await transact(database.db, async (tx) => {
      await removeRows(tx, engine, table, gone)
      await addRows(tx, engine, table, come)
    })
  }
  await atOneInstant(database, async (reads) => {
    const ours = new LineCursor(readTable(from.db, from.engine, from.table))
    const theirs = new LineCursor(readTable(reads, engine, table))
    await ours.next()
    await theirs.next()
    const kept = theirs.line === undefined ? CHANGE_ROWS : KEPT_BACK_ROWS
    while (ours.line !== undefined || theirs.line !== undefined) {
      const isSame = ours.line === theirs.line
      const order = isSame ? 0 : orderOf(ours.line, theirs.line, keyOf)
      if (order >= 0 && !isSame) removed.push(keyOf(theirs.line as string))
      if (order <= 0) {
        sum.add(ours.line as string)
        if (!isSame) added.push(ours.line as string)
        if (sum.rows % TELL_ROWS === 0) onRows(sum.rows)
      }
      if (added.length + removed.length >= kept) await write()
      if (order <= 0 && !ours.step()) await ours.next()
      if (order >= 0 && !theirs.step()) await theirs.next()
    }
  })
  await write()
  return { rows: sum.rows, sum: sum.sum, ...counts }
}

/** Walks through the lines of pages. `line` is the present one, undefined at the end. */
class LineCursor {
  readonly #pages: AsyncGenerator<string[]>
  #page: string[] = []
  #at = 0
  line: string | undefined

  constructor(pages: AsyncGenerator<string[]>) {
    this.#pages = pages
  }

  /** Goes to the next line of the page. Returns false if there is none. */
  step(): boolean {
    this.line = this.#page[++this.#at]
    return this.line !== undefined
  }

  /** Goes to the first line of the next page. */
  async next(): Promise<void> {
    const { value } = await this.#pages.next()
    this.#page = value ?? []
    this.#at = 0
    this.line = this.#page[0]
  }
}

/** Negative if our key comes first, or they have no more lines. */
function orderOf(
  ours: string | undefined,
  theirs: string | undefined,
  keyOf: (line: string) => Key,
): number {
  if (ours === undefined) return 1
  if (theirs === undefined) return -1
  const [one, other] = [keyOf(ours), keyOf(theirs)]
  for (const [at, cell] of one.entries()) {
    const order = compareCells(cell, other[at] as string | number)
    if (order !== 0) return order
  }
  return 0
}

/** As both engines sort keys here: numbers by size, texts by the bytes of UTF-8. */
function compareCells(one: string | number, other: string | number): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(`${one}`), Buffer.from(`${other}`))
}
