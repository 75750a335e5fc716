import { type Facet, LIST_ROWS_MAX } from '#contract/analytics/figure-values.ts'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { REST } from '../ledger/facet-bound.ts'
import type { ScanReader } from '../packs/reader.ts'
import { type SumList, type SumName, sumOf } from '../packs/sums.ts'
import { columnOf, facetValue, matching } from '../scan-rows.ts'
import type {
  Counted as Answers,
  ClassCount,
  Count,
  Period,
  Question,
  ScanPart,
  ScansCounts,
  Selection,
  Sums,
  TopValues,
  UtmCount,
  ValueCount,
  Wanted,
} from '../scans-store.ts'
import { PastDaysCache } from './past-days-cache.ts'
import {
  addCodes,
  addCounts,
  addFacets,
  addUtms,
  isRolledUp,
  rulesIn,
  scansByPeriods,
} from './rollups.ts'
import { QuarterSums, type Sum, Tally } from './tallies.ts'

/**
 * Counts scans. Without a filter it adds up sums: of one code from the rollups, of all codes from their
 * packs. With a filter it reads the scans.
 */
export class Counting implements Pick<ScansCounts, 'count'> {
  readonly #reads: Database['reads']
  readonly #reader: ScanReader
  readonly #pastDays: PastDaysCache

  constructor({ reads }: Pick<Database, 'reads'>, reader: ScanReader) {
    this.#reads = reads
    this.#reader = reader
    this.#pastDays = new PastDaysCache(reads)
  }

  readonly count = ((scans, question) => this.#answer(scans, question)) as Count

  async #answer(task: Selection, question: Question): Promise<Answers[keyof Answers] | undefined> {
    switch (question.ask) {
      case 'points': {
        const { starts, before } = question
        const sums = await this.#between(task, starts)
        if (!sums) return undefined
        const sumsBefore = before && (await this.#between(task, before))
        return { sums, before: sumsBefore, rules: await rulesIn(this.#reads, task) }
      }
      case 'week':
        return (await this.#count(task, quarters))?.byWeekHour(task, question.offsets)
      case 'list': {
        const { facet } = question
        const counts = await this.#count(task, valuesOf(facet, task), `list ${facet}`)
        return counts && topValues(facet, counts)
      }
      case 'classes': {
        const counts = await this.#count(task, classRules)
        return counts && [...counts].map(classCount)
      }
      case 'codes': {
        const counts = await this.#count(task, codes)
        return counts && new Map([...counts].filter(([, scans]) => scans > 0))
      }
      case 'utms':
        return this.#utms(task, question.from)
    }
  }

  async #utms(task: Selection, from: number): Promise<Answers['utms'] | undefined> {
    const met = await this.#metUtms(task)
    if (!met) return undefined
    const past = { ...task, to: Math.min(task.to, from) }
    if (past.to <= past.from) return { met: utmCounts(met), older: new Map() }
    const all = await this.#count(past, codes)
    const noted = met.size > 0 ? await this.#count(past, utmWords(past)) : met
    if (!all || !noted) return undefined
    const older = new Tally(all)
    for (const { id, scans } of utmCounts(noted)) older.add(id, -scans)
    return { met: utmCounts(met), older }
  }

  /** Most accounts have no campaigns, which the sums of packs tell at once. */
  async #metUtms(task: Selection): Promise<Tally<string> | undefined> {
    const words = task.codeIds.length > 1 ? await this.#count(task, anyUtm) : undefined
    const hasNone = words && [...words.keys()].every((word) => word === null)
    return hasNone ? new Tally() : this.#count(task, utmWords(task))
  }

  async #between(task: Selection, starts: number[]): Promise<Sums[] | undefined> {
    const [from, to] = [starts[0] as number, starts.at(-1) as number]
    return (await this.#count({ ...task, from, to }, quarters))?.between(starts)
  }

  #count<Counted extends Sum<Counted>>(
    task: Selection,
    measure: Measure<Counted>,
    name: string = measure.name,
  ) {
    return this.#pastDays.count(task, name, (period) =>
      this.#countPart({ ...task, ...period }, measure),
    )
  }

