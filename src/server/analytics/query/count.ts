import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Database } from '../../database/connect.ts'
import { QUARTER_MS, QUARTERS_A_DAY } from '../../dates.ts'
import type { PackedScans } from '../store/packs/pack.ts'
import {
  type AskedScans,
  RangeTooLong,
  type ScanPart,
  type ScanReader,
} from '../store/packs/reader.ts'
import type { SumList, SumName } from '../store/packs/sums.ts'
import { listed } from './count-list.ts'
import type { ClassCount, CountAnswer, CountTask, Listed, Question } from './count-task.ts'
import {
  addClasses,
  addQuarters,
  addValues,
  type ClassCounts,
  columnOf,
  matching,
  type ValueCounts,
} from './counting.ts'
import { addClassList, addQuarterList, addValueList } from './listed-sums.ts'
import { coveringDays, type Period, wholeDays } from './periods.ts'
import { QuarterSums, type Sums } from './quarter-sums.ts'
import { addCounts, addFacets, isRolledUp, personsIn } from './rollups.ts'
import { rulesIn } from './rule-versions.ts'
import { Settled } from './settled.ts'
import { Tally } from './tallies.ts'

export type Sources = { database: Pick<Database, 'reads' | 'location'>; reader: ScanReader }

/**
 * Answers tasks. What has no filter is made of sums: of one code from the rollups, of all codes from what
 * their packs add up to. With a filter it reads the scans.
 */
export class Counting {
  readonly #sources: Sources
  readonly #settled: Settled

  constructor(sources: Sources) {
    this.#sources = sources
    this.#settled = new Settled(sources.database.reads)
  }

  /** @throws RangeTooLong where a filter would have to read too many scans, or some that are gone */
  answer(task: CountTask): Promise<CountAnswer> {
    const { question } = task
    if (question.ask === 'points') return this.#points(task, question)
    if (question.ask === 'list') return this.#list(task, question)
    if (question.ask === 'week') return this.#week(task, question)
    return this.#classes(task)
  }

