import type { WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import type { LocalDay } from '../../dates.ts'
import { PastDaysCache } from './past-days-cache.ts'
import { scansByPeriods } from './rollups.ts'
import type { Sum } from './tallies.ts'

const ROW_BYTES = 200
const NUMBER_BYTES = 8

/** Scans by code: a number for each day. */
class DailySums extends Map<string, number[]> implements Sum<DailySums> {
  addAll(other: DailySums) {
    for (const [id, scans] of other) {
      const sums = this.get(id)
      this.set(id, sums ? sums.map((sum, day) => sum + (scans[day] ?? 0)) : scans)
    }
  }

  get bytes(): number {
    const [days = 0] = [...this.values()].map(({ length }) => length)
    return ROW_BYTES + this.size * (ROW_BYTES + NUMBER_BYTES * days)
  }
}

/**
 * Persons' scans by code and local day. Of 500 codes with a million scans the rollups of a month take
 * 40 ms to sum, so the days that are over are kept.
 */
export function dailyBreakdowns(reads: Db) {
  const pastDays = new PastDaysCache(reads)
  /** @param days one after the other, in this zone */
  return async (workspaceId: WorkspaceId, codeIds: string[], zone: string, days: LocalDay[]) => {
    const [from, to] = [days[0]?.from ?? 0, days.at(-1)?.to ?? 0]
    const counts = await pastDays.count(
      { workspaceId, codeIds, from, to, kind: 'people', filters: {}, firstCompleteDay: 0 },
      `days ${zone}`,
      async (period) => {
        const parts = days.map((day) => ({
          from: Math.max(day.from, period.from),
          to: Math.min(day.to, period.to),
        }))
        return new DailySums(await scansByPeriods(reads, codeIds, parts))
      },
    )
    return counts ?? new DailySums()
  }
}

/** A code as the breakdown by days names it */
export type Series = { id: string; name: string }

const ID_SHOWN = 8

/**
 * The key of each code's series: its name. If two codes share the name, or the name is that of the
 * date's column, the start of the id follows. A name that looks like such a key gets it too.
 */
export function seriesKeys(codes: Series[]): Map<string, string> {
  const uses = new Map<string, number>([['date', 2]])
  for (const { name } of codes) uses.set(name, (uses.get(name) ?? 0) + 1)
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  const isUnique = ({ name }: Series) => uses.get(name) === 1
  for (const { id, name } of codes.filter((code) => !isUnique(code))) {
    const key = `${name} (#${id.slice(0, ID_SHOWN)})`
    keys.set(id, key)
    taken.add(key)
  }
  for (const { id, name } of codes.filter(isUnique)) {
    keys.set(id, taken.has(name) ? `${name} (#${id.slice(0, ID_SHOWN)})` : name)
  }
  return keys
}

/**
 * The row of a day as JSON. A row of 500 codes is soon a text, but long an object; and in a text each key
 * is one like any other, `__proto__` too.
 */
export function breakdownRow(
  codes: Series[],
  counts: ReadonlyMap<string, number[]>,
): (day: LocalDay, index: number) => string {
  const keys = seriesKeys(codes)
  const series = codes.map(({ id }) => ({
    key: `,${JSON.stringify(keys.get(id) ?? id)}:`,
    scans: counts.get(id),
  }))
  return ({ date }, day) => {
    const cells = series.map(({ key, scans }) => `${key}${scans?.[day] ?? 0}`)
    return `{"date":"${date}"${cells.join('')}}`
  }
}
