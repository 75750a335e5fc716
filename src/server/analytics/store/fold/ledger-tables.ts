import type { WorkspaceId } from '../../../database/ids.ts'
import type { Tables } from '../../../database/schema.ts'
import { STILL_UNTIL } from '../../../database/service-marks.ts'
import { utcDay } from '../../../dates.ts'
import type { FoldScan } from '../fold-scan.ts'
import { GENERATION, JOINED, PACKED, PURGES, TOTALS_MARK } from '../ledger/marks.ts'
import { textNames } from '../scan.ts'
import type { Begun, Position, Stretch } from '../scans-store.ts'

const NO_END = { until_segment: null, until_offset: null }

export type AgentRow = Pick<Tables['agents'], 'id' | 'text'>
export type CodeDay = { codeId: string; day: number }
type Visitor = Tables['visitors']
export type NamedFacet = Pick<Tables['scan_facets'], 'facet' | 'value'>

/** Columns of rows, each with its type. */
export type Columns = Record<string, 'text' | 'int' | 'bigint'>

const VALUES = { value: 'text' } as const
const AGENTS = { id: 'bigint', text: 'text' } as const
const VISITORS = { day: 'int', code_id: 'text', visitor: 'text' } as const
const COUNTS = {
  code_id: 'text',
  quarter: 'int',
  persons: 'bigint',
  firsts: 'bigint',
  others: 'bigint',
} as const
const FACETS = {
  code_id: 'text',
  day: 'int',
  facet: 'text',
  value: 'text',
  persons: 'bigint',
} as const
const OWN = {
  id: 'text',
  code_id: 'text',
  at: 'bigint',
  visitor: 'text',
  first: 'int',
  workspace_id: 'text',
} as const
export const SCANS = { ...OWN, kind: 'int' } as const
export const ATTRIBUTES: Columns = {
  ...Object.fromEntries(textNames.map((name) => [name, 'text'])),
  agent: 'bigint',
}
export const KINDS: Columns = { ...ATTRIBUTES, no: 'int' }

/** Besides the scans themselves. An agent may have no place in its table. */
export type ScanFacts = {
  firsts: ReadonlySet<FoldScan>
  hasAgent: (id: number) => boolean
  workspaceOf: (codeId: string) => WorkspaceId | null
}

/**
 * Read at a transaction's beginning, and true until its end: the first UTC day that no totals of codes
 * hold (ledger/totals.ts), the instant before which all scans are in packs (packs/packs-store.ts), the one
 * before which nothing may be written (database/service-marks.ts), how often codes were purged, and
 * which generation of inserts elsewhere this is (clickhouse/inbox.ts).
 */
export type FoldMarks = {
  totalsDay: number
  packedUntil: number
  stillUntil: number
  purges: number
  generation: number
}

export const ASK_MARKS = `select
  coalesce((select at from ledger_marks where name = '${TOTALS_MARK}'), 0) as "totalsDay",
  coalesce((select at from ledger_marks where name = '${PACKED}'), 0) as "packedUntil",
  coalesce((select at from ledger_marks where name = '${PURGES}'), 0) as "purges",
  coalesce((select at from ledger_marks where name = '${GENERATION}'), 0) as "generation",
  (${STILL_UNTIL}) as "stillUntil"`

/** Adds a row's numbers to those of the row that is there. */
export const ADD_TO_COUNTS = `on conflict (code_id, quarter) do update
  set persons = scan_counts.persons + excluded.persons,
    firsts = scan_counts.firsts + excluded.firsts, others = scan_counts.others + excluded.others`
export const ADD_TO_FACETS = `on conflict (code_id, day, facet, value)
  do update set persons = scan_facets.persons + excluded.persons`
export const USE_AGENT_AGAIN = `on conflict (id) do update
  set unused_since = null where agents.unused_since is not null`

/** SQLite answers at once, PostgreSQL later. */
export type Awaitable<T> = T | Promise<T>

export type Cell = string | number | Uint8Array | null | (string | null)[]

/** How many rows a statement changed, or those that it returned. */
export type Done<Row> = { changes: number; rows: Row[] }

/**
 * One engine's statements for folding, on a connection of its own. Rows come in the order of their
 * keys. After an error nothing is known of the connection but that `rollback` and `close` are safe.
 */
