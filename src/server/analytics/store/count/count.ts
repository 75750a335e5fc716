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
  Selection,
  Sums,
  TopValues,
  UtmCount,
  ValueCount,
  Wanted,
} from '../scans-store.ts'
import { pastDaysCache } from './past-days-cache.ts'
import { addCodes, addCounts, addFacets, addUtms, isRolledUp, rulesIn, sumsOf } from './rollups.ts'
import { QuarterSums, type Sum, Tally } from './tallies.ts'

/**
 * Counts scans. Without a filter it adds up sums: of one code from the rollups, of all codes from their
 * packs. With a filter it reads the scans.
 */
export function counting({ reads }: Pick<Database, 'reads'>, reader: ScanReader): Count {
  const countPastDays = pastDaysCache(reads)
  const sources = { reads, reader }
  return answering({
    count: (task, measure, name = measure.name) =>
      countPastDays(task, name, (period) => countPart(sources, { ...task, ...period }, measure)),
    rulesIn: (period) => rulesIn(reads, period),
  })
}

/** Counts one measure of scans; undefined if too many would have to be read, or some are gone. */
export type CountMeasure = <Counted extends Sum<Counted>>(
  task: Selection,
  measure: Measure<Counted>,
  name?: string,
) => Promise<Counted | undefined>

/** Makes a count out of a way to count one measure. */
export function answering({
  count,
  rulesIn,
}: {
  count: CountMeasure
  rulesIn: (task: Selection) => Promise<number[]>
}): Count {
  async function answer(task: Selection, question: Question) {
    switch (question.ask) {
      case 'points': {
        const { starts, before } = question
        const sums = await between(task, starts)
        if (!sums) return undefined
        const sumsBefore = before && (await between(task, before))
        return { sums, before: sumsBefore, rules: await rulesIn(task) }
      }
      case 'week':
        return (await count(task, { ...quarters, hasVisitors: false }))?.byWeekHour(
          task,
          question.offsets,
        )
      case 'list': {
        const { facet } = question
        const counts = await count(task, valuesOf(facet, task), `list ${facet}`)
        return counts && topValues(facet, counts)
      }
      case 'classes': {
        const counts = await count(task, classRules)
        return counts && [...counts].map(classCount)
      }
      case 'codes': {
        const counts = await count(task, codes)
        return counts && new Map([...counts].filter(([, scans]) => scans > 0))
      }
      case 'utms':
        return utmsOf(task, question.from)
    }
  }

  async function utmsOf(task: Selection, from: number): Promise<Answers['utms'] | undefined> {
    const met = await metUtms(task)
    if (!met) return undefined
    const past = { ...task, to: Math.min(task.to, from) }
    if (past.to <= past.from) return { met: utmCounts(met), older: new Map() }
    const all = await count(past, codes)
    const noted = met.size > 0 ? await count(past, utmWords(past)) : met
    if (!all || !noted) return undefined
    const older = new Tally(all)
    for (const { id, scans } of utmCounts(noted)) older.add(id, -scans)
    return { met: utmCounts(met), older }
  }

  /** Most accounts have no campaigns, which the sums of packs tell at once. */
  async function metUtms(task: Selection): Promise<Tally<string> | undefined> {
    const words = task.codeIds.length > 1 ? await count(task, anyUtm) : undefined
    const hasNone = words && [...words.keys()].every((word) => word === null)
    return hasNone ? new Tally() : count(task, utmWords(task))
  }

  async function between(task: Selection, starts: number[]): Promise<Sums[] | undefined> {
    const [from, to] = [starts[0] as number, starts.at(-1) as number]
    return (await count({ ...task, from, to }, quarters))?.between(starts)
  }

  return answer as Count
}

type Sources = { reads: Db; reader: ScanReader }

async function countPart<Counted extends Sum<Counted>>(
  sources: Sources,
  task: Selection,
  measure: Measure<Counted>,
) {
  const isRolledUp = measure.addRollups !== undefined
  if (isFiltered(task) || (measure.isByCode && !isRolledUp))
    return sumFrom(sources, task, measure, 'scans')
  const isOne = measure.isByCode || task.codeIds.length === 1
  if (isRolledUp && (isOne || !isKept(task, task))) {
    return sumFrom(sources, task, measure, 'rollups')
  }
  const sum = await sumFrom(sources, task, measure, 'packs')
  // Too many scans of other codes may be in the packs.
  return sum || !isRolledUp ? sum : sumFrom(sources, task, measure, 'rollups')
}

/** Counts UTC days from a source, and the edges of days in other zones from the scans. */
async function sumFrom<Counted extends Sum<Counted>>(
  { reads, reader }: Sources,
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
    if (!isKept(period, task) || !(await reader.rows(asked(task, period), count))) return
  }
  if (isFromScans) return sum
  if (source === 'rollups') {
    await measure.addRollups?.(reads, sum, { ...task, ...days })
    return sum
  }
  const { kind } = task
  const add = (day: number, list: SumList) => measure.add(sum, list, day)
  const isDone =
    isKept(days, task) &&
    (await reader.rows(asked(task, days), count, { kind, name: measure.name, add }))
  return isDone ? sum : undefined
}

export const isFiltered = ({ utm, filters }: Wanted) =>
  utm !== undefined || Object.keys(filters).length > 0

/** Whether the single scans of a period are kept. */
export const isKept = ({ from }: Period, { firstCompleteDay }: Selection) =>
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
const REST_IS_APART = new Set<Facet>([
  'country',
  'region',
  'city',
  'language',
  'referrer',
  'branch',
])

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
export type Measure<Counted extends Sum<Counted>> = {
  /** The sum of packs; it names the measure in a cache, too. */
  name: SumName
  make: () => Counted
  add: (sum: Counted, list: SumList, day: number) => void
  /** Adds UTC days from the rollups; undefined if they do not have it. */
  addRollups?: ((db: Db, sum: Counted, days: Selection) => Promise<void>) | undefined
  /** Packs have no sum of it. */
  isByCode?: boolean
  /** Whether visitors are asked for, too: where no sums are kept, they take longer than the scans. */
  hasVisitors?: boolean
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
  hasVisitors: true,
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

/** Scans by value, from the sums of whole UTC days. */
const byValue = <Key extends string | null>(
  name: SumName,
  keyOf = (value: Key) => value,
): Measure<Tally<Key>> => ({
  name,
  make: () => new Tally(),
  add: (counts, list) => {
    for (let at = 0; at < list.length; at += 2) {
      counts.add(keyOf(list[at] as Key), list[at + 1] as number)
    }
  },
  daysOf: wholeDays,
})

/** Scans by value of a facet; null is the value that is not known. */
const valuesOf = (facet: Facet, { kind }: Wanted): Measure<Tally<string | null>> => ({
  ...byValue<string | null>(columnOf(facet), (value) => facetValue(facet, value)),
  addRollups:
    kind === 'people' && isRolledUp(facet)
      ? async (db, counts, days) => {
          const named = await addFacets(db, counts, facet, days)
          // The rollup of values has no row for scans without one.
          const [all = 0] = await sumsOf(db, days.codeIds, [days])
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
