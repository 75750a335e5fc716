import type { WorkspaceId } from '../../../database/ids.ts'
import type { Tables } from '../../../database/schema.ts'
import { STILL_UNTIL } from '../../../database/service-marks.ts'
import { JOINED, PACKED, PURGES, TOTALS_MARK } from '../../store/ledger/marks.ts'
import type { Position } from '../journal/layout.ts'
import type { FoldScan } from './fold-scan.ts'

export type AgentRow = Pick<Tables['agents'], 'id' | 'text'>

export type CodeDay = { codeId: string; day: number }

/** Which part of a journal a batch is. */
export type Stretch = { journal: string; from: Position; to: Position }

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

  async positionOf(journal: string): Promise<Position | undefined> {
    const sql = 'select segment, "offset" from journals where id = ?'
    return (await this.rows<Position>(sql, journal))[0]
  }

  /** Notes where a journal begins, unless it has a position. */
  async addJournal(journal: string, { segment, offset }: Position, now: number): Promise<void> {
    const sql = 'insert into journals values (?, ?, ?, ?) on conflict do nothing'
    await this.run(sql, journal, segment, offset, now)
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

  /** Those of these codes that are purged. */
  abstract purgedAmong(codeIds: string[]): Awaitable<string[]>
  /** The owners of the codes that are not purged. */
  abstract ownersOf(codeIds: string[]): Awaitable<ReadonlyMap<string, WorkspaceId>>
  abstract addPacks(rows: Omit<Tables['scan_packs'], 'sums' | 'code_sums'>[]): Awaitable<unknown>
  /** Returns how many were new, or unused until now. */
  abstract addAgents(rows: AgentRow[]): Awaitable<number>
  abstract agentsAmong(ids: number[]): Awaitable<number[]>
  /** Returns the scans whose visitor was new at the code on that day. */
  abstract addVisitors(scans: FoldScan[]): Awaitable<FoldScan[]>
  abstract idsAmong(ids: string[]): Awaitable<string[]>
  /** Returns how many were new. `hasAgent` says whether an id is in the table of agents. */
  abstract addScans(
    scans: FoldScan[],
    firsts: ReadonlySet<FoldScan>,
    hasAgent: (id: number) => boolean,
  ): Awaitable<number>
  abstract addCounts(rows: Tables['scan_counts'][]): Awaitable<unknown>
  /** How many rows of facets each of these days has. */
  abstract countFacets(days: CodeDay[]): Awaitable<number[]>
  abstract addFacets(rows: Tables['scan_facets'][]): Awaitable<unknown>
}