export abstract class LedgerTables {
  /** Runs a statement with a `?` for each cell. */
  protected abstract run<Row>(sql: string, ...cells: Cell[]): Awaitable<Done<Row>>
  /** A table of rows, in the cells that `cellsOf` makes of them: a statement is the same for any number. */
  protected abstract table(columns: Columns): string
  protected abstract cellsOf(columns: Columns, rows: readonly object[]): Cell[]
  /** Runs the statement that `sqlOf` makes of a table of many rows, in one or in several parts. */
  protected abstract each(
    columns: Columns,
    rows: readonly object[],
    sqlOf: (table: string) => string,
  ): Awaitable<Done<unknown>>
  protected abstract insertScans(rows: object[], kinds: object[]): Awaitable<number>

  abstract begin(): Awaitable<FoldMarks>
  abstract rollback(): Awaitable<void>
  abstract close(): void

  async commit(): Promise<void> {
    await this.run('commit')
  }

  /** From here on `undo` takes back what the transaction did. */
  async mark(): Promise<void> {
    await this.run('savepoint part')
  }

  async undo(): Promise<void> {
    await this.run('rollback to part')
  }

  /** Up to where a journal is folded. Notes that it begins at `beginning`, unless it has a position. */
  async positionOf(journal: string, beginning: Position, now: number): Promise<Begun> {
    const sql = `insert into journals (id, segment, "offset", at) values (?, ?, ?, ?)
      on conflict (id) do update set at = journals.at
      returning segment, "offset", until_segment, until_offset`
    const cells = [journal, beginning.segment, beginning.offset, now]
    const { rows } = await this.run<Omit<Tables['journals'], 'id' | 'at'>>(sql, ...cells)
    const { until_segment, until_offset, ...position } = rows[0] ?? { ...beginning, ...NO_END }
    if (until_segment === null || until_offset === null) return position
    // A version that knows no ends has moved the journal.
    const { segment, offset } = position
    if (until_segment < segment || (until_segment === segment && until_offset <= offset)) {
      return position
    }
    return { ...position, until: { segment: until_segment, offset: until_offset } }
  }

  /** Returns whether the journal stood at `from`. */
  async moveJournal({ journal, from, to }: Stretch, now: number): Promise<boolean> {
    const sql = `update journals
      set segment = ?, "offset" = ?, at = ?, until_segment = null, until_offset = null
      where id = ? and segment = ? and "offset" = ?`
    const cells = [to.segment, to.offset, now, journal, from.segment, from.offset]
    return (await this.run(sql, ...cells)).changes === 1
  }

  /**
   * Notes up to where a journal is about to be inserted elsewhere, before it moves. Returns whether it stands at
   * `from`, and is not about to be inserted up to another place.
   */
  async noteEnd({ journal, from, to }: Stretch): Promise<boolean> {
    const sql = `update journals set until_segment = ?, until_offset = ?
      where id = ? and segment = ? and "offset" = ?
        and (until_segment is null or until_segment = ? and until_offset = ?)`
    const end = [to.segment, to.offset]
    return (await this.run(sql, ...end, journal, from.segment, from.offset, ...end)).changes === 1
  }

  async removeJournal(journal: string): Promise<void> {
    await this.run('delete from journals where id = ?', journal)
  }

  /** The accounts of these codes, without the purged ones; null for a code that was never there. */
  async workspacesOf(codeIds: string[]): Promise<Map<string, WorkspaceId | null>> {
    const sql = `select value as id, codes.workspace_id as workspace
      from ${this.table(VALUES)} asked left join codes on codes.id = value
      where not exists (select 1 from forgotten_codes where code_id = value)`
    const { rows } = await this.run<{ id: string; workspace: WorkspaceId | null }>(
      sql,
      ...this.cellsOf(VALUES, valuesOf(codeIds)),
    )
    return new Map(rows.map(({ id, workspace }) => [id, workspace]))
  }

  async idsAmong(ids: string[]): Promise<string[]> {
    const sql = `select id from scans where id in (select value from ${this.table(VALUES)} asked)`
    const { rows } = await this.run<{ id: string }>(sql, ...this.cellsOf(VALUES, valuesOf(ids)))
    return rows.map(({ id }) => id)
  }

  async agentsAmong(ids: number[]): Promise<number[]> {
    const asked = ids.map((id) => ({ id, text: '' }))
    const sql = `select id from agents where id in (select asked.id from ${this.table(AGENTS)} asked)`
    const { rows } = await this.run<AgentRow>(sql, ...this.cellsOf(AGENTS, asked))
    return rows.map(({ id }) => Number(id))
  }

  async addPacks(rows: Omit<Tables['scan_packs'], 'sums' | 'code_sums'>[]): Promise<void> {
    const sql = `insert into scan_packs (workspace_id, day, part, version, rows, data)
      values (?, ?, ?, ?, ?, ?)`
    for (const { workspace_id, day, part, version, rows: scans, data } of rows) {
      await this.run(sql, workspace_id, day, part, version, scans, data)
    }
  }

