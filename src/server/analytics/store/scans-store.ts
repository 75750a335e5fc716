import type { Facet } from '#contract/analytics/figure-values.ts'
import type { UtmFilters } from '#contract/analytics/utm.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Tx } from '../../database/schema.ts'
import { firstDayOfMonth, type LocalDay, type Offset, QUARTERS_A_DAY } from '../../dates.ts'
import type { Metric } from '../../http/metrics.ts'
import type { Job } from '../../jobs.ts'
import type { FoldScan } from './fold-scan.ts'
import type { Reading, Scan, ScanColumn } from './scan.ts'

/*
 * All that is asked about scans, and all that is done with them. What lies in the folders beside this file
 * is one way to store them: in tables of our database. Another one has these three faces too, each for
 * the threads that use it.
 *
 * Quarter-hours and UTC days count from 1970-01-01T00:00Z. Scans are of persons, if nothing else is said.
 */

/** A place in a journal: `offset` counts bytes from the segment's beginning. */
export type Position = { segment: number; offset: number }

/** A place in a journal; it is not known whether the scans from there up to `until` were added. */
export type Begun = Position & { until?: Position }

/** Which part of a journal a batch is. */
export type Stretch = { journal: string; from: Position; to: Position }

/** `known` scans were there already, or are of purged codes, which get no more. */
export type Folded = { fresh: number; known: number; refused: number }

/** Batches of up to `scansMax` scans with a pause after each, which is shorter while a reader waits. */
export type Batches = { scansMax: number; pauseMs: number; readerPauseMs: number }

/** The way in, for the folding thread. */
export interface ScansInbox {
  /** For a store to which a batch costs the same however large it is. Without it they fit into a short time. */
  readonly batches?: Batches
  /**
   * Up to where a journal is folded; one that is not known begins at `beginning`. The next batch is all up to `until`,
   * if there is one. @throws what the store says
   */
  begin(journal: string, beginning: Position): Promise<Begun>
  /**
   * Adds a batch, all or nothing, and moves its journal; one without a stretch moves none. 'moved' if the
   * journal does not stand where the stretch begins.
   * @throws what the store says. Then nothing is written; if the commit failed, all may be written.
   */
  add(scans: FoldScan[], stretch?: Stretch): Promise<Folded | 'moved'>
  /** Forgets a journal that is folded and will not come back. @throws what the store says */
  end(journal: string): Promise<void>
  close(): void
}

/** Quarter-hours from `from` up to but not including `to` */
export type Period = { from: number; to: number }

/** Whole months. No scan is before or after them: ids end a little later (scan-ids.ts). */
export const EVER: Period = { from: 0, to: firstDayOfMonth(12 * 5_000) * QUARTERS_A_DAY }

/** Scans before the UTC day `before` that noted no UTM parameters count if they are of these codes. */
export type WantedUtm = { filters: UtmFilters; before: number; codes: string[] }

/** The scans to count: of persons or of all others, and only those that every filter takes. */
export type Wanted = {
  kind: 'people' | 'bots'
  filters: Partial<Record<Facet, string>>
  utm?: WantedUtm | undefined
}

/** The scans that a query asks for. */
export type Selection = Wanted &
  Period & {
    workspaceId: WorkspaceId
    codeIds: string[]
    /** Only sums are left of the UTC days before it. */
    firstCompleteDay: number
  }

export type Question =
  /** Sums from each start up to the next one, in the range and in the period before */
  | { ask: 'points'; starts: number[]; before: number[] | undefined }
  | { ask: 'list'; facet: Facet }
  | { ask: 'week'; offsets: Offset[] }
  | { ask: 'classes' }
  | { ask: 'codes' }
  /** By UTM words; `from` is the mark of utmFrom */
  | { ask: 'utms'; from: number }

export type Sums = { scans: number; visitors: number }
export type ValueCount = { value: string; scans: number }

/** Values have most scans first; `unknown` scans have none, `others` have values that are not named. */
export type TopValues = { values: ValueCount[]; unknown: number; others: number; scans: number }

