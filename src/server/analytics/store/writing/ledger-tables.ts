import type { Tables } from '../../../database/schema.ts'
import type { FoldScan } from './fold-scan.ts'

/**
 * A place in a journal, `offset` in bytes from the segment's beginning: the end of what was written or
 * read.
 */
export type Position = { segment: number; offset: number }

export type AgentRow = Pick<Tables['agents'], 'id' | 'text'>

export type CodeDay = { codeId: string; day: number }

/**
 * Asked at a transaction's beginning, and true until its end: the first UTC day that no totals of codes
 * hold (ledger/totals.ts), and the instant before which all scans are in packs (packs/packs-state.ts).
 */
export type FoldMarks = { totalsDay: number; packedUntil: number }

/** SQLite answers at once, PostgreSQL later. */
export type Later<T> = T | Promise<T>

/**
 * One engine's statements for folding, on a connection of its own. Rows come in the order of their
 * keys. After an error nothing is known of the connection but that `rollback` and `close` are safe.
 */
export interface LedgerTables {
  begin(): Later<FoldMarks>
  commit(): Later<void>
  rollback(): Later<void>
  /** From here on `undo` takes back what the transaction did. */
  mark(): Later<void>
  undo(): Later<void>

  positionOf(journal: string): Later<Position | undefined>
  /** Notes where a journal begins, unless it has a position. */
  addJournal(journal: string, position: Position, now: number): Later<void>
  /** Returns whether the journal stood at `from`. */
  moveJournal(journal: string, from: Position, to: Position, now: number): Later<boolean>
  removeJournal(journal: string): Later<void>

  /** Takes away a code's mark if its totals hold that day. */
  leaveTotals(codeId: string, day: number): Later<void>

  /** Whose these codes are, without those that nobody has any more. */
  ownersOf(codeIds: string[]): Later<ReadonlyMap<string, string>>
  addPacks(rows: Omit<Tables['scan_packs'], 'sums' | 'code_sums'>[]): Later<void>
  /** Parts of packs from this UTC day on may have to be joined again. */
  leaveJoined(day: number): Later<void>

  countAgents(): Later<number>
  /** Returns how many were new, or unused until now. */
  addAgents(rows: AgentRow[]): Later<number>
  agentsAmong(ids: number[]): Later<number[]>
  /** Returns the scans whose visitor was new at the code on that day. */
  addVisitors(scans: FoldScan[]): Later<FoldScan[]>
  idsAmong(ids: string[]): Later<string[]>
  /** Returns how many were new. `hasAgent` says whether an id is in the table of agents. */
  addScans(
    scans: FoldScan[],
    firsts: ReadonlySet<FoldScan>,
    hasAgent: (id: number) => boolean,
  ): Later<number>
  addCounts(rows: Tables['scan_counts'][]): Later<void>
  /** How many rows of facets each of these days has. */
  countFacets(days: CodeDay[]): Later<number[]>
  facetsOf(day: CodeDay): Later<Pick<Tables['scan_facets'], 'facet' | 'value'>[]>
  addFacets(rows: Tables['scan_facets'][]): Later<void>

  close(): void
}
