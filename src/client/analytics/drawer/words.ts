import {
  type Facet,
  facets,
  type Range,
  type Step,
  UNKNOWN,
} from '#contract/analytics/figure-values.ts'
import type { Breakdown, Figures, Heatmap } from '#contract/analytics/figures.ts'
import { branchName, type Ruled } from '#contract/codes/branch-name.ts'
import {
  counted,
  formatCount,
  formatPercent,
  languageName,
  localDay,
  localHour,
  localHours,
  localMonth,
  localShortDay,
  localShortMonth,
  localShortWeekday,
  localWeekday,
  localWeekdayHour,
  regionName,
} from '../../formats.ts'
import { type Tick, ticksEach } from '../chart/drawing.ts'
import { type Change, differenceOf } from '../month-change.ts'
import type { Filters, Kind, View } from './view/view.ts'

/* The texts of the drawer. */

/** The time of a point of the line: "Sat, Nov 14, 2026", "November 2026". */
export function pointText(at: string, by: Step): string {
  if (by === 'hour') return localWeekdayHour(at)
  if (by === 'day') return localWeekday(at)
  if (by === 'week') return `Week of ${localDay(at)}`
  return localMonth(at)
}

/** Words below the axis, as many as fit on a phone. */
const TICKS_MAX = 5

/** Hours between two words of an axis by the hour, so that they stand at midnight or at noon. */
const HOUR_STRIDES = [6, 12, 24, 48, 120, 168]

/** The points that have a word below them. Days, weeks and months are counted from the newest. */
export function ticksOf(points: readonly { at: string }[], by: Step): Tick[] {
  const times = points.map(({ at }) => at)
  if (by !== 'hour') {
    const short = by === 'month' ? localShortMonth : localShortDay
    return ticksEach(Math.ceil(points.length / TICKS_MAX), times, short)
  }
  const stride = HOUR_STRIDES.find((hours) => points.length / hours <= TICKS_MAX) ?? 168
  const short = stride < 24 ? localHour : localShortDay
  return times.flatMap((at, index) =>
    localHours(at) % stride === 0 ? [{ index, text: short(at) }] : [],
  )
}

export const rangeNames: Record<Range, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  'last-week': 'Last week',
  '30d': '30 days',
  'this-month': 'This month',
  'last-month': 'Last month',
  '90d': '90 days',
  '12m': '12 months',
  all: 'All time',
  free: 'Custom',
}

export const stepNames: Record<Step, string> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

/** Ranges with a name of their own; the others are the last hours, days or months. */
const named = new Set<Range>(['last-week', 'this-month', 'last-month'])

/** "in the last 7 days", "last week", "from Nov 1, 2026 to Nov 7, 2026". */
export function whenText({ range, from, to }: Pick<View, 'range' | 'from' | 'to'>): string {
  if (range === 'all') return 'since the first scan'
  if (named.has(range)) return rangeNames[range].toLowerCase()
  if (range !== 'free' || !from || !to) return `in the last ${rangeNames[range]}`
  return from === to ? `on ${localDay(from)}` : `from ${localDay(from)} to ${localDay(to)}`
}

export const manyOf = (kind: Kind) => (kind === 'people' ? 'scans' : 'bots or link previews')

/** "No scans with these filters in the last 7 days". */
export const noneText = (view: View) =>
  `No ${manyOf(view.kind)}${hasFilters(view) ? ' with these filters' : ''} ${whenText(view)}`

export const hasFilters = ({ filters }: View) => Object.keys(filters).length > 0

/** The range as a title: "Last 7 days", "Last week", "All time". */
export const rangeTitle = (range: Range) =>
  named.has(range) || range === 'all' ? rangeNames[range] : `Last ${rangeNames[range]}`

/** The period that a range is compared with: "the previous 7 days". */
export function beforeText(range: Range): string {
  if (range === 'free') return 'the previous period'
  if (range === 'last-week') return 'the week before'
  return named.has(range) ? 'the month before' : `the previous ${rangeNames[range]}`
}

/** The same as a title: "The previous 7 days". */
export const beforeTitle = (range: Range) => `T${beforeText(range).slice(1)}`

/** Today is not over: the day that it is compared with is counted only so far. */
const UP_TO = 'up to the same time of day'

const isCut = (range: Range, isOver: boolean) => !isOver && range !== '24h' && range !== 'all'

/** A sentence on how far the period before is counted; empty if all of it is. */
export const comparedText = (range: Range, isOver: boolean) =>
  isCut(range, isOver) ? ` Compared ${UP_TO}.` : ''

type Drawn = { by: Step; hasBefore: boolean; hasMarks: boolean; isOver: boolean }