export type ClassCount = { class: string; rule: string; scans: number }
export type UtmCount = { id: string; word: string; scans: number }

export type Counted = {
  /** `before` is undefined if too little is kept of that period, or too much for a filter. */
  points: { sums: Sums[]; before: Sums[] | undefined; rules: number[] }
  list: TopValues
  /** Seven rows, Monday first, of 24 hours each */
  week: number[][]
  classes: ClassCount[]
  /** Scans by the ids of the codes that have some */
  codes: ReadonlyMap<string, number>
  /** Scans by code and word, and by code those that were before words were noted */
  utms: { met: UtmCount[]; older: ReadonlyMap<string, number> }
}

/** @returns undefined if it would have to read too many scans, or some that are gone */
export type Count = <Asked extends Question>(
  scans: Selection,
  question: Asked,
) => Promise<Counted[Asked['ask']] | undefined>

export type Numbers = Uint8Array | Uint16Array | Uint32Array
/** Values are distinct. `of` has for each scan the number of its value. */
export type TextColumn = { values: (string | null)[]; of: Numbers }

/**
 * Scans of one UTC day by columns. A column of texts is the list of its values and, for each scan, the
 * number of its value in that list: who filters by a value looks it up once and then compares small numbers.
 */
export type PackedScans = {
  day: number
  /** How many scans */
  size: number
  /** Since the day's beginning; they never go down. */
  seconds: Uint32Array
  /** 1 for a visitor's first scan of the code on this day */
  first: Uint8Array
  columns: { [Name in ScanColumn]: TextColumn }
}

/**
 * Scans of one UTC day: the rows from `begin` up to but not including `end`, of which those count whose
 * code `isAsked` has a 1 for. scan-rows.ts reads it. What a part has is shared with later readings: never
 * change it.
 */
export type ScanPart = { scans: PackedScans; begin: number; end: number; isAsked: Uint8Array }

/**
 * The scans of these codes of an account, from the instant `from` up to but not including `to`, in epoch
 * milliseconds. Parts know the second only, so both count from the second in which they are.
 */
export type AskedScans = {
  workspaceId: WorkspaceId
  codeIds: Iterable<string>
  from: number
  to: number
}

/** For the threads that count and list single scans. */
export interface ScansCounts {
  count: Count
  /**
   * Hands over each scan once, in parts of at most a UTC day each, the days in no certain order.
   * @returns up to which instant; undefined, and hands over none, if too many would have to be read, also of codes not asked for
   */
  rows(asked: AskedScans, take: (part: ScanPart) => void): Promise<number | undefined>
}

/** `lastScan` is the quarter-hour of the last one, in epoch milliseconds. */
export type CodeScans = { total: number; lastScan: number }

export type SeenScan = Pick<
  Scan,
  'id' | 'code_id' | 'at' | 'city' | 'country' | 'device' | 'os' | 'branch'
>

/** A scan of any kind, for those who follow all that come in. */
export type LedgerScan = SeenScan &
  Pick<Scan, 'region' | 'browser' | 'referrer' | 'language'> & { first: number; isPerson: boolean }

/** `workspaceId` is null if the account's scans go whole, so that nothing keeps its name. */
export type PurgedCode = { id: string; workspaceId: WorkspaceId | null }

/** Questions about the scans of an account's codes */
export interface AccountScans {
  /** The first quarter-hour in which one of these codes was scanned, by whomever, and the last one */
  first(codeIds: string[]): Promise<number | undefined>
  last(codeId: string): Promise<number | undefined>

