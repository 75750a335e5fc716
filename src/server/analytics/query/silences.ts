import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { QUARTERS_A_DAY, utcDay, weekdayOf } from '../../dates.ts'
import type { ScansStore } from '../store/scans-store.ts'

const WEEKS = 8
const SILENT_DAYS_MIN = 14
const QUIETEST_MIN = 3
const EXPECTED = 10
const DECLINE = 0.6

/**
 * After how many days without a scan a code has fallen silent; undefined if it was not scanned steadily. At the pace
 * of its quietest week, 10 scans would have come in that time: by Poisson, none comes once in 22,000 times. The
 * quietest week, not the mean, because scans come in bunches, and a burst must not raise the pace. At least 14 days,
 * so that each weekday is missed twice: weekends and a week of holidays count for nothing. Steady means three scans
 * in every week, so that campaigns, rare codes and new ones are out, and no decline by more than 40% from the first
 * four weeks to the last four, so that the end of a season is out.
 * @param weeks persons' scans in the eight whole weeks before the one with the last scan, oldest first
 */
export function silentAfter(weeks: readonly number[]): number | undefined {
  const quietest = Math.min(...weeks)
  const sum = (some: readonly number[]) => some.reduce((all, scans) => all + scans, 0)
  const [early, late] = [sum(weeks.slice(0, WEEKS / 2)), sum(weeks.slice(WEEKS / 2))]
  if (quietest < QUIETEST_MIN || late < DECLINE * early) return undefined
  return Math.max(SILENT_DAYS_MIN, Math.ceil((7 * EXPECTED) / quietest))
}

/** A silence since a scan at an instant in epoch milliseconds, and the UTC day from which on it shows */
type Silence = { lastScan: number; showsFrom: number }

/** The codes among these that have fallen silent, by id */
export type SilencesOf = (workspaceId: WorkspaceId, ids: string[]) => Promise<Map<string, Silence>>

export type SilencesDeps = {
  scans: Pick<ScansStore, 'of'>
  clock: Clock
  /** The codes of an account that work now */
  activeIds: (workspaceId: WorkspaceId) => Promise<string[]>
  /** When codes that did not work for a while worked again, in epoch milliseconds */
  workAgainSince: (workspaceId: WorkspaceId) => Promise<ReadonlyMap<string, number>>
}

const ACCOUNTS_KEPT = 200

/** Looks for silences once a UTC day an account. Later on that day it only looks whether they have ended. */
export function silences({ scans, clock, ...deps }: SilencesDeps): SilencesOf {
  const today = () => utcDay(clock().getTime())
  const found = new LRUCache<string, Map<string, Silence>, WorkspaceId>({
    max: ACCOUNTS_KEPT,
    fetchMethod: (_key, _stale, { context }) => find(context),
  })

  async function find(workspaceId: WorkspaceId) {
    const own = scans.of(workspaceId)
    const known = new Map<string, Silence>()
    const quiet = [...(await own.scansByCode(await deps.activeIds(workspaceId)))].filter(
      ([, { lastScan }]) => utcDay(lastScan) + SILENT_DAYS_MIN < today(),
    )
    const since = await deps.workAgainSince(workspaceId)
    for (const [monday, codes] of Map.groupBy(quiet, ([, { lastScan }]) => mondayOf(lastScan))) {
      const ids = codes.map(([id]) => id)
      const sums = await own.sumsByCode(ids, weeksBefore(monday))
      for (const [id, { lastScan }] of codes) {
        const days = silentAfter(sums.get(id) ?? [0])
        const begun = utcDay(Math.max(lastScan, since.get(id) ?? 0))
        const showsFrom = begun + 1 + (days ?? Number.POSITIVE_INFINITY)
        if (showsFrom <= today()) known.set(id, { lastScan, showsFrom })
      }
    }
    return known
  }

  return async (workspaceId, ids) => {
    const known = await found.fetch(`${today()} ${workspaceId}`, { context: workspaceId })
    const asked = new Set(ids.filter((id) => known?.has(id)))
    if (!known || asked.size === 0) return new Map()
    const active = (await deps.activeIds(workspaceId)).filter((id) => asked.has(id))
    const last = await scans.of(workspaceId).scansByCode(active)
    return new Map([...known].filter(([id, { lastScan }]) => last.get(id)?.lastScan === lastScan))
  }
}

const mondayOf = (at: number) => utcDay(at) - weekdayOf(utcDay(at))

const weeksBefore = (monday: number) =>
  Array.from({ length: WEEKS }, (_, week) => {
    const from = (monday - 7 * (WEEKS - week)) * QUARTERS_A_DAY
    return { from, to: from + 7 * QUARTERS_A_DAY }
  })