  async #countPart<Counted extends Sum<Counted>>(task: Selection, measure: Measure<Counted>) {
    const isRolledUp = measure.addRollups !== undefined
    const isFiltered = task.utm !== undefined || Object.keys(task.filters).length > 0
    if (isFiltered || (measure.isByCode && !isRolledUp)) return this.#sum(task, measure, 'scans')
    const isOne = measure.isByCode || task.codeIds.length === 1
    if (isRolledUp && (isOne || !isKept(task, task))) {
      return this.#sum(task, measure, 'rollups')
    }
    const sum = await this.#sum(task, measure, 'packs')
    // Too many scans of other codes may be in the packs.
    return sum || !isRolledUp ? sum : this.#sum(task, measure, 'rollups')
  }

  /** Counts UTC days from a source, and the edges of days in other zones from the scans. */
  async #sum<Counted extends Sum<Counted>>(
    task: Selection,
    measure: Measure<Counted>,
    source: 'scans' | 'packs' | 'rollups',
  ): Promise<Counted | undefined> {
    const sum = measure.make()
    const days = measure.daysOf(task)
    const isFromScans = source === 'scans' || days.from >= days.to
    const edges = [
      { from: task.from, to: days.from },
      { from: days.to, to: task.to },
    ]
    const count = (part: ScanPart) =>
      measure.add(sum, sumOf(part.scans, matching(part, task), measure.name), part.scans.day)
    for (const period of isFromScans ? [task] : edges) {
      if (period.from >= period.to) continue
      if (!isKept(period, task) || !(await this.#reader.rows(asked(task, period), count))) return
    }
    if (isFromScans) return sum
    if (source === 'rollups') {
      await measure.addRollups?.(this.#reads, sum, { ...task, ...days })
      return sum
    }
    const { kind } = task
    const add = (day: number, list: SumList) => measure.add(sum, list, day)
    const isDone =
      isKept(days, task) &&
      (await this.#reader.rows(asked(task, days), count, { kind, name: measure.name, add }))
    return isDone ? sum : undefined
  }
}

/** Whether the single scans of a period are kept. */
const isKept = ({ from }: Period, { firstCompleteDay }: Selection) =>
  from >= firstCompleteDay * QUARTERS_A_DAY

const asked = ({ workspaceId, codeIds }: Selection, { from, to }: Period) => ({
  workspaceId,
  codeIds,
  from: from * QUARTER_MS,
  to: to * QUARTER_MS,
})

function classCount([key, scans]: [string, number]): ClassCount {
  const end = key.indexOf(' ')
  return { class: key.slice(0, end), rule: key.slice(end + 1), scans }
}

/** Facets in which the rest of many rare values has a name that no value of its own has. */
const REST_IS_APART = new Set<Facet>(['country', 'language', 'referrer'])

/** The list of a facet's values. */
export function topValues(facet: Facet, counts: Tally<string | null>): TopValues {
  const unknown = counts.get(null) ?? 0
  const named: ValueCount[] = []
  let others = 0
  let scans = unknown
  for (const [value, count] of counts) {
    if (value === null || count === 0) continue
    scans += count
    if (value === REST && REST_IS_APART.has(facet)) others += count
    else named.push({ value, scans: count })
  }
  named.sort((one, other) => other.scans - one.scans || (one.value < other.value ? -1 : 1))
  for (const { scans } of named.slice(LIST_ROWS_MAX)) others += scans
  return { values: named.slice(0, LIST_ROWS_MAX), unknown, others, scans }
}

/** A way to count scans: from the sums of their packs or of their rows, and from the rollups. */
type Measure<Counted extends Sum<Counted>> = {
  /** The sum of packs; it names the measure in a cache, too. */
  name: SumName
  make: () => Counted
  add: (sum: Counted, list: SumList, day: number) => void
  /** Adds UTC days from the rollups; undefined if they do not have it. */
  addRollups?: ((db: Db, sum: Counted, days: Selection) => Promise<void>) | undefined
  /** Packs have no sum of it. */
  isByCode?: boolean
  /** The UTC days to count from sums. The rest of the period is counted from the scans. */
  daysOf: (period: Period) => Period
}

/** The UTC days that a period has as a whole. */
const wholeDays = ({ from, to }: Period): Period => ({
  from: Math.ceil(from / QUARTERS_A_DAY) * QUARTERS_A_DAY,
  to: Math.floor(to / QUARTERS_A_DAY) * QUARTERS_A_DAY,
})

/** Scans and visitors by quarter-hour. */
const quarters: Measure<QuarterSums> = {
  name: 'quarters',
  make: () => new QuarterSums(),
  add: (sums, list, day) => {
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

function addPairs<Key extends string | null>(counts: Tally<Key>, list: SumList) {
  for (let at = 0; at < list.length; at += 2) counts.add(list[at] as Key, list[at + 1] as number)
}

/** Scans by value, from the sums of whole UTC days. */
const byValue = <Key extends string | null>(name: SumName): Measure<Tally<Key>> => ({
  name,
  make: () => new Tally(),
  add: addPairs,
  daysOf: wholeDays,
})

/** Scans by value of a facet; null is the value that is not known. */
const valuesOf = (facet: Facet, { kind }: Wanted): Measure<Tally<string | null>> => ({
  ...byValue(columnOf(facet)),
  add: (counts, list) => {
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
          const all = [...persons.values()].flat().reduce((sum, each) => sum + each, 0)
          counts.add(null, all - named)
        }
      : undefined,
})

/** Scans by class and rule, as `class rule`. */
const classRules = byValue<string>('classes')

/** Scans by UTM word, of all codes together. */
const anyUtm = byValue<string | null>('utm')

/** Scans by code and UTM word. */
const utmWords = ({ kind }: Wanted): Measure<Tally<string>> => ({
  ...byValue('utms'),
  addRollups: kind === 'people' ? addUtms : undefined,
  isByCode: true,
})

/** Those of a word. */
const utmCounts = (counts: Tally<string>): UtmCount[] =>
  [...counts].flatMap(([key, scans]) => {
    const [id = '', ...lines] = key.split('\n')
    return scans > 0 && lines.length > 1 ? { id, word: lines.join('\n'), scans } : []
  })

/** Scans by code. The rollups know quarter-hours, so they answer any period. */
const codes: Measure<Tally<string>> = {
  ...byValue('code_id'),
  addRollups: addCodes,
  isByCode: true,
  daysOf: (period) => period,
}
