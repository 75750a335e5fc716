import type { WorkspaceId } from '../../../database/ids.ts'
import type { Tables } from '../../../database/schema.ts'
import { STILL_UNTIL } from '../../../database/service-marks.ts'
import type { FoldScan } from '../fold-scan.ts'
import { JOINED, PACKED, PURGES, TOTALS_MARK } from '../ledger/marks.ts'
import type { Position, Stretch } from '../scans-store.ts'

export type AgentRow = Pick<Tables['agents'], 'id' | 'text'>

export type CodeDay = { codeId: string; day: number }

/** Besides the scans themselves. An agent may have no place in its table. */
export type ScanFacts = {
  firsts: ReadonlySet<FoldScan>
  hasAgent: (id: number) => boolean
  workspaceOf: (codeId: string) => WorkspaceId | null
}

/**
 * Read at a transaction's beginning, and true until its end: the first UTC day that no totals of codes
 * hold (ledger/totals.ts), the instant before which all scans are in packs (packs/packs-store.ts), the one
 * before which nothing may be written (database/service-marks.ts), and how often codes were purged.
 */
export type FoldMarks = {
  totalsDay: number
  packedUntil: number
  stillUntil: number
  purges: number
}

export const ASK_MARKS = `select
  coalesce((select at from ledger_marks where name = '${TOTALS_MARK}'), 0) as "totalsDay",
  coalesce((select at from ledger_marks where name = '${PACKED}'), 0) as "packedUntil",
  coalesce((select at from ledger_marks where name = '${PURGES}'), 0) as "purges",
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

/**
 * One engine's statements for folding, on a connection of its own. Rows come in the order of their
 * keys. After an error nothing is known of the connection but that `rollback` and `close` are safe.
 */
export abstract class LedgerTables {
  /** Runs a statement with a `?` for each cell, and returns how many rows it changed. */
  protected abstract run(sql: string, ...cells: Cell[]): Awaitable<number>
  protected abstract rows<Row>(sql: string, ...cells: Cell[]): Awaitable<Row[]>
  /** A table `asked` of the texts in a cell that `list` makes */
  protected abstract readonly asked: string
  protected abstract list(texts: string[]): Cell

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
  async positionOf(journal: string, beginning: Position, now: number): Promise<Position> {
    const sql = `insert into journals values (?, ?, ?, ?)
      on conflict (id) do update set at = journals.at returning segment, "offset"`
    const { segment, offset } = beginning
    const [row] = await this.rows<Position>(sql, journal, segment, offset, now)
    return row ?? beginning
  }

  /** Returns whether the journal stood at `from`. */
  async moveJournal({ journal, from, to }: Stretch, now: number): Promise<boolean> {
    const sql = `update journals set segment = ?, "offset" = ?, at = ?
      where id = ? and segment = ? and "offset" = ?`
    const cells = [to.segment, to.offset, now, journal, from.segment, from.offset]
    return (await this.run(sql, ...cells)) === 1
  }

  async removeJournal(journal: string): Promise<void> {
    await this.run('delete from journals where id = ?', journal)
  }

  /** The accounts of these codes, without the purged ones; null for a code that was never there. */
  async workspacesOf(codeIds: string[]): Promise<Map<string, WorkspaceId | null>> {
    const sql = `select asked.value as id, codes.workspace_id as workspace
      from ${this.asked} left join codes on codes.id = asked.value
      where not exists (select 1 from forgotten_codes where code_id = asked.value)`
    const rows = await this.rows<{ id: string; workspace: WorkspaceId | null }>(
      sql,
      this.list(codeIds),
    )
    return new Map(rows.map(({ id, workspace }) => [id, workspace]))
  }

  async idsAmong(ids: string[]): Promise<string[]> {
    const sql = `select id from scans where id in (select asked.value from ${this.asked})`
    return (await this.rows<{ id: string }>(sql, this.list(ids))).map(({ id }) => id)
  }

  async agentsAmong(ids: number[]): Promise<number[]> {
    const sql = `select id from agents
      where id in (select cast(asked.value as bigint) from ${this.asked})`
    const rows = await this.rows<AgentRow>(sql, this.list(ids.map(String)))
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
    const [row] = await this.rows<{ agents: number }>('select count(*) as agents from agents')
    return Number(row?.agents)
  }

  async facetsOf({
    codeId,
    day,
  }: CodeDay): Promise<Pick<Tables['scan_facets'], 'facet' | 'value'>[]> {
    return this.rows(
      'select facet, value from scan_facets where code_id = ? and day = ?',
      codeId,
      day,
    )
  }

  /** Returns how many were new, or unused until now. */
  abstract addAgents(rows: AgentRow[]): Awaitable<number>
  /** Returns the scans whose visitor was new at the code on that day. */
  abstract addVisitors(scans: FoldScan[]): Awaitable<FoldScan[]>
  /** Returns how many were new. */
  abstract addScans(scans: FoldScan[], facts: ScanFacts): Awaitable<number>
  abstract addCounts(rows: Tables['scan_counts'][]): Awaitable<unknown>
  /** How many rows of facets each of these days has. */
  abstract countFacets(days: CodeDay[]): Awaitable<number[]>
  abstract addFacets(rows: Tables['scan_facets'][]): Awaitable<unknown>
}
