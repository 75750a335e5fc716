import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Engine } from '../../database/connect.ts'
import type { Tables } from '../../database/schema.ts'
import { utcDay } from '../instants.ts'
import { rollUp } from './rollups.ts'
import { type Scan, scanColumns } from './scan.ts'
import { askTotalsDay, lateCodes, leaveTotals } from './totals.ts'

type Value = string | number | null

/** The recorder's own connection to either engine. */
export interface LedgerConnection {
  /** The statement that begins a transaction that writes. */
  readonly begin: string
  /** The n-th parameter as the engine writes it, n from 1. */
  placeholder(n: number): string
  /** Runs one statement and answers its rows. After the connection is lost, every call fails. */
  run(sql: string, parameters: Value[]): Row[] | Promise<Row[]>
  readonly engine: Engine
  /** Whether another transaction can begin. */
  readonly isUsable: boolean
  close(): void
}

type Row = Record<string, Value>

/** Rows in one statement, largest first: few distinct statements to prepare, few calls for many rows. */
const CHUNKS = [64, 16, 4, 1]

/** Distinct User-Agents that are stored, of 512 characters at most: far more than there are browsers. */
const AGENTS_MAX = 100_000
/** New User-Agents after which we count again how many all processes have stored. */
const RECOUNT_AFTER = 1_000
/** Ids in one question */
const IDS = 64
const AGENTS_KEPT = 20_000
const VISITORS_KEPT = 500_000

/** 48 bits of a digest: an integer in both engines, and distinct for any number of agents we will meet. */
const agentId = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 12), 16)

type Upsert<T extends keyof Tables> = {
  table: T
  columns: readonly (keyof Tables[T] & string)[]
  conflict: string
}

function upsert<T extends keyof Tables>(
  table: T,
  columns: Upsert<T>['columns'],
  conflict: string,
): Upsert<T> {
  return { table, columns, conflict: `on conflict ${conflict}` }
}

const AGENTS = upsert(
  'agents',
  ['id', 'text'],
  `(id) do update set unused_since = null where agents.unused_since is not null returning id`,
)
const VISITORS = upsert(
  'visitors',
  ['day', 'code_id', 'visitor'],
  'do nothing returning day, code_id, visitor',
)
const SCANS = upsert('scans', [...scanColumns, 'first'], 'do nothing returning id')
const COUNTS = upsert(
  'scan_counts',
  ['code_id', 'quarter', 'persons', 'firsts', 'others'],
  `(code_id, quarter) do update set persons = scan_counts.persons + excluded.persons,
    firsts = scan_counts.firsts + excluded.firsts, others = scan_counts.others + excluded.others`,
)
const FACETS = upsert(
  'scan_facets',
  ['code_id', 'day', 'facet', 'value', 'persons'],
  '(code_id, day, facet, value) do update set persons = scan_facets.persons + excluded.persons',
)

/**
 * Writes scans into the ledger. `commit` adds them and what they change in the rollups in one
 * transaction. A scan whose id is already in the ledger changes nothing, so any commit can be
 * repeated. Once the table of User-Agents is full, a scan with a new one is written without it.
 */
export class Ledger {
  readonly #connection: LedgerConnection
  readonly #statements = new Map<string, string>()
  /** What we know to be in the database, so that we need not write it again for each scan. */
  readonly #agents = new Map<string, number>()
  readonly #visitors = new Set<string>()

  readonly #agentsMax: number
  /** New agents that may be stored until the next count. */
  #agentsLeft = 0
  #isFull = false

  constructor(connection: LedgerConnection, agentsMax = AGENTS_MAX) {
    this.#connection = connection
    this.#agentsMax = agentsMax
  }

  get isUsable(): boolean {
    return this.#connection.isUsable
  }

  close() {
    this.#connection.close()
  }

  /** @throws what the engine says. Then nothing is written; if COMMIT failed, all may be written. */
  async commit(scans: Scan[]): Promise<void> {
    await this.#connection.run(this.#connection.begin, [])
    try {
      const learned = await this.#write(scans)
      await this.#connection.run('commit', [])
      this.#remember(learned)
    } catch (error) {
      await this.#rollBack()
      throw error
    }
  }

