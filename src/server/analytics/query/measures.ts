import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Db } from '../../database/schema.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import type { PackedScans } from '../store/packs/pack.ts'
import type { SumList, SumName } from '../store/packs/sums.ts'
import { addCounts, addFacets, isRolledUp, scansByPeriods } from './rollups.ts'
import { columnOf, facetValue } from './scan-rows.ts'
import type { Period, Selection, Wanted } from './selection.ts'
import { QuarterSums, type Sum, Tally } from './tallies.ts'

const QUARTER_SECONDS = 900

/** A way to count scans: from the scans, from what packs add up to, and from the rollups. */
export type Measure<Counted extends Sum<Counted>> = {
  /** The sum of packs; it names the measure in a cache, too. */
  name: SumName
  make: () => Counted
  /** Counts some rows. The next part writes over them. */
  addRows: (sum: Counted, scans: PackedScans, rows: Uint32Array) => void
  addList: (sum: Counted, list: SumList, day: number) => void
  /** Adds UTC days from the rollups; undefined if they do not have it. */
  addRollups: ((db: Db, sum: Counted, days: Selection) => Promise<void>) | undefined
  /** The UTC days to count from sums. The rest of the period is counted from the scans. */
  daysOf: (period: Period) => Period
}

/** The UTC days that a period has as a whole. */
const wholeDays = ({ from, to }: Period): Period => ({
  from: Math.ceil(from / QUARTERS_A_DAY) * QUARTERS_A_DAY,
  to: Math.floor(to / QUARTERS_A_DAY) * QUARTERS_A_DAY,
})

/** Scans and visitors by quarter-hour. */
export const quarters: Measure<QuarterSums> = {
  name: 'quarters',
  make: () => new QuarterSums(),
  addRows: (sums, { seconds, first, day }, rows) => {
    if (rows.length === 0) return
    const ofDay = sums.ofDay(day)
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number
      const quarter = Math.floor((seconds[row] as number) / QUARTER_SECONDS)
      ofDay[quarter] = (ofDay[quarter] as number) + 1
      const visitors = QUARTERS_A_DAY + quarter
      ofDay[visitors] = (ofDay[visitors] as number) + (first[row] as number)
    }
  },
  addList: (sums, list, day) => {
    for (let at = 0; at < list.length; at += 3) {
      const [quarter = 0, scans = 0, visitors = 0] = list.slice(at, at + 3).map(Number)
      sums.add(day * QUARTERS_A_DAY + quarter, scans, visitors)
    }
  },
  addRollups: addCounts,
  // All days that have a part of the period: quarter-hours beside it are never asked for.
  daysOf: ({ from, to }) => ({
    from: Math.floor(from / QUARTERS_A_DAY) * QUARTERS_A_DAY,
    to: Math.ceil(to / QUARTERS_A_DAY) * QUARTERS_A_DAY,
  }),
}

/** Scans by value of a facet; null is the value that is not known. */
export const valuesOf = (facet: Facet, { kind }: Wanted): Measure<Tally<string | null>> => ({
  name: columnOf(facet),
  make: () => new Tally(),
  addRows: (counts, { columns }, rows) => {
    const { values, of } = columns[columnOf(facet)]
    const numbers = new Uint32Array(values.length)
    for (let at = 0; at < rows.length; at++) {
      const number = of[rows[at] as number] as number
      numbers[number] = (numbers[number] as number) + 1
    }
    for (const [number, count] of numbers.entries()) {
      if (count > 0) counts.add(facetValue(facet, values[number] ?? null), count)
    }
  },
  addList: (counts, list) => {
    for (let at = 0; at < list.length; at += 2) {
      counts.add(facetValue(facet, list[at] as string | null), list[at + 1] as number)
    }
  },
  addRollups:
    kind === 'people' && isRolledUp(facet)
      ? async (db, counts, days) => {
          const named = await addFacets(db, counts, facet, days)
          // The rollup of values has no row for scans without one.
          const persons = await scansByPeriods(db, days.codeIds, [days])
          counts.add(null, sum([...persons.values()].flat()) - named)
        }
      : undefined,
  daysOf: wholeDays,
})

/** Scans by class and rule, as `class rule`. */
export const classRules: Measure<Tally<string>> = {
  name: 'classes',
  make: () => new Tally(),
  addRows: (counts, { columns: { class: classes, rule: rules } }, rows) => {
    const numbers = new Uint32Array(classes.values.length * rules.values.length)
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number
      const number = (classes.of[row] as number) * rules.values.length + (rules.of[row] as number)
      numbers[number] = (numbers[number] as number) + 1
    }
    for (const [number, count] of numbers.entries()) {
      const [name, rule] = [Math.floor(number / rules.values.length), number % rules.values.length]
      if (count > 0) counts.add(`${classes.values[name]} ${rules.values[rule]}`, count)
    }
  },
  addList: (counts, list) => {
    for (let at = 0; at < list.length; at += 2) {
      counts.add(list[at] as string, list[at + 1] as number)
    }
  },
  addRollups: undefined,
  daysOf: wholeDays,
}

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)
