import {
  EARLIEST,
  POINTS_MAX,
  type Range,
  type Step,
  WEEK_DAYS,
} from '#contract/analytics/figure-values.ts'
import type { FiguresQuery } from '#contract/analytics/figures.ts'
import { DAY_MS } from '#contract/time.ts'
import {
  firstDayOfMonth,
  firstShown,
  isoOfQuarter,
  monthOf,
  type Offset,
  offsetsIn,
  QUARTERS_A_DAY,
  quarterOf,
  shownAt,
  weekdayOf,
} from '../../dates.ts'
import { invalidInput } from '../../http/errors.ts'
import type { Period } from '../store/scans-store.ts'

/* Instants are quarter-hours since 1970-01-01T00:00Z; what clocks of the zone show is called `shown` (dates.ts). */

type Named = { range: Range }
export type Asked = Named & Pick<FiguresQuery, 'from' | 'to' | 'by' | 'tz' | 'weekStart'>

export type Known = {
  now: Date
  /** Quarter-hour of the first scan; undefined if there is none */
  first: number | undefined
  /** The ledger has every scan since this UTC day. */
  firstCompleteDay: number
}

export type CountedRange = Period & {
  by: Step
  /** The weekday on which a week begins, from 1 for Monday */
  weekStart: number
  /** Goes by UTC days, because single scans of its edge are gone */
  snapped: boolean
  shown: Period
  offsets: Offset[]
  /** The instant in the period before that this one is compared with */
  back: ((shown: number, quarter: number) => number) | undefined
  /** Nothing can have happened from here on. */
  end: number
}

const HOUR = 4
const DAYS = { '7d': 7, '30d': 30, '90d': 90 }
const MONTHS = 12
const WEEK = WEEK_DAYS * QUARTERS_A_DAY
/** How many months before a range is the one that it is compared with */
const monthsBetween: Partial<Record<Asked['range'], number>> = {
  '12m': MONTHS,
  'this-month': 1,
  'last-month': 1,
}
/** The step of a range of up to this number of days, if the query has none */
const stepsByDays: [days: number, step: Step][] = [
  [2, 'hour'],
  [92, 'day'],
  [366, 'week'],
]

/** The range of a query that may not name one. @throws AppError invalid_input if days stand beside another range */
export function namedRange({
  range,
  from,
  to,
}: Pick<FiguresQuery, 'range' | 'from' | 'to'>): Range {
  const hasDays = from !== undefined || to !== undefined
  if (!hasDays || range === 'free') return range ?? '30d'
  if (range === undefined) return 'free'
  const path = from === undefined ? 'to' : 'from'
  throw invalidInput([{ path, message: 'Days belong to range=free. Leave out one of the two.' }])
}

/** @throws AppError invalid_input where a free range has no days, or none that has begun */
export function rangeOf(asked: Asked, { now, first, firstCompleteDay }: Known): CountedRange {
  const nowQuarter = quarterOf(now.getTime())
  const offsets = offsetsIn(asked.tz, earliest(asked, nowQuarter, first), nowQuarter + 2 * MONTH)
  const shownNow = shownAt(offsets, nowQuarter)
  const shown = shownPeriod(asked, { shownNow, nowQuarter, first, offsets })
  const days = Math.round((shown.to - shown.from) / QUARTERS_A_DAY)
  const at = (each: number) => firstShown(offsets, each)
  const exact = { from: at(shown.from), to: at(shown.to) }
  const { from, to } = snap(exact, shown, firstCompleteDay * QUARTERS_A_DAY)
  return {
    from,
    to,
    shown,
    offsets,
    end: nowQuarter + 1,
    by: asked.by ?? defaultStep(asked, days),
    weekStart: asked.weekStart,
    snapped: from !== exact.from || to !== exact.to,
    back: backOf(asked, days, at),
  }
}

const MONTH = 31 * QUARTERS_A_DAY

/** Not after the beginning of the period before. */
function earliest({ range, from }: Asked, now: number, first = now): number {
  if (range === 'all') return Math.min(first, now) - MONTH
  if (range !== 'free') return now - 2 * (MONTHS + 1) * MONTH
  const begin = dayOf(from ?? EARLIEST) * QUARTERS_A_DAY
  return begin - (now - begin) - MONTH
}

const dayOf = (date: string) => Math.floor(Date.parse(date) / DAY_MS)
const dayStart = (shown: number) => floorTo(shown, QUARTERS_A_DAY)
const monthBegin = (month: number) => firstDayOfMonth(month) * QUARTERS_A_DAY
const floorTo = (shown: number, unit: number) => Math.floor(shown / unit) * unit

type Clocks = {
  shownNow: number
  nowQuarter: number
  first: number | undefined
  offsets: Offset[]
}

function shownPeriod(asked: Asked, { shownNow, nowQuarter, first, offsets }: Clocks): Period {
  const today = dayStart(shownNow)
  const to = today + QUARTERS_A_DAY
  const month = monthOf(today / QUARTERS_A_DAY)
  const shownOf = (quarter: number) => shownAt(offsets, quarter)
  switch (asked.range) {
    case '24h': {
      const end = floorTo(shownNow, HOUR) + HOUR
      const begin = shownOf(firstShown(offsets, end) - QUARTERS_A_DAY)
      return { from: floorTo(begin, HOUR), to: end }
    }
    case 'last-week': {
      const week = weekOf(today, asked.weekStart)
      return { from: week - WEEK, to: week }
    }
    case 'this-month':
      return { from: monthBegin(month), to }
    case 'last-month':
      return { from: monthBegin(month - 1), to: monthBegin(month) }
    case '12m':
      return { from: monthBegin(month - MONTHS + 1), to }
    case 'all':
      return { from: Math.min(today, dayStart(shownOf(first ?? nowQuarter))), to }
    case 'free':
      return freePeriod(asked, today)
    default:
      return { from: to - DAYS[asked.range] * QUARTERS_A_DAY, to }
  }
}