  async #rollBack() {
    try {
      await this.#connection.run('rollback', [])
    } catch {
      // The connection is gone, or the engine rolled back itself.
    }
  }

  async #write(scans: Scan[]) {
    const { engine } = this.#connection
    const [mark] = await this.#connection.run(askTotalsDay[engine], [])
    const agents = await this.#writeAgents(scans)
    const { firsts, visitors } = await this.#writeVisitors(scans)
    const agentOf = (text: string) => this.#agents.get(text) ?? agents.get(text) ?? null
    const rows = scans.map((scan) => ({
      ...scan,
      agent: agentOf(scan.agent),
      first: firsts.has(scan.id) ? 1 : 0,
    }))
    const written = new Set((await this.#upsert(SCANS, rows)).map((row) => row.id))
    // A scan that comes twice in one set is one row: taking its id out counts it once.
    const isFresh = ({ id }: Scan) => written.delete(id)
    const fresh = written.size === scans.length ? scans : scans.filter(isFresh)
    const { counts, facets } = rollUp(fresh, (id) => firsts.has(id))
    await this.#upsert(COUNTS, counts)
    await this.#upsert(FACETS, facets)
    for (const { codeId, day } of lateCodes(counts, Number(mark?.at ?? 0))) {
      await this.#connection.run(leaveTotals[engine], [codeId, day])
    }
    return { agents, visitors }
  }

  async #writeAgents(scans: Scan[]): Promise<Map<string, number>> {
    const added = new Map<string, number>()
    for (const { agent } of scans) {
      if (!this.#agents.has(agent) && !added.has(agent)) added.set(agent, agentId(agent))
    }
    if (added.size === 0) return added
    if (!(await this.#takesAgents())) return this.#storedOf(added)
    const rows = [...added].map(([text, id]) => ({ id, text, unused_since: null }))
    const stored = await this.#upsert(
      AGENTS,
      rows.sort((one, other) => one.id - other.id),
    )
    this.#agentsLeft -= stored.length
    return added
  }

  /** Whether the table has room, to about a thousand agents a process. */
  async #takesAgents(): Promise<boolean> {
    if (this.#agentsLeft > 0) return true
    if (this.#isFull) return false
    const [row] = await this.#connection.run('select count(*) as stored from agents', [])
    this.#agentsLeft = Math.min(RECOUNT_AFTER, this.#agentsMax - Number(row?.stored))
    this.#isFull = this.#agentsLeft <= 0
    return !this.#isFull
  }

  async #storedOf(agents: Map<string, number>): Promise<Map<string, number>> {
    const ids = [...agents.values()]
    const placeholders = Array.from({ length: IDS }, (_, n) => this.#connection.placeholder(n + 1))
    const question = `select id from agents where id in (${placeholders.join(', ')})`
    const stored = new Set<number>()
    for (let from = 0; from < ids.length; from += IDS) {
      const asked = Array.from({ length: IDS }, (_, n) => ids[from + n] ?? null)
      for (const { id } of await this.#connection.run(question, asked)) stored.add(Number(id))
    }
    return new Map([...agents].filter(([, id]) => stored.has(id)))
  }

  /** Which of these scans are a person's first at the code on that UTC day: the database decides. */
  async #writeVisitors(scans: Scan[]) {
    const candidates = new Map<string, { row: Tables['visitors']; scanId: string }>()
    for (const { id, code_id, at, class: scanClass, visitor } of scans) {
      if (scanClass !== 'person' || visitor === null) continue
      const day = utcDay(at)
      const key = `${day}\n${code_id}\n${visitor}`
      if (this.#visitors.has(key) || candidates.has(key)) continue
      candidates.set(key, { row: { day, code_id, visitor }, scanId: id })
    }
    const ordered = [...candidates].sort(([one], [other]) => (one < other ? -1 : 1))
    const added = await this.#upsert(
      VISITORS,
      ordered.map(([, { row }]) => row),
    )
    const firsts = new Set(
      added.map((row) => candidates.get(`${row.day}\n${row.code_id}\n${row.visitor}`)?.scanId),
    )
    return { firsts, visitors: ordered.map(([key]) => key) }
  }

  #remember({ agents, visitors }: { agents: Map<string, number>; visitors: string[] }) {
    if (this.#agents.size > AGENTS_KEPT) this.#agents.clear()
    for (const [text, id] of agents) this.#agents.set(text, id)
    if (this.#visitors.size > VISITORS_KEPT) this.#visitors.clear()
    for (const key of visitors) this.#visitors.add(key)
  }

  async #upsert<T extends keyof Tables>(
    upsert: Upsert<T>,
    rows: Selectable<Tables[T]>[],
  ): Promise<Row[]> {
    const returned: Row[] = []
    let done = 0
    while (done < rows.length) {
      const count = CHUNKS.find((size) => size <= rows.length - done) ?? 1
      const parameters: Value[] = []
      for (const row of rows.slice(done, done + count)) {
        for (const column of upsert.columns)
          parameters.push(row[column as keyof typeof row] as Value)
      }
      const answer = this.#connection.run(this.#statement(upsert, count), parameters)
      returned.push(...(answer instanceof Promise ? await answer : answer))
      done += count
    }
    return returned
  }

  #statement<T extends keyof Tables>(
    { table, columns, conflict }: Upsert<T>,
    rows: number,
  ): string {
    const key = `${table} ${rows}`
    const known = this.#statements.get(key)
    if (known) return known
    let n = 0
    const tuple = () => `(${columns.map(() => this.#connection.placeholder(++n)).join(', ')})`
    const values = Array.from({ length: rows }, tuple).join(', ')
    const names = columns.map((column) => `"${column}"`).join(', ')
    const statement = `insert into ${table} (${names}) values ${values} ${conflict}`
    this.#statements.set(key, statement)
    return statement
  }
}
