import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import type { Db } from '../../../database/schema.ts'
import { QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { packsState } from '../packs/packs-store.ts'
import type { Period, Selection } from '../scans-store.ts'
import type { Sum } from './tallies.ts'

const CACHE_BYTES = 16 * 1024 * 1024
/** A repair of rollups changes no version. */
const KEPT_MS = 10 * MINUTE_MS

/**
 * Keeps what was counted in days that are over. All their scans are packed, so the packs' rows and
 * versions tell whether one has come or gone since. A long range then costs little more than today.
 */
export function pastDaysCache(db: Db) {
  const kept = new LRUCache<string, { readonly bytes: number }>({
    maxSize: CACHE_BYTES,
    ttl: KEPT_MS,
    ttlAutopurge: false,
    sizeCalculation: ({ bytes }) => bytes,
  })

  /**
   * Counts a selection in two parts: the days that are over, and the rest. The sum is shared with later
   * callers: never change it.
   * @param what names what `countPart` counts
   * @returns undefined if `countPart` does
   */
  async function count<Counted extends Sum<Counted>>(
    scans: Selection,
    what: string,
    countPart: (period: Period) => Promise<Counted | undefined>,
  ): Promise<Counted | undefined> {
    const { from, to } = scans
    const { edge, version } = await stateOf(scans.workspaceId)
    const end = Math.min(edge, to)
    if (end <= from) return countPart({ from, to })
    const key = keyOf(scans, `${version} ${what} ${from} ${end}`)
    const known = kept.get(key) as Counted | undefined
    const past = known ?? (await countPart({ from, to: end }))
    if (!past) return undefined
    if (!known) kept.set(key, past)
    if (end === to) return past
    const rest = await countPart({ from: end, to })
    rest?.addAll(past)
    return rest
  }

  /** The quarter-hour before which all scans are packed, and a text that changes with them. */
  async function stateOf(workspaceId: WorkspaceId): Promise<{ edge: number; version: string }> {
    const { until } = await packsState(db)
    const day = utcDay(until)
    const { rows } = await sql<{ packs: number; rows: number | null; version: number | null }>`
      select count(*) as packs, sum(rows) as rows, max(version) as version
      from scan_packs where workspace_id = ${workspaceId} and day < ${day}`.execute(db)
    return { edge: day * QUARTERS_A_DAY, version: Object.values(rows[0] ?? {}).join(' ') }
  }

  return count
}

function keyOf({ from: _, to: __, ...asked }: Selection, rest: string) {
  const parts = [asked, rest]
  return hash('sha256', JSON.stringify(parts), 'base64')
}