/** The definition of the line: "Scans and visitors by day, in your time zone. The dashed line shows the previous 7 days." */
export function lineText({ kind, range }: View, drawn: Drawn): string {
  const { by, hasBefore, hasMarks, isOver } = drawn
  const what = kind === 'people' ? 'Scans and visitors' : 'Visits'
  const cut = isCut(range, isOver) ? `, ${UP_TO}` : ''
  const sentences = [
    `${what} by ${by}, in your time zone.`,
    hasBefore && `The dashed line shows ${beforeText(range)}${cut}.`,
    hasMarks && 'Each dotted line is a change of the code.',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** From this ratio on a change reads as a multiple: percents would be long. */
const TIMES_FROM = 10

/** How a figure compares with the period before; null if there is nothing to compare. */
export function changeOf(
  now: number,
  before: number | null | undefined,
  range: Range,
): Change | null {
  if (before === null || before === undefined || range === 'all') return null
  const period = beforeText(range)
  if (before === 0) {
    if (now === 0) return null
    return { short: `None in ${period}`, words: `None in ${period}` }
  }
  if (now >= TIMES_FROM * before) {
    const times = `${formatCount(Math.round(now / before))} times as many as in ${period}`
    return { short: times, words: times }
  }
  const difference = differenceOf(now / before - 1)
  if (!difference) return { short: `Same as ${period}`, words: `About as many as in ${period}` }
  return {
    short: `${difference.short} vs ${period}`,
    words: `${difference.words} than in ${period}`,
  }
}

/**
 * The day with the most scans, the earliest of equals; null without scans. The year is left out if it
 * is that of the last point.
 */
export function bestDay(points: Figures['points']): { name: string; scans: number } | null {
  const best = bestOf(points)
  if (!best) return null
  const isThisYear = best.at.slice(0, 4) === points.at(-1)?.at.slice(0, 4)
  const name = isThisYear ? localShortWeekday(best.at) : pointText(best.at, 'day')
  return { name, scans: best.scans }
}

/** The point with the most scans, the earliest of equals; undefined without scans. */
export function bestOf(points: Figures['points']): Figures['points'][number] | undefined {
  const most = Math.max(...points.map(({ scans }) => scans))
  return points.find(({ scans }) => scans > 0 && scans === most)
}

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** "6 PM". */
export const hourText = (hour: number) =>
  localHour(`2026-01-01T${String(hour % 24).padStart(2, '0')}:00`)

/** The hour of the day with the most scans, and the weekday; null without scans. */
export function busiest({ rows }: Heatmap) {
  const hours = HOURS.map((hour) => rows.reduce((sum, row) => sum + (row[hour] ?? 0), 0))
  const days = rows.map((row) => row.reduce((sum, scans) => sum + scans, 0))
  const inHour = Math.max(...hours)
  const weekday = weekdays[days.indexOf(Math.max(...days))]
  return inHour > 0 && weekday ? { hour: hours.indexOf(inHour), inHour, weekday } : null
}

/** A share as people read it: "34%", and never 0 or 100 if it is neither. */
export function shareText(part: number, all: number): string {
  if (part <= 0 || all <= 0) return formatPercent(0)
  const ratio = part / all
  if (ratio < 0.01) return `<${formatPercent(0.01)}`
  if (ratio < 1 && ratio > 0.99) return `>${formatPercent(0.99)}`
  return formatPercent(ratio)
}

type FacetWords = {
  /** The list: "Countries". */
  title: string
  /** One value, as a filter says it: "Country". */
  one: string
  /** Scans without a value. */
  unknown: string
  /** How it is known. */
  definition: string
}

const PLACE = 'Looked up from the visitor’s IP address, which isn’t kept.'
const AGENT = 'As reported by the browser.'

const wordsOf = (
  title: string,
  one: string,
  definition: string,
  unknown = 'Unknown',
): FacetWords => ({
  title,
  one,
  definition,
  unknown,
})

export const facetWords: Record<Facet, FacetWords> = {
  country: wordsOf('Countries', 'Country', PLACE),
  region: wordsOf('Regions', 'Region', `${PLACE} Not every server can look up regions.`),
  city: wordsOf('Cities', 'City', `${PLACE} Not every server can look up cities.`),
  device: wordsOf('Devices', 'Device', AGENT),
  os: wordsOf('Systems', 'System', AGENT),
  browser: wordsOf('Browsers', 'Browser', AGENT),
  app: wordsOf(
    'Apps',
    'App',
    'Apps that open links in their own browser, such as Instagram.',
    'Not in an app',
  ),
  language: wordsOf(
    'Languages',
    'Language',
    'The first language that the visitor’s browser asks for.',
  ),
  referrer: wordsOf(
    'Referrers',
    'Referrer',
    'The site that people came from. Camera scans have none.',
    'Direct (camera scan)',
  ),
  branch: wordsOf('Rules', 'Rule', 'Where the code’s rules led.', 'Main destination'),
}

/** A filter's value in words, before its list has been read: a country has a code for its value. */
export function valueText(facet: Facet, value: string, codes?: readonly Ruled[]): string {
  if (value === UNKNOWN) return facetWords[facet].unknown
  if (facet === 'branch' && codes) return branchName(codes, value)
  if (facet === 'country') return regionName(value)
  if (facet === 'language') return languageName(value)
  return value
}

/** "Country: Germany". */
export const filterText = (facet: Facet, value: string, codes?: readonly Ruled[]) =>
  `${facetWords[facet].one}: ${valueText(facet, value, codes)}`

/** All filters that are on, in words. */
export const filterTexts = (filters: Filters, codes?: readonly Ruled[]): string[] =>
  facets.flatMap((facet) => {
    const value = filters[facet]
    return value === undefined ? [] : [filterText(facet, value, codes)]
  })

/** The values of a facet, most scans first, with those that are not known among them. */
export function valuesOf(facet: Facet, { rows, unknown }: Breakdown): Breakdown['rows'] {
  const none = { value: UNKNOWN, label: facetWords[facet].unknown, scans: unknown }
  return [...rows, ...(unknown > 0 ? [none] : [])].sort((a, b) => b.scans - a.scans)
}

/** The noun of what is counted: only people scan. */
export const nounOf = (kind: Kind) => (kind === 'people' ? 'scan' : 'visit')

/** The same for many, as a title begins: "Scans". */
export const titleOf = (kind: Kind) => (kind === 'people' ? 'Scans' : 'Visits')

/** "120 scans in the last 7 days". */
export const summaryText = (scans: number, view: View) =>
  `${counted(scans, nounOf(view.kind))} ${whenText(view)}`
