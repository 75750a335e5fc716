import pg from 'pg'
import type { Tables } from '../../../database/schema.ts'
import { utcDay } from '../../../dates.ts'
import type { FoldScan } from '../fold-scan.ts'
import { shareTotals } from '../ledger/totals.ts'
import { attributeNames } from '../scan.ts'
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

/** One round trip; each statement sees what was committed before it began. */
const BEGIN = `begin; ${shareTotals}; ${ASK_MARKS}`
// Columns travel as arrays: the text of a statement is the same for any number of rows.
const ADD_AGENTS = `insert into agents (id, text)
  select * from unnest(?::bigint[], ?::text[]) ${USE_AGENT_AGAIN}`
const ADD_VISITORS = `insert into visitors (day, code_id, visitor)
  select * from unnest(?::int[], ?::text[], ?::text[])
  on conflict do nothing returning day, code_id, visitor`
/** The texts of a kind in the order of ADD_SCANS. */
const textColumns = attributeNames.filter((name) => name !== 'agent')
const kindColumns = [...textColumns, 'agent']
const ADD_SCANS = `insert into scans (id, code_id, at, visitor, first, workspace_id, ${kindColumns})
  select s.id, s.code_id, s.at, s.visitor, s.first, s.workspace, ${kindColumns.map((name) => `k.${name}`)}
  from unnest(?::text[], ?::text[], ?::bigint[], ?::int[], ?::text[], ?::int[],
    ?::text[]) s(id, code_id, at, kind, visitor, first, workspace)
  join unnest(?::int[], ${textColumns.map(() => '?::text[]')}, ?::bigint[])
    k(no, ${kindColumns}) on k.no = s.kind
  on conflict (id) do nothing`
const ADD_COUNTS = `insert into scan_counts (code_id, quarter, persons, firsts, others)
  select * from unnest(?::text[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[]) ${ADD_TO_COUNTS}`
const COUNT_FACETS = `select (select count(*) from scan_facets
    where code_id = asked.code_id and day = asked.day) as stored
  from unnest(?::text[], ?::int[]) with ordinality asked(code_id, day, no) order by no`
const ADD_FACETS = `insert into scan_facets (code_id, day, facet, value, persons)
  select * from unnest(?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[]) ${ADD_TO_FACETS}`

export class PostgresLedger extends LedgerTables {
  readonly #line: PostgresLine

  constructor(url: string) {
    super()
    this.#line = openPostgresLine(url)
  }

  protected readonly asked = 'unnest(?::text[]) as asked(value)'
  protected list = (texts: string[]) => texts

