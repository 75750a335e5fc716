import type Sqlite from 'better-sqlite3'
import type { Tables } from '../../../database/schema.ts'
import { openSqlite } from '../../../database/sqlite-handle.ts'
import { utcDay } from '../../../dates.ts'
import type { FoldScan } from '../fold-scan.ts'
import { attributeNames } from '../scan.ts'
import { KnownRows } from './known-rows.ts'
import {
  ADD_TO_COUNTS,
  ADD_TO_FACETS,
  type AgentRow,
  ASK_MARKS,
  type Cell,
  type CodeDay,
  type FoldMarks,
  LedgerTables,
  type ScanFacts,
  USE_AGENT_AGAIN,
} from './ledger-tables.ts'

/** How long a fold waits for another writer before it fails and is tried again. */
const LOCK_TIMEOUT_MS = 2_000
/** Rows in one statement, largest first: few distinct statements to prepare, few calls for many rows. */
const CHUNKS = [50, 10, 1]
const KINDS_KEPT = 20_000

const marks = (cells: number) => `(${Array(cells).fill('?').join(', ')})`

const insertScans = (values: string) => `insert into scans (id, code_id, at, class, rule, country,
    region, city, device, os, browser, referrer, language, agent, utm, visitor, "first",
    workspace_id)
  select v.column1, v.column2, v.column3, k.class, k.rule, k.country, k.region, k.city, k.device,
    k.os, k.browser, k.referrer, k.language, k.agent, k.utm, v.column5, v.column6,
    v.column7
  from (values ${values}) v cross join temp.kinds k on k.no = v.column4 where true
  on conflict (id) do nothing`
const insertCounts = (values: string) =>
  `insert into scan_counts (code_id, quarter, persons, firsts, others) values ${values} ${ADD_TO_COUNTS}`
const insertFacets = (values: string) =>
  `insert into scan_facets (code_id, day, facet, value, persons) values ${values} ${ADD_TO_FACETS}`
const INSERT_KIND = `insert into temp.kinds values ${marks(attributeNames.length + 1)}
  on conflict do nothing`

export class SqliteLedger extends LedgerTables {
  readonly #handle: Sqlite.Database
  readonly #prepared = new Map<string, Sqlite.Statement>()
  /** The kinds that the temporary table has, so that a scan's row is written with its kind's number. */
  readonly #kinds = new KnownRows<number>(2 * KINDS_KEPT)
  #kindsWritten = 0
  readonly #insertScans: (cells: Cell[]) => number
  readonly #insertCounts: (cells: Cell[]) => number
  readonly #insertFacets: (cells: Cell[]) => number

  constructor(file: string) {
    super()
    this.#handle = openSqlite(file, { timeoutMs: LOCK_TIMEOUT_MS })
    this.#handle.pragma('temp_store = memory')
    const columns = attributeNames.map((name) => `"${name}"`).join(', ')
    this.#handle.exec(`create temp table kinds (no integer primary key, ${columns})`)
    this.#insertScans = this.#forRows(7, insertScans)
    this.#insertCounts = this.#forRows(5, insertCounts)
    this.#insertFacets = this.#forRows(5, insertFacets)
  }

  /** A statement for many rows of some cells each. Returns how many rows changed. */
  #forRows(width: number, sql: (values: string) => string) {
    const statements = CHUNKS.map((rows) => ({
      cells: rows * width,
      statement: this.#handle.prepare(sql(Array(rows).fill(marks(width)).join(', '))),
    }))
    return (cells: Cell[]): number => {
      let changed = 0
      let from = 0
      for (const { cells: step, statement } of statements) {
        for (; from + step <= cells.length; from += step) {
          changed += statement.run(cells.slice(from, from + step)).changes
        }
      }
      return changed
    }
  }

  #statement(sql: string): Sqlite.Statement {
    const known = this.#prepared.get(sql) ?? this.#handle.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }

  protected readonly asked = 'json_each(?) as asked'
  protected list = (texts: string[]) => JSON.stringify(texts)

  protected run(sql: string, ...cells: Cell[]): number {
    return this.#statement(sql).run(cells).changes
  }

  protected rows<Row>(sql: string, ...cells: Cell[]): Row[] {
    return this.#statement(sql).all(cells) as Row[]
  }

  begin(): FoldMarks {
    if (this.#kindsWritten > KINDS_KEPT) {
      this.#handle.exec('delete from temp.kinds')
      this.#kinds.clear()
      this.#kindsWritten = 0
    }
    this.run('begin immediate')
    return this.rows<FoldMarks>(ASK_MARKS)[0] as FoldMarks
  }

  override async commit() {
    this.run('commit')
    this.#kinds.commit()
  }

  rollback() {
    this.#kinds.undo()
    if (this.#handle.inTransaction) this.run('rollback')
  }

  override async undo() {
    this.#kinds.undo()
    this.run('rollback to part')
  }

  addAgents(rows: AgentRow[]) {
    const sql = `insert into agents (id, text) values (?, ?) ${USE_AGENT_AGAIN}`
    return rows.reduce((added, { id, text }) => added + this.run(sql, id, text), 0)
  }

  addVisitors(scans: FoldScan[]) {
    const sql = `insert into visitors (day, code_id, visitor) values (?, ?, ?) on conflict do nothing`
    return scans.filter(
      ({ at, codeId, visitor }) => this.run(sql, utcDay(at), codeId, visitor) === 1,
    )
  }

  addScans(scans: FoldScan[], { firsts, hasAgent, workspaceOf }: ScanFacts): number {
    const cells: Cell[] = []
    for (const scan of scans) {
      const { no, attributes, agentId } = scan.kind
      if (!this.#kinds.has(no)) {
        const row = { ...attributes, agent: hasAgent(agentId) ? agentId : null }
        this.run(INSERT_KIND, no, ...attributeNames.map((name) => row[name]))
        this.#kinds.add(no)
        this.#kindsWritten++
      }
      cells.push(scan.id, scan.codeId, scan.at, no, scan.visitor, firsts.has(scan) ? 1 : 0)
      cells.push(workspaceOf(scan.codeId))
    }
    return this.#insertScans(cells)
  }

  addCounts(rows: Tables['scan_counts'][]) {
    this.#insertCounts(
      rows.flatMap((row) => [row.code_id, row.quarter, row.persons, row.firsts, row.others]),
    )
  }

  countFacets(days: CodeDay[]) {
    const sql = `select (select count(*) from scan_facets
        where code_id = asked.value ->> 0 and day = asked.value ->> 1) as stored
      from json_each(?) as asked order by asked.key`
    const asked = JSON.stringify(days.map(({ codeId, day }) => [codeId, day]))
    return this.rows<{ stored: number }>(sql, asked).map(({ stored }) => stored)
  }

  addFacets(rows: Tables['scan_facets'][]) {
    this.#insertFacets(
      rows.flatMap((row) => [row.code_id, row.day, row.facet, row.value, row.persons]),
    )
  }

  close() {
    this.#handle.close()
  }
}
