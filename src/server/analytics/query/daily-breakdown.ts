import type { LocalDay } from '../../dates.ts'

/** A code as the breakdown by days names it */
export type Series = { id: string; name: string }

const ID_SHOWN = 8

/**
 * The key of each code's series: its name. If two codes share the name, or the name is that of the
 * date's column, the start of the id follows. A name that looks like such a key gets it too.
 */
export function seriesKeys(codes: Series[]): Map<string, string> {
  const uses = Map.groupBy([{ name: 'date' }, { name: 'date' }, ...codes], ({ name }) => name)
  const isUnique = ({ name }: Series) => uses.get(name)?.length === 1
  const longKey = ({ id, name }: Series) => `${name} (#${id.slice(0, ID_SHOWN)})`
  const taken = new Set(codes.filter((code) => !isUnique(code)).map(longKey))
  const isShort = (code: Series) => isUnique(code) && !taken.has(code.name)
  return new Map(codes.map((code) => [code.id, isShort(code) ? code.name : longKey(code)]))
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
