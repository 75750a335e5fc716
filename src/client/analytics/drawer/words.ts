import {
  type Facet,
  facets,
  type Range,
  type Step,
  UNKNOWN,
} from '#contract/analytics/figure-values.ts'
import type { Breakdown, Figures, Heatmap } from '#contract/analytics/figures.ts'
import {
  counted,
  formatCount,
  localDay,
  localHour,
  localHours,
  localMonth,
  localShortDay,
  localShortMonth,
  localShortWeekday,
  localWeekday,
  localWeekdayHour,
} from '../../formats.ts'
import type { Tick } from '../chart/plot.tsx'
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
  const last = points.length - 1
  if (by !== 'hour') {
    const stride = Math.ceil(points.length / TICKS_MAX)
    const short = by === 'month' ? localShortMonth : localShortDay
    return points
      .map(({ at }, index) => ({ index, text: short(at) }))
      .filter(({ index }) => (last - index) % stride === 0)
  }
  const stride = HOUR_STRIDES.find((hours) => points.length / hours <= TICKS_MAX) ?? 168
  const short = stride < 24 ? localHour : localShortDay
  return points
    .map(({ at }, index) => ({ index, hours: localHours(at), at }))
    .filter(({ hours }) => hours % stride === 0)
    .map(({ index, at }) => ({ index, text: short(at) }))
}

export const rangeNames: Record<Range, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
  all: 'All time',
  free: 'From – to',
}

export const stepNames: Record<Step, string> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

/** "in the last 7 days", "from Nov 1, 2026 to Nov 7, 2026". */
export function whenText({ range, from, to }: Pick<View, 'range' | 'from' | 'to'>): string {
  if (range === 'all') return 'since the first scan'
  if (range !== 'free' || !from || !to) return `in the last ${rangeNames[range]}`
  return from === to ? `on ${localDay(from)}` : `from ${localDay(from)} to ${localDay(to)}`
}

/** "the 7 days before". */
export function beforeText(range: Range): string {
  return range === 'free' ? 'the days before' : `the ${rangeNames[range]} before`
}

/** The same as a title: "The 7 days before". */
export const beforeTitle = (range: Range) => `T${beforeText(range).slice(1)}`

/** Today is not over: the day that it is compared with is counted only so far. */
const UP_TO = 'up to the same time of day'

const isCut = (range: Range, isOver: boolean) => !isOver && range !== '24h' && range !== 'all'

/** A sentence on how far the period before is counted; empty if all of it is. */
export const comparedText = (range: Range, isOver: boolean) =>
  isCut(range, isOver) ? ` Compared ${UP_TO}.` : ''

type Drawn = { by: Step; hasBefore: boolean; isOver: boolean }

/** The definition of the line: "Scans and visitors by day, in your time zone. The dashed line is the 7 days before." */
export function lineText({ kind, range }: View, { by, hasBefore, isOver }: Drawn): string {
  const what = kind === 'people' ? 'Scans and visitors' : 'Visits'
  const all = `${what} by ${by}, in your time zone.`
  if (!hasBefore) return all
  return `${all} The dashed line is ${beforeText(range)}${isCut(range, isOver) ? `, ${UP_TO}` : ''}.`
}

