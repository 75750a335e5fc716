import type { LocalDay } from '../../dates.ts'

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
