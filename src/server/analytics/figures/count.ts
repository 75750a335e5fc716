import type { Database } from '../../database/connect.ts'
import { QUARTER_MS } from '../instants.ts'
import { QUARTERS_A_DAY } from '../ledger/totals.ts'
import { RangeTooLong, type ScanPart, type ScanReader } from '../packs/reader.ts'
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

export type Sources = { database: Pick<Database, 'reads' | 'location'>; reader: ScanReader }

/** Of more codes the scans themselves are mostly fewer than the rows of their rollups. */
const ROLLED_UP_CODES = 20

/** Answers tasks. Figures without a filter come from the rollups where these are the shorter way. */
export class Counting {
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
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
    const fromScans = async () => {
      const sums = new QuarterSums()
      await this.#read(task, task, (part, rows) => addQuarters(sums, part, rows))
      return sums
    }
    const fromRollups = async () => {
      const sums = new QuarterSums()
      await addCounts(this.#sources.database.reads, sums, task)
      return sums
    }
    return isFiltered(task) ? fromScans() : shorterWay(task, fromScans, fromRollups)
  }

  #list(task: CountTask, { facet }: Asked<'list'>): Promise<Listed> {
    const fromScans = async () => {
      const counts: ValueCounts = new Map()
      await this.#read(task, task, (part, rows) => addValues(counts, facet, part, rows))
      return listed(facet, counts)
    }
    const canRollUp = !isFiltered(task) && task.kind === 'people' && isRolledUp(facet)
    if (!canRollUp) return fromScans()
    return shorterWay(task, fromScans, () => this.#rolledUpList(task, facet))
  }

  /** Whole UTC days from the rollup, the edges of days in other zones from the scans. */
  async #rolledUpList(task: CountTask, facet: Asked<'list'>['facet']): Promise<Listed> {
    const { reads } = this.#sources.database
    const counts: ValueCounts = new Map()
    const add = (period: Period) =>
      this.#read(task, period, (part, rows) => addValues(counts, facet, part, rows))
    const whole = wholeDays(task)
    if (whole.from < whole.to) {
      const days = { from: whole.from / QUARTERS_A_DAY, to: whole.to / QUARTERS_A_DAY }
      const named = await addFacets(reads, counts, { ...task, ...days, facet })
      const persons = await personsIn(reads, task.codeIds, whole)
      counts.set(null, (counts.get(null) ?? 0) + persons - named)
      await add({ from: task.from, to: whole.from })
      await add({ from: whole.to, to: task.to })
    } else await add(task)
    return listed(facet, counts)
  }

  async #classes(task: CountTask): Promise<{ rows: ClassCount[] }> {
    const counts: ClassCounts = new Map()
    await this.#read(task, task, (part, rows) => addClasses(counts, part, rows))
    const rows = [...counts].map(([key, scans]) => {
      const end = key.indexOf(' ')
      return { class: key.slice(0, end), rule: key.slice(end + 1), scans }
    })
    return { rows }
  }

  async #read(
    task: CountTask,
    { from, to }: Period,
    add: (part: ScanPart, rows: Uint32Array) => void,
  ): Promise<void> {
    if (from >= to) return
    if (!isKept(task, from)) throw new RangeTooLong()
    const { userId, codeIds } = task
    const asked = { userId, codeIds, from: from * QUARTER_MS, to: to * QUARTER_MS }
    await this.#sources.reader.read(asked, (part) => add(part, matching(part, task)))
  }
}

type Asked<Ask extends Question['ask']> = Extract<Question, { ask: Ask }>

const isFiltered = ({ filters }: CountTask) => Object.keys(filters).length > 0
const isKept = ({ wholeFrom }: CountTask, from: number) => from >= wholeFrom * QUARTERS_A_DAY

async function shorterWay<T>(
  task: CountTask,
  fromScans: () => Promise<T>,
  fromRollups: () => Promise<T>,
): Promise<T> {
  if (task.codeIds.length <= ROLLED_UP_CODES || !isKept(task, task.from)) return fromRollups()
  try {
    return await fromScans()
  } catch (error) {
    if (error instanceof RangeTooLong) return fromRollups()
    throw error
  }
}