/** `short` is for the eye, `words` say the same in full. */
export type Change = { short: string; words: string }

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
    return { short: `None in ${period}`, words: `There were none in ${period}` }
  }
  if (now >= TIMES_FROM * before) {
    const times = `${formatCount(Math.round(now / before))} times as many as in ${period}`
    return { short: times, words: times }
  }
  const percent = Math.round((100 * (now - before)) / before)
  if (percent === 0) return { short: `As in ${period}`, words: `About as many as in ${period}` }
  const size = formatCount(Math.abs(percent))
  return {
    short: `${percent > 0 ? '+' : '−'}${size} % from ${period}`,
    words: `${size} percent ${percent > 0 ? 'more' : 'fewer'} than in ${period}`,
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

/** "6 to 7 PM", "11 AM to 12 PM". */
export function spanText(hour: number): string {
  const [from, to] = [hourText(hour), hourText(hour + 1)]
  const half = to.slice(-2)
  return `${from.endsWith(half) ? from.slice(0, -3) : from} to ${to}`
}

/** The hour of the day with the most scans, and the weekday; null without scans. */
export function busiest({ rows }: Heatmap) {
  const hours = HOURS.map((hour) => rows.reduce((sum, row) => sum + (row[hour] ?? 0), 0))
  const days = rows.map((row) => row.reduce((sum, scans) => sum + scans, 0))
  const inHour = Math.max(...hours)
  const weekday = weekdays[days.indexOf(Math.max(...days))]
  return inHour > 0 && weekday ? { hour: hours.indexOf(inHour), inHour, weekday } : null
}

/** A share as people read it: "34 %", and never 0 or 100 if it is neither. */
export function shareText(part: number, all: number): string {
  if (part <= 0 || all <= 0) return '0 %'
  const percent = (100 * part) / all
  if (percent < 1) return '< 1 %'
  if (part < all && percent > 99) return '> 99 %'
  return `${Math.round(percent)} %`
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

const PLACE = 'The place is looked up from the address of the visitor, which is not kept.'
const AGENT = 'From what the browser says of itself.'

export const facetWords: Record<Facet, FacetWords> = {
  country: { title: 'Countries', one: 'Country', unknown: 'Not known', definition: PLACE },
  region: {
    title: 'Regions',
    one: 'Region',
    unknown: 'Not known',
    definition: `${PLACE} Not every server can look up regions.`,
  },
  city: {
    title: 'Cities',
    one: 'City',
    unknown: 'Not known',
    definition: `${PLACE} Not every server can look up cities.`,
  },
  device: { title: 'Devices', one: 'Device', unknown: 'Not known', definition: AGENT },
  os: { title: 'Systems', one: 'System', unknown: 'Not known', definition: AGENT },
  browser: { title: 'Browsers', one: 'Browser', unknown: 'Not known', definition: AGENT },
  app: {
    title: 'Apps',
    one: 'App',
    unknown: 'Not inside an app',
    definition: 'Apps that open links in a browser of their own, such as Instagram.',
  },
  language: {
    title: 'Languages',
    one: 'Language',
    unknown: 'Not known',
    definition: 'The language that the visitor’s browser asks for first.',
  },
  referrer: {
    title: 'Referrers',
    one: 'Referrer',
    unknown: 'None, such as a camera',
    definition:
      'The site with the link that was followed. A code that is scanned by a camera has none.',
  },
}

/** A filter's value in words, before its list has been read: a country has a code for its value. */
export function valueText(facet: Facet, value: string): string {
  if (value === UNKNOWN) return facetWords[facet].unknown
  if (facet === 'country') return nameOf(regionNames, value)
  if (facet === 'language') return nameOf(languageNames, value)
  return value
}

/** "Country: Germany". */
export const filterText = (facet: Facet, value: string) =>
  `${facetWords[facet].one}: ${valueText(facet, value)}`

/** All filters that are on, in words. */
export const filterTexts = (filters: Filters): string[] =>
  facets.flatMap((facet) => {
    const value = filters[facet]
    return value === undefined ? [] : [filterText(facet, value)]
  })

/** The values of a facet, most scans first, with those that are not known among them. */
export function valuesOf(facet: Facet, { rows, unknown }: Breakdown): Breakdown['rows'] {
  const none = { value: UNKNOWN, label: facetWords[facet].unknown, scans: unknown }
  return [...rows, ...(unknown > 0 ? [none] : [])].sort((a, b) => b.scans - a.scans)
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    // The address can say anything.
    return code
  }
}

/** The noun of what is counted: only people scan. */
export const nounOf = (kind: Kind) => (kind === 'people' ? 'scan' : 'visit')

/** The same for many, as a title begins: "Scans". */
export const titleOf = (kind: Kind) => (kind === 'people' ? 'Scans' : 'Visits')

/** "120 scans in the last 7 days". */
export const summaryText = (scans: number, view: View) =>
  `${counted(scans, nounOf(view.kind))} ${whenText(view)}`

/** The versions of the rules for people and bots, as a sentence; empty without scans. */
export function rulesText(rules: readonly number[]): string {
  const [first] = rules
  if (first === undefined) return ''
  const versions =
    rules.length === 1
      ? `version ${first}`
      : `versions ${rules.slice(0, -1).join(', ')} and ${rules.at(-1)}`
  return `People and bots are told apart by ${versions} of our rules.`
}
