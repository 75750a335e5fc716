import type Sqlite from 'better-sqlite3'
import { openSqlite } from '../../../database/sqlite-handle.ts'
import { orMade } from '../../../or-made.ts'
import {
  ASK_MARKS,
  ATTRIBUTES,
  type Cell,
  type Columns,
  type Done,
  type FoldMarks,
  insertionOfScans,
  KINDS,
  LedgerTables,
  quoted,
  SCANS,
} from './ledger-tables.ts'

/** How long a fold waits for another writer before it fails and is tried again. */
const LOCK_TIMEOUT_MS = 2_000
/** Rows in one statement, largest first: few distinct statements to prepare, few calls for many rows. */
const CHUNKS = [50, 10, 1]

export class SqliteLedger extends LedgerTables {
  readonly #handle: Sqlite.Database
  readonly #prepared = new Map<string, Sqlite.Statement>()

  constructor(file: string) {
    super()
    this.#handle = openSqlite(file, { timeoutMs: LOCK_TIMEOUT_MS })
    this.#handle.pragma('temp_store = memory')
    this.#handle.exec(`create temp table kinds (${quoted(ATTRIBUTES)}, no integer primary key)`)
  }

  protected table(columns: Columns): string {
    const names = quoted(columns).map((name, at) => `value ->> ${at} as ${name}`)
    return `(select ${names} from json_each(?))`
  }

  protected cellsOf(columns: Columns, rows: readonly object[]): Cell[] {
    const names = Object.keys(columns)
    return [JSON.stringify(rows.map((row) => names.map((name) => row[name as keyof typeof row])))]
  }

  protected each(columns: Columns, rows: readonly object[], sqlOf: (table: string) => string) {
    const names = Object.keys(columns)
    const shown = quoted(columns).map((name, at) => `column${at + 1} as ${name}`)
    const marks = `(${names.map(() => '?')})`
    const done: Done<unknown> = { changes: 0, rows: [] }
    let from = 0
    for (const size of CHUNKS) {
      if (rows.length - from < size) continue
      const table = `(select ${shown} from (values ${Array(size).fill(marks)}))`
      const statement = this.#statement(sqlOf(table))
      for (; from + size <= rows.length; from += size) {
        const some = rows.slice(from, from + size)
        const cells = some.flatMap((row) => names.map((name) => row[name as keyof typeof row]))
        if (statement.reader) done.rows.push(...statement.all(cells))
        else done.changes += statement.run(cells).changes
      }
    }
    return done
  }

  protected insertScans(rows: object[], kinds: object[]): number {
    this.run('delete from temp.kinds')
    const sql = `insert into temp.kinds select * from ${this.table(KINDS)} kind`
    this.run(sql, ...this.cellsOf(KINDS, kinds))
    return this.each(SCANS, rows, (scans) => insertionOfScans(scans, 'temp.kinds')).changes
  }

  #statement(sql: string): Sqlite.Statement {
    return orMade(this.#prepared, sql, () => this.#handle.prepare(sql))
  }

  protected run<Row>(sql: string, ...cells: Cell[]): Done<Row> {
    const statement = this.#statement(sql)
    return statement.reader
      ? { changes: 0, rows: statement.all(cells) as Row[] }
      : { changes: statement.run(cells).changes, rows: [] }
  }

  begin(): FoldMarks {
    this.run('begin immediate')
    return this.run<FoldMarks>(ASK_MARKS).rows[0] as FoldMarks
  }

  rollback() {
    if (this.#handle.inTransaction) this.run('rollback')
  }

  close() {
    this.#handle.close()
  }
}
