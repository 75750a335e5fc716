import { hash } from 'node:crypto'
import { utcDay } from './instants.ts'
import { rollUp } from './rollups.ts'
import type { Scan } from './scan.ts'

type Value = string | number | null

/** A connection of the recorder's own, to either engine. */
export interface LedgerConnection {
  /** How the engine begins a transaction that writes. */
  readonly begin: string
  /** The engine's sign for the n-th parameter, n from 1. */
  placeholder(n: number): string
  /** Runs one statement and answers the rows it returns. A lost connection stays lost: every call fails. */
  run(sql: string, parameters: Value[]): Row[] | Promise<Row[]>
  /** Whether another transaction can begin on it. */
  readonly isUsable: boolean
  close(): void
}

type Row = Record<string, Value>

/** Rows in one statement, largest first: few distinct statements to prepare, few calls for many rows. */
const CHUNKS = [64, 16, 4, 1]

const AGENTS_KEPT = 20_000
const VISITORS_KEPT = 500_000

/** 48 bits of a digest: an integer in both engines, and distinct for any number of agents we will meet. */
const agentId = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 12), 16)

type Upsert = { table: string; columns: string[]; conflict: string }

const UPSERTS = {
  agents: { table: 'agents', columns: ['id', 'text'], conflict: 'on conflict do nothing' },
  visitors: {
    table: 'visitors',
    columns: ['day', 'code_id', 'visitor'],
    conflict: 'on conflict do nothing returning day, code_id, visitor',
  },
  scans: {
    table: 'scans',
    columns: [
      ...['id', 'code_id', 'at', 'class', 'rule', 'country', 'region', 'city', 'device', 'os'],
      ...['browser', 'referrer', 'language', 'agent', 'visitor', 'first'],
    ],
    conflict: 'on conflict do nothing returning id',
  },
  counts: {
    table: 'scan_counts',
    columns: ['code_id', 'quarter', 'persons', 'firsts', 'others'],
    conflict:
      'on conflict (code_id, quarter) do update set persons = scan_counts.persons + excluded.persons, ' +
      'firsts = scan_counts.firsts + excluded.firsts, others = scan_counts.others + excluded.others',
  },
  facets: {
    table: 'scan_facets',
    columns: ['code_id', 'day', 'facet', 'value', 'persons'],
    conflict:
      'on conflict (code_id, day, facet, value) do update set persons = scan_facets.persons + excluded.persons',
  },
} satisfies Record<string, Upsert>

/**
 * The one writer of the ledger and its rollups. `commit` writes a set of scans and what they add to
 * the rollups in one transaction. Scans already in the ledger, by id, change nothing: any commit can
 * be repeated.
 */
export class Ledger {
  readonly #connection: LedgerConnection
  readonly #statements = new Map<string, string>()
  /** What is known to be in the database, so that it is not asked again for each scan. */
  readonly #agents = new Map<string, number>()
  readonly #visitors = new Set<string>()

  constructor(connection: LedgerConnection) {
    this.#connection = connection
  }

  get isUsable(): boolean {
    return this.#connection.isUsable
  }

  close() {
    this.#connection.close()
  }

  /** @throws what the engine says; then nothing was written, or, at COMMIT, all may have been */
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
    const agents = await this.#writeAgents(scans)
    const { firsts, visitors } = await this.#writeVisitors(scans)
    const agentOf = (text: string) => this.#agents.get(text) ?? agents.get(text) ?? 0
    const rows = scans.map((scan) => [
      ...scan.slice(0, 13),
      agentOf(scan[13]),
      scan[14],
      firsts.has(scan[0]) ? 1 : 0,
    ])
    const written = new Set((await this.#upsert(UPSERTS.scans, rows)).map((row) => row.id))
    // A scan that comes twice in one set is one row: taking its id out counts it once.
    const fresh = written.size === scans.length ? scans : scans.filter(([id]) => written.delete(id))
    const { counts, facets } = rollUp(fresh, (id) => firsts.has(id))
    await this.#upsert(UPSERTS.counts, counts)
    await this.#upsert(UPSERTS.facets, facets)
    return { agents, visitors }
  }

  async #writeAgents(scans: Scan[]): Promise<Map<string, number>> {
    const added = new Map<string, number>()
    for (const scan of scans) {
      const text = scan[13]
      if (!this.#agents.has(text) && !added.has(text)) added.set(text, agentId(text))
    }
    const rows = [...added].map(([text, id]): Value[] => [id, text])
    await this.#upsert(UPSERTS.agents, rows.sort(byFirst))
    return added
  }

  /** Which of these scans are a person's first at the code on that UTC day: the database decides. */
  async #writeVisitors(scans: Scan[]) {
    const candidates = new Map<string, { row: Value[]; scanId: string }>()
    for (const [id, codeId, at, scanClass, , , , , , , , , , , visitor] of scans) {
      if (scanClass !== 'person' || visitor === null) continue
      const day = utcDay(at)
      const key = `${day}\n${codeId}\n${visitor}`
      if (this.#visitors.has(key) || candidates.has(key)) continue
      candidates.set(key, { row: [day, codeId, visitor], scanId: id })
    }
    const keys = [...candidates.keys()].sort()
    const rows = keys.map((key) => (candidates.get(key) as { row: Value[] }).row)
    const added = await this.#upsert(UPSERTS.visitors, rows)
    const firsts = new Set(
      added.map((row) => candidates.get(`${row.day}\n${row.code_id}\n${row.visitor}`)?.scanId),
    )
    return { firsts, visitors: keys }
  }

  #remember({ agents, visitors }: { agents: Map<string, number>; visitors: string[] }) {
    if (this.#agents.size > AGENTS_KEPT) this.#agents.clear()
    for (const [text, id] of agents) this.#agents.set(text, id)
    if (this.#visitors.size > VISITORS_KEPT) this.#visitors.clear()
    for (const key of visitors) this.#visitors.add(key)
  }

  async #upsert(upsert: Upsert, rows: Value[][]): Promise<Row[]> {
    const returned: Row[] = []
    let done = 0
    while (done < rows.length) {
      const count = CHUNKS.find((size) => size <= rows.length - done) ?? 1
      const parameters = rows.slice(done, done + count).flat()
      const answer = this.#connection.run(this.#statement(upsert, count), parameters)
      returned.push(...(answer instanceof Promise ? await answer : answer))
      done += count
    }
    return returned
  }

  #statement({ table, columns, conflict }: Upsert, rows: number): string {
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

function byFirst(a: Value[], b: Value[]): number {
  return Number(a[0]) - Number(b[0])
}