function freePeriod({ from, to }: Asked, today: number): Period {
  if (from === undefined || to === undefined) {
    const path = from === undefined ? 'from' : 'to'
    throw invalidInput([{ path, message: 'Choose the first and the last day.' }])
  }
  const [first, last] = [dayOf(from) * QUARTERS_A_DAY, dayOf(to) * QUARTERS_A_DAY]
  if (last < first) {
    throw invalidInput([{ path: 'to', message: 'The last day is before the first one.' }])
  }
  if (first > today || from < EARLIEST) {
    const message = first > today ? 'This day has not begun yet.' : 'Choose a day after 1999.'
    throw invalidInput([{ path: 'from', message }])
  }
  return { from: first, to: Math.min(last, today) + QUARTERS_A_DAY }
}

function defaultStep({ range }: Asked, days: number): Step {
  if (range === '24h') return 'hour'
  if (range === '12m') return 'month'
  return stepsByDays.find(([most]) => days <= most)?.[1] ?? 'month'
}

/** An edge before `whole` moves to the UTC day that has its date. */
function snap({ from, to }: Period, shown: Period, whole: number): Period {
  return {
    from: from < whole ? dayStart(shown.from) : from,
    to: to < whole ? dayStart(shown.to + QUARTERS_A_DAY - 1) : to,
  }
}

/** Months are compared with those of the year or month before, days with as many days, hours with the day before. */
function backOf({ range }: Asked, days: number, at: (shown: number) => number) {
  if (range === 'all') return undefined
  if (range === '24h') return (_: number, quarter: number) => quarter - QUARTERS_A_DAY
  const months = monthsBetween[range]
  if (months !== undefined) return (shown: number) => at(monthsBack(shown, months))
  return (shown: number) => at(shown - days * QUARTERS_A_DAY)
}

function monthsBack(shown: number, months: number): number {
  const month = monthOf(Math.floor(shown / QUARTERS_A_DAY))
  const back = monthBegin(month - months) + shown - monthBegin(month)
  // A day that the other month does not have, such as 29 February, is where the next one begins.
  return Math.min(back, monthBegin(month - months + 1))
}

/**
 * The points of a range: point i is from `starts[i]` up to `starts[i + 1]`, and in the period before from
 * `before[i]` up to `before[i + 1]`. That one ends at the same time of the day as now, so that a day
 * that is not over is not compared with a whole one.
 */
export type Points = { labels: string[]; starts: number[]; before: number[] | undefined }

/** @throws AppError invalid_input where they are more than POINTS_MAX */
export function pointsOf(range: CountedRange): Points {
  const { offsets, by, back, end } = range
  const steps = stepsOf(range)
  if (steps.length > POINTS_MAX) {
    const message = 'A line has no room for so many points. Choose longer steps.'
    throw invalidInput([{ path: 'by', message }])
  }
  const edges = [...steps.map(({ from }) => from), range.shown.to]
  const exact = edges.map((shown) => firstShown(offsets, shown))
  const starts = exact.map((quarter) => Math.min(Math.max(quarter, range.from), range.to))
  starts[0] = range.from
  starts[steps.length] = range.to
  const limit = back?.(shownAt(offsets, end - 1) + 1, end) ?? 0
  // A day of 25 hours would otherwise begin within the one before.
  const mayEnd = Math.min(exact[0] ?? range.from, end < range.to ? limit : Number.POSITIVE_INFINITY)
  return {
    labels: steps.map(({ step }) => labelOf(step, by)),
    starts,
    before:
      back && edges.map((shown, index) => Math.min(mayEnd, back(shown, exact[index] as number))),
  }
}

/** The shown beginning of each step, and where in the range it begins: the first may have begun before. */
function stepsOf(range: CountedRange): { step: number; from: number }[] {
  const { shown, by, weekStart, offsets, end } = range
  const steps = []
  for (let step = stepAt(shown.from, by, weekStart); step < shown.to; step = nextStep(step, by)) {
    if (by === 'hour') {
      const begin = firstShown(offsets, step)
      if (begin >= end) break
      // Clocks leave out this hour.
      if (begin === firstShown(offsets, step + HOUR)) continue
    }
    steps.push({ step, from: Math.max(step, shown.from) })
    if (steps.length > POINTS_MAX) break
  }
  return steps
}

/** The beginning of the week of an instant. */
function weekOf(shown: number, weekStart: number): number {
  const day = Math.floor(shown / QUARTERS_A_DAY)
  const past = (weekdayOf(day) + WEEK_DAYS + 1 - weekStart) % WEEK_DAYS
  return (day - past) * QUARTERS_A_DAY
}

function stepAt(shown: number, by: Step, weekStart: number): number {
  if (by === 'hour') return floorTo(shown, HOUR)
  if (by === 'week') return weekOf(shown, weekStart)
  const day = Math.floor(shown / QUARTERS_A_DAY)
  return (by === 'month' ? firstDayOfMonth(monthOf(day)) : day) * QUARTERS_A_DAY
}

function nextStep(step: number, by: Step): number {
  if (by === 'hour') return step + HOUR
  if (by === 'week') return step + WEEK
  if (by === 'day') return step + QUARTERS_A_DAY
  return firstDayOfMonth(monthOf(step / QUARTERS_A_DAY) + 1) * QUARTERS_A_DAY
}

function labelOf(step: number, by: Step): string {
  return isoOfQuarter(step).slice(
    0,
    by === 'hour' ? 'YYYY-MM-DDTHH:mm'.length : 'YYYY-MM-DD'.length,
  )
}