  async #points(task: CountTask, { starts, before }: Asked<'points'>) {
    const sums = (await this.#quarters(task)).between(starts)
    const rules = await rulesIn(this.#sources.database.reads, task)
    return { sums, before: before && (await this.#earlier(task, before)), rules }
  }

  /** Undefined where too little is kept of the period before, or too much for a filter. */
  async #earlier(task: CountTask, starts: number[]): Promise<Sums[] | undefined> {
    const period = { from: starts[0] as number, to: starts.at(-1) as number }
    try {
      return (await this.#quarters({ ...task, ...period })).between(starts)
    } catch (error) {
      if (error instanceof RangeTooLong) return undefined
      throw error
    }
  }

  async #week(task: CountTask, { offsets }: Asked<'week'>) {
    return { rows: (await this.#quarters(task)).byWeekHour(task, offsets) }
  }

  #quarters(task: CountTask): Promise<QuarterSums> {
    const make = () => new QuarterSums()
    return this.#settled.count(task, 'quarters', make, (sums, period) => {
      const part = { ...task, ...period }
      const count: Count = (scans, rows) => addQuarters(sums, scans, rows)
      if (isFiltered(task)) return this.#read(part, count)
      const fromRollups = () => addCounts(this.#sources.database.reads, sums, part)
      if (task.codeIds.length === 1) return fromRollups()
      // Quarters beside the period do no harm: nobody asks for them.
      const fromSums = () =>
        this.#readSums({ ...part, ...coveringDays(part) }, 'quarters', count, (day, sum) =>
          addQuarterList(sums, day, sum),
        )
      return unlessGone(part, fromSums, fromRollups)
    })
  }

  async #list(task: CountTask, { facet }: Asked<'list'>): Promise<Listed> {
    const make = (): ValueCounts => new Tally()
    const isRolled = !isFiltered(task) && task.kind === 'people' && isRolledUp(facet)
    const counts = await this.#settled.count(task, `list ${facet}`, make, (sum, period) => {
      const part = { ...task, ...period }
      const count: Count = (scans, rows) => addValues(sum, facet, scans, rows)
      if (isFiltered(task)) return this.#read(part, count)
      const fromRollups = () => this.#addRolledUp(sum, part, facet)
      if (isRolled && task.codeIds.length === 1) return fromRollups()
      const fromSums = () =>
        this.#sumUp(part, columnOf(facet), count, (_, list) => addValueList(sum, facet, list))
      return isRolled ? unlessGone(part, fromSums, fromRollups) : fromSums()
    })
    return listed(facet, counts)
  }

  /** Whole UTC days from the rollup, the edges of days in other zones from the scans. */
  async #addRolledUp(sum: ValueCounts, task: CountTask, facet: Facet): Promise<void> {
    const { reads } = this.#sources.database
    const { from, to, codeIds } = task
    const add = (period: Period) =>
      this.#read({ ...task, ...period }, (scans, rows) => addValues(sum, facet, scans, rows))
    const whole = wholeDays(task)
    if (whole.from >= whole.to) return add(task)
    const days = { from: whole.from / QUARTERS_A_DAY, to: whole.to / QUARTERS_A_DAY }
    const named = await addFacets(reads, sum, { ...days, codeIds, facet })
    sum.add(null, (await personsIn(reads, codeIds, whole)) - named)
    await add({ from, to: whole.from })
    await add({ from: whole.to, to })
  }

  async #classes(task: CountTask): Promise<{ rows: ClassCount[] }> {
    const make = (): ClassCounts => new Tally()
    const counts = await this.#settled.count(task, 'classes', make, (sum, period) => {
      const part = { ...task, ...period }
      const count: Count = (scans, rows) => addClasses(sum, scans, rows)
      if (isFiltered(task)) return this.#read(part, count)
      return this.#sumUp(part, 'classes', count, (_, list) => addClassList(sum, list))
    })
    const rows = [...counts].map(([key, scans]) => {
      const end = key.indexOf(' ')
      return { class: key.slice(0, end), rule: key.slice(end + 1), scans }
    })
    return { rows }
  }

  /** Whole UTC days from what the packs add up to, the edges of days in other zones from the scans. */
  async #sumUp(task: CountTask, name: SumName, count: Count, add: AddSum): Promise<void> {
    const whole = wholeDays(task)
    if (whole.from >= whole.to) return this.#read(task, count)
    await this.#read({ ...task, to: whole.from }, count)
    await this.#readSums({ ...task, ...whole }, name, count, add)
    await this.#read({ ...task, from: whole.to }, count)
  }

  async #readSums(task: CountTask, name: SumName, count: Count, add: AddSum): Promise<void> {
    const { reader } = this.#sources
    const hand = (part: ScanPart) => count(part.scans, matching(part, task))
    await reader.readSums(askedIn(task), { kind: task.kind, name }, add, hand)
  }

  async #read(task: CountTask, count: Count): Promise<void> {
    if (task.from >= task.to) return
    const hand = (part: ScanPart) => count(part.scans, matching(part, task))
    await this.#sources.reader.read(askedIn(task), hand)
  }
}

/** Counts some rows. The next part writes over them. */
type Count = (scans: PackedScans, rows: Uint32Array) => void
type AddSum = (day: number, sum: SumList) => void
type Asked<Ask extends Question['ask']> = Extract<Question, { ask: Ask }>

const isFiltered = ({ filters }: CountTask) => Object.keys(filters).length > 0
const isKept = ({ firstCompleteDay }: CountTask, from: number) =>
  from >= firstCompleteDay * QUARTERS_A_DAY

/** @throws RangeTooLong where the single scans are gone */
function askedIn(task: CountTask): AskedScans {
  const { userId, codeIds, from, to } = task
  if (!isKept(task, from)) throw new RangeTooLong()
  return { userId, codeIds, from: from * QUARTER_MS, to: to * QUARTER_MS }
}

/** From the rollups where the packs are gone, or where too many scans of other codes are in them. */
async function unlessGone(
  task: CountTask,
  fromSums: () => Promise<void>,
  fromRollups: () => Promise<void>,
): Promise<void> {
  if (!isKept(task, task.from)) return fromRollups()
  try {
    return await fromSums()
  } catch (error) {
    if (error instanceof RangeTooLong) return fromRollups()
    throw error
  }
}
