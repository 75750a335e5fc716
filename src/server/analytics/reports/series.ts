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

/** Persons' scans of codes, by id: a number for each day. Codes without any may be missing. */
export type DailyCounts = Map<string, number[]>

/** A row for each day, even without a scan. Each key is an own property, `__proto__` too. */
export function breakdownRows(
  days: LocalDay[],
  codes: Series[],
  counts: DailyCounts,
): BreakdownRow[] {
  const keys = seriesKeys(codes)
  const series = codes.map(({ id }) => ({ key: keys.get(id) ?? id, scans: counts.get(id) }))
  return days.map(({ date }, day) => {
    const cells = series.map(({ key, scans }): [string, number] => [key, scans?.[day] ?? 0])
    return Object.fromEntries<string | number>([['date', date], ...cells]) as BreakdownRow
  })
}