  protected async run(sql: string, ...cells: Cell[]): Promise<number> {
    return (await this.#line.run(sql, cells)).rowCount ?? 0
  }

  protected async rows<Row>(sql: string, ...cells: Cell[]): Promise<Row[]> {
    return (await this.#line.run(sql, cells)).rows
  }

  async begin(): Promise<FoldMarks> {
    const marks = (await this.#line.runAll(BEGIN)).at(-1)?.rows[0] ?? {}
    const numbered = Object.entries(marks).map(([name, at]) => [name, Number(at)])
    return Object.fromEntries(numbered)
  }

  async rollback() {
    await this.run('rollback')
  }

  addAgents(rows: AgentRow[]) {
    return this.run(ADD_AGENTS, ...columnsOf(rows, 'id', 'text'))
  }

  async addVisitors(scans: FoldScan[]) {
    const added = await this.rows<Tables['visitors']>(
      ADD_VISITORS,
      numbers(scans.map(({ at }) => utcDay(at))),
      scans.map(({ codeId }) => codeId),
      scans.map(({ visitor }) => visitor),
    )
    const keys = new Set(added.map((row) => `${row.day}\n${row.code_id}\n${row.visitor}`))
    return scans.filter((scan) => keys.has(`${utcDay(scan.at)}\n${scan.codeId}\n${scan.visitor}`))
  }

  addScans(scans: FoldScan[], { firsts, hasAgent, workspaceOf }: ScanFacts): Promise<number> {
    const kinds = [...new Set(scans.map(({ kind }) => kind))]
    return this.run(
      ADD_SCANS,
      scans.map(({ id }) => id),
      scans.map(({ codeId }) => codeId),
      numbers(scans.map(({ at }) => at)),
      numbers(scans.map(({ kind }) => kind.no)),
      scans.map(({ visitor }) => visitor),
      numbers(scans.map((scan) => (firsts.has(scan) ? 1 : 0))),
      scans.map(({ codeId }) => workspaceOf(codeId)),
      numbers(kinds.map(({ no }) => no)),
      ...textColumns.map((name) => kinds.map(({ attributes }) => attributes[name])),
      numbers(kinds.map(({ agentId }) => (hasAgent(agentId) ? agentId : null))),
    )
  }

  addCounts(rows: Tables['scan_counts'][]) {
    const columns = columnsOf(rows, 'code_id', 'quarter', 'persons', 'firsts', 'others')
    return this.run(ADD_COUNTS, ...columns)
  }

  async countFacets(days: CodeDay[]) {
    const cells = columnsOf(days, 'codeId', 'day')
    const rows = await this.rows<{ stored: number }>(COUNT_FACETS, ...cells)
    return rows.map(({ stored }) => Number(stored))
  }

  async addFacets(rows: Tables['scan_facets'][]) {
    if (rows.length === 0) return
    await this.run(ADD_FACETS, ...columnsOf(rows, 'code_id', 'day', 'facet', 'value', 'persons'))
  }

  close() {
    this.#line.close()
  }
}

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** Then the log says that scans wait, as soon as SQLite does, and the fold is tried again. */
const LOCK_TIMEOUT_MS = 2_000
const KEEP_ALIVE_MS = 10_000
/** A repeated fold waits for our old locks, so a server that missed our end must release them. */
const SERVER_LIMITS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
set lock_timeout = ${LOCK_TIMEOUT_MS};
set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/** One connection to PostgreSQL. After it is lost, every call fails. */
export type PostgresLine = {
  /** The statement has a `?` for each value; an array of numbers travels as the text that `numbers` makes. */
  run(sql: string, values?: Cell[]): Promise<pg.QueryResult>
  /** Several statements without parameters, divided by semicolons, in one round trip. */
  runAll(sql: string): Promise<pg.QueryResult[]>
  readonly isUsable: boolean
  close(): void
}

/**
 * Connects at the first statement and never again: after a loss the next statement would run outside
 * the transaction that the loss undid.
 */
export function openPostgresLine(url: string): PostgresLine {
  let isUsable = true
  let connected: Promise<void> | undefined
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  const lost = () => {
    isUsable = false
  }
  client.on('error', lost)
  client.on('end', lost)

  async function connect() {
    await client.connect()
    await client.query(SERVER_LIMITS)
  }

  function close() {
    isUsable = false
    client.end().catch(() => {})
  }

  async function ask(query: pg.QueryConfig) {
    try {
      connected ??= connect()
      await connected
      return await client.query(query)
    } catch (error) {
      // After a timeout the statement may still run, so no other may queue behind it.
      if (!(error instanceof pg.DatabaseError)) close()
      throw error
    }
  }

  return {
    run: (sql, values = []) => ask({ ...statementOf(sql), values }),
    runAll: async (sql) => [await ask({ text: sql })].flat(),
    get isUsable() {
      return isUsable
    },
    close,
  }
}

/** The server parses a named statement once for each connection. */
const statements = new Map<string, { name: string; text: string }>()

function statementOf(sql: string) {
  const known = statements.get(sql)
  if (known) return known
  let cells = 0
  const text = sql.replace(/\?/g, () => `$${++cells}`)
  const statement = { name: `fold_${statements.size}`, text }
  statements.set(sql, statement)
  return statement
}

/** An array of numbers as PostgreSQL reads it. */
const numbers = (cells: (number | null)[]) => `{${cells.map((cell) => cell ?? 'NULL')}}`

/** These columns of rows, each an array. */
const columnsOf = <Row extends object>(rows: Row[], ...names: (keyof Row)[]): Cell[] =>
  names.map((name) => {
    const cells = rows.map((row) => row[name])
    return typeof cells[0] === 'number' ? numbers(cells as number[]) : (cells as string[])
  })
