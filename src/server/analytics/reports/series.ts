import type { BreakdownRow } from '#contract/analytics.ts'
import type { LocalDay } from './days.ts'

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

/** Persons' scans of one code on the day with this index. */
export type DayCount = { codeId: string; day: number; scans: number }

/** A row for each day, even without a scan. Each key is an own property, `__proto__` too. */
export function breakdownRows(
  days: LocalDay[],
  codes: Series[],
  counts: DayCount[],
): BreakdownRow[] {
  const keys = seriesKeys(codes)
  const scans = new Map(counts.map((row) => [`${row.codeId} ${row.day}`, row.scans]))
  return days.map(({ date }, day) => {
    const cells = codes.map(({ id }): [string, number] => [
      keys.get(id) ?? id,
      scans.get(`${id} ${day}`) ?? 0,
    ])
    return Object.fromEntries<string | number>([['date', date], ...cells]) as BreakdownRow
  })
}
