import type { Facet } from '#contract/figure-values.ts'
import type { Database } from '../../database/connect.ts'
import { QUARTER_MS } from '../instants.ts'
import { QUARTERS_A_DAY } from '../ledger/totals.ts'
import type { PackedScans } from '../packs/pack.ts'
import { RangeTooLong, type ScanReader } from '../packs/reader.ts'
import { listed } from './count-list.ts'
import type { ClassCount, CountAnswer, CountTask, Listed, Question } from './count-task.ts'
import {
  addClasses,
  addQuarters,
  addValues,
  type ClassCounts,
  matching,
  type ValueCounts,
} from './counting.ts'
import { type Period, wholeDays } from './periods.ts'
import { QuarterSums, type Sums } from './quarter-sums.ts'
import { addCounts, addFacets, isRolledUp, personsIn } from './rollups.ts'
import { rulesIn } from './rule-versions.ts'
import { Settled } from './settled.ts'
import { Tally } from './tallies.ts'

export type Sources = { database: Pick<Database, 'reads' | 'location'>; reader: ScanReader }

/** Of more codes the scans themselves are mostly fewer than the rows of their rollups. */
const ROLLED_UP_CODES = 20

/** Answers tasks. Figures without a filter come from the rollups where these are the shorter way. */
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
      const fromScans = () => this.#read(part, (scans, rows) => addQuarters(sums, scans, rows))
      if (isFiltered(task)) return fromScans()
      const fromRollups = () => addCounts(this.#sources.database.reads, sums, part)
      return shorterWay(part, fromScans, fromRollups)
    })
  }

  async #list(task: CountTask, { facet }: Asked<'list'>): Promise<Listed> {
    const make = (): ValueCounts => new Tally()
    const canRollUp = !isFiltered(task) && task.kind === 'people' && isRolledUp(facet)
    const counts = await this.#settled.count(task, `list ${facet}`, make, (sum, period) => {
      const part = { ...task, ...period }
      const fromScans = () => this.#read(part, (scans, rows) => addValues(sum, facet, scans, rows))
      if (!canRollUp) return fromScans()
      return shorterWay(part, fromScans, () => this.#addRolledUp(sum, part, facet))
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
    const counts = await this.#settled.count(task, 'classes', make, (sum, period) =>
      this.#read({ ...task, ...period }, (scans, rows) => addClasses(sum, scans, rows)),
    )
    const rows = [...counts].map(([key, scans]) => {
      const end = key.indexOf(' ')
      return { class: key.slice(0, end), rule: key.slice(end + 1), scans }
    })
    return { rows }
  }

  /** The next part writes over the rows. */
  async #read(
    task: CountTask,
    add: (scans: PackedScans, rows: Uint32Array) => void,
  ): Promise<void> {
    const { userId, codeIds, from, to } = task
    if (from >= to) return
    if (!isKept(task, from)) throw new RangeTooLong()
    const asked = { userId, codeIds, from: from * QUARTER_MS, to: to * QUARTER_MS }
    await this.#sources.reader.read(asked, (part) => add(part.scans, matching(part, task)))
  }
}

type Asked<Ask extends Question['ask']> = Extract<Question, { ask: Ask }>

const isFiltered = ({ filters }: CountTask) => Object.keys(filters).length > 0
const isKept = ({ wholeFrom }: CountTask, from: number) => from >= wholeFrom * QUARTERS_A_DAY

async function shorterWay(
  task: CountTask,
  fromScans: () => Promise<void>,
  fromRollups: () => Promise<void>,
): Promise<void> {
  if (task.codeIds.length <= ROLLED_UP_CODES || !isKept(task, task.from)) return fromRollups()
  try {
    return await fromScans()
  } catch (error) {
    if (error instanceof RangeTooLong) return fromRollups()
    throw error
  }
}
