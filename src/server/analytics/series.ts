import type { BreakdownRow } from '#contract/analytics.ts'
import type { LocalDay } from './days.ts'

export type Series = { id: string; name: string }

const ID_SHOWN = 8

/**
 * The key of each code's series: its name, with the start of its id where two codes share the name
 * or the name is that of the date's column.
 */
export function seriesKeys(codes: Series[]): Map<string, string> {
  const uses = new Map<string, number>()
  for (const { name } of codes) uses.set(name, (uses.get(name) ?? 0) + 1)
  return new Map(
    codes.map(({ id, name }) => {
      const isPlain = uses.get(name) === 1 && name !== 'date'
      return [id, isPlain ? name : `${name} (#${id.slice(0, ID_SHOWN)})`]
    }),
  )
}

/** Persons' scans of one code on the day with this index. */
export type DayCount = { codeId: string; day: number; scans: number }

/** A row for each day, also those without a scan. Keys are own properties whatever a code is called. */
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