  /** Takes away a code's mark if its totals hold that day. */
  async leaveTotals(codeId: string, day: number): Promise<void> {
    await this.run('delete from totalled_codes where code_id = ? and until > ?', codeId, day)
  }

  /** Parts of packs from this UTC day on may have to be joined again. */
  async leaveJoined(day: number): Promise<void> {
    const sql = `update ledger_marks set at = ? where name = '${JOINED}' and at > ?`
    await this.run(sql, day, day)
  }

  async countAgents(): Promise<number> {
    const { rows } = await this.run<{ agents: number }>('select count(*) as agents from agents')
    return Number(rows[0]?.agents)
  }

  async facetsOf({ codeId, day }: CodeDay): Promise<NamedFacet[]> {
    const sql = 'select facet, value from scan_facets where code_id = ? and day = ?'
    return (await this.run<NamedFacet>(sql, codeId, day)).rows
  }

  /** Returns how many were new, or unused until now. */
  async addAgents(rows: AgentRow[]): Promise<number> {
    return (await this.#add('agents', AGENTS, rows, USE_AGENT_AGAIN)).changes
  }

  /** Returns the scans whose visitor was new at the code on that day. */
  async addVisitors(scans: FoldScan[]): Promise<FoldScan[]> {
    const rowOf = ({ at, codeId, visitor }: FoldScan) => ({
      day: utcDay(at),
      code_id: codeId,
      visitor: visitor ?? '',
    })
    const keyOf = ({ day, code_id, visitor }: Visitor) => `${day}\n${code_id}\n${visitor}`
    const ending = 'on conflict do nothing returning day, code_id, visitor'
    const { rows } = await this.#add('visitors', VISITORS, scans.map(rowOf), ending)
    const keys = new Set((rows as Visitor[]).map(keyOf))
    return scans.filter((scan) => keys.has(keyOf(rowOf(scan))))
  }

  /** Returns how many were new. */
  addScans(scans: FoldScan[], { firsts, hasAgent, workspaceOf }: ScanFacts): Awaitable<number> {
    const rows = scans.map((scan) => ({
      id: scan.id,
      code_id: scan.codeId,
      at: scan.at,
      visitor: scan.visitor,
      first: firsts.has(scan) ? 1 : 0,
      workspace_id: workspaceOf(scan.codeId),
      kind: scan.kind.no,
    }))
    const kinds = [...new Set(scans.map(({ kind }) => kind))].map(
      ({ no, attributes, agentId }) => ({
        ...attributes,
        agent: hasAgent(agentId) ? agentId : null,
        no,
      }),
    )
    return this.insertScans(rows, kinds)
  }

  addCounts(rows: Tables['scan_counts'][]) {
    return this.#add('scan_counts', COUNTS, rows, ADD_TO_COUNTS)
  }

  addFacets(rows: Tables['scan_facets'][]) {
    return this.#add('scan_facets', FACETS, rows, ADD_TO_FACETS)
  }

  /** How many rows of facets each of these days has. */
  async countFacets(days: CodeDay[]): Promise<number[]> {
    const columns = { no: 'int', codeId: 'text', day: 'int' } as const
    const sql = `select (select count(*) from scan_facets
        where code_id = asked."codeId" and day = asked.day) as stored
      from ${this.table(columns)} asked order by no`
    const asked = days.map((day, no) => ({ no, ...day }))
    const { rows } = await this.run<{ stored: number }>(sql, ...this.cellsOf(columns, asked))
    return rows.map(({ stored }) => Number(stored))
  }

  #add(table: string, columns: Columns, rows: readonly object[], ending: string) {
    const into = `insert into ${table} (${quoted(columns)})`
    return this.each(
      columns,
      rows,
      (added) => `${into} select * from ${added} added where true ${ending}`,
    )
  }
}

/** Writes the scans of a table, each with what a table of their kinds has. */
export const insertionOfScans = (scans: string, kinds: string) => {
  const names = [...quoted(OWN), ...quoted(ATTRIBUTES)]
  return `insert into scans (${names}) select ${names} from ${scans} scan
    cross join ${kinds} kind where kind.no = scan.kind on conflict (id) do nothing`
}

/** The columns' names, none of which the engines take for a word of theirs. */
export const quoted = (columns: Columns) => Object.keys(columns).map((name) => `"${name}"`)

const valuesOf = (texts: string[]) => texts.map((value) => ({ value }))