  /** The scans of all these codes together in each period */
  sumsOf(codeIds: string[], periods: Period[]): Promise<number[]>
  /** The sums of these codes, without those that have no scan */
  scansByCode(codeIds: string[]): Promise<Map<string, CodeScans>>
  /** A number for each period, of each code that has scans in one of them; `firsts` are visitors: one counts once a UTC day */
  sumsByCode(
    codeIds: string[],
    periods: Period[],
    column?: 'persons' | 'firsts',
  ): Promise<Map<string, number[]>>
  /** The same for days in a zone, one after the other. Those that are over are remembered. */
  scansByDays(
    codeIds: string[],
    zone: string,
    days: LocalDay[],
  ): Promise<ReadonlyMap<string, number[]>>
  /** The UTC days of a code, oldest first, without those that have no scan */
  totalsByDay(codeId: string): Promise<{ date: string; scans: number }[]>
  /** The values with the most scans of a code, most first */
  topFacets(codeId: string, facet: Facet, limit: number): Promise<ValueCount[]>

  /** The newest scan of a code after an instant in epoch milliseconds */
  latest(codeId: string, after: number): Promise<SeenScan | undefined>
  /**
   * Scans of these codes since `from` by the minute, and the newest ones; `since` is where those that were looked
   * at begin. Both in epoch milliseconds
   */
  recent(
    codeIds: string[],
    from: number,
    wanted: Wanted,
  ): Promise<{ since: number; minutes: Map<number, number>; scans: SeenScan[] }>
  /** The UTC days of a period in which the account may have scans, in order; undefined if one has more than `rows` reads */
  daysWithScans(period: Period): Promise<number[] | undefined>
}

export interface ScansStore {
  /** The first UTC day of which single scans are left, and the first of which all have the UTM parameters that they met */
  completeness(): Promise<{ firstCompleteDay: number; utmFrom: number }>
  /** The instant of the newest scan, in epoch milliseconds */
  newest(): Promise<number | undefined>
  of(workspaceId: WorkspaceId): AccountScans
  /** Processes bring their scans in one after the other: after these milliseconds all have, unless the store was away. */
  readonly settledMs: number
  /** The next scans between two ids, of all codes, in the order of their ids */
  after(part: { after: string; until: string; limit: number }): Promise<LedgerScan[]>

  /**
   * Takes these codes' scans out of all that is counted. It comes in the transaction in which the codes go;
   * the scans follow later. @param codes at most 1,000
   */
  forget(tx: Tx, codes: PurgedCode[]): Promise<void>
  /** Removes what names an account whose codes are purged. It can be repeated. */
  forgetAccount(workspaceId: WorkspaceId): Promise<void>
  /** For GET /metrics, if it is a server of its own */
  metrics?: () => Metric[]
  /** Keeps the store in order, and single scans of this many whole months; undefined for ever */
  upkeep(retentionMonths: number | undefined): Job[]
  /**
   * Reads the scans again that were read by older rules than these, from the newest to the oldest, and mends
   * what is made of them. It may run beside the service.
   */
  reread(rules: Rules, options?: RereadOptions): Promise<Reread>
}

/** How rules read a stored agent again, and which version of them wrote a rule. */
export type Rules = {
  version: number
  versionOf: (rule: string) => number
  readAgain: (was: Reading, agent: string) => Reading
}

export type RereadOptions = {
  /** Changes nothing, and answers what would be changed. */
  isDry?: boolean
  /** Ends the run; numbers of the day in hand are then right. */
  signal?: AbortSignal | undefined
  onDay?: (progress: { day: number; daysDone: number; days: number; scans: number }) => void
}

export type Reread = {
  /** Scans by older rules that are by today's now */
  scans: number
  /** How many of them went from one class to another, by `bot → person`. */
  classes: Map<string, number>
  /** How many of them have another device, system or browser. */
  names: number
  /** Scans that stay as they are because their User-Agent is not stored */
  unread: number
  /** Scans that stay as they are because they are by later rules than these */
  later: number
  /** The first UTC day that was looked at */
  from: number
  /** Whether it was stopped before its end. */
  isStopped: boolean
}

export const newReread = (from: number): Reread => ({
  scans: 0,
  classes: new Map(),
  names: 0,
  unread: 0,
  later: 0,
  from,
  isStopped: false,
})
