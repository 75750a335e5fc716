import { type Facet, LIST_ROWS_MAX } from '#contract/analytics/figure-values.ts'
import type { Database, Location } from '../../database/connect.ts'
import { type Offset, QUARTER_MS, QUARTERS_A_DAY } from '../../dates.ts'
import { REST } from '../store/ledger/facet-bound.ts'
import type { ScanPart, ScanReader } from '../store/packs/reader.ts'
import { classRules, type Measure, quarters, valuesOf } from './measures.ts'
import { PastDaysCache } from './past-days-cache.ts'
import { rulesIn } from './rollups.ts'
import { matching } from './scan-rows.ts'
import type { Period, Selection } from './selection.ts'
import type { Sum, Sums, Tally } from './tallies.ts'

/** All instants are quarter-hours. */
export type Question =
  /** Sums from each start up to the next one, in the range and in the period before */
  | { ask: 'points'; starts: number[]; before: number[] | undefined }
  | { ask: 'list'; facet: Facet }
  | { ask: 'week'; offsets: Offset[] }
  | { ask: 'classes' }

export type CountTask = Selection & { location: Location; question: Question }

export type ValueCount = { value: string; scans: number }

/** Values have most scans first; `unknown` scans have none, `others` have values that are not named. */
export type TopValues = { values: ValueCount[]; unknown: number; others: number; scans: number }

export type ClassCount = { class: string; rule: string; scans: number }

type Answers = {
  /** `before` is undefined if too little is kept of that period, or too much for a filter. */
  points: { sums: Sums[]; before: Sums[] | undefined; rules: number[] }
  list: TopValues
  /** Seven rows, Monday first, of 24 hours each */
  week: number[][]
  classes: ClassCount[]
}

export type CountAnswer<Ask extends Question['ask'] = Question['ask']> = Answers[Ask]

/**
 * Answers tasks. What has no filter is made of sums: of one code from the rollups, of all codes from what
 * their packs add up to. With a filter it reads the scans.
 */
export class Counting {
  readonly #reads: Database['reads']
  readonly #reader: ScanReader
  readonly #pastDays: PastDaysCache

  constructor({ reads }: Pick<Database, 'reads'>, reader: ScanReader) {
    this.#reads = reads
    this.#reader = reader
    this.#pastDays = new PastDaysCache(reads)
  }

  /** @returns undefined if it would have to read too many scans, or some that are gone */
  async answer({ question, ...task }: CountTask): Promise<CountAnswer | undefined> {
    switch (question.ask) {
      case 'points': {
        const sums = (await this.#count(task, quarters))?.between(question.starts)
        return sums && { sums, ...(await this.#aside(task, question.before)) }
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
    }
  }

  /** The period before, and the rules that judged the scans. */
  async #aside(task: Selection, starts: number[] | undefined) {
    const [from, to] = [starts?.[0], starts?.at(-1)]
    const isAsked = starts && from !== undefined && to !== undefined
    const before = isAsked && (await this.#count({ ...task, from, to }, quarters))
    const rules = await rulesIn(this.#reads, task)
    return { before: before && starts ? before.between(starts) : undefined, rules }
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
    if (Object.keys(task.filters).length > 0) return this.#sum(task, measure, 'scans')
    const isRolledUp = measure.addRollups !== undefined
    if (isRolledUp && (task.codeIds.length === 1 || !isKept(task, task))) {
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
    const count = ({ scans, ...part }: ScanPart) =>
      measure.addRows(sum, scans, matching({ scans, ...part }, task))
    for (const period of isFromScans ? [task] : edges) {
      if (period.from >= period.to) continue
      if (!isKept(period, task) || !(await this.#reader.read(asked(task, period), count))) return
    }
    if (isFromScans) return sum
    if (source === 'rollups') {
      await measure.addRollups?.(this.#reads, sum, { ...task, ...days })
      return sum
    }
    const { name, addList } = measure
    const isDone =
      isKept(days, task) &&
      (await this.#reader.readSums(
        asked(task, days),
        { kind: task.kind, name },
        (day, list) => addList(sum, list, day),
        count,
      ))
    return isDone ? sum : undefined
  }
}

/** Whether the single scans of a period are kept. */
const isKept = ({ from }: Period, { firstCompleteDay }: Selection) =>
  from >= firstCompleteDay * QUARTERS_A_DAY

const asked = ({ userId, codeIds }: Selection, { from, to }: Period) => ({
  userId,
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
