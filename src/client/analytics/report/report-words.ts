import { type Facet, LIST_ROWS_MAX } from '#contract/analytics/figure-values.ts'
import type { Breakdown, Figures, Ranking } from '#contract/analytics/figures.ts'
import type { Ruled } from '#contract/codes/branch-name.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { counted, formatCount, formatPeriod, listText } from '../../formats.ts'
import type { View } from '../drawer/view/view.ts'
import {
  bestOf,
  filterTexts,
  nounOf,
  pointText,
  rangeTitle,
  titleOf,
  valuesOf,
} from '../drawer/words.ts'

/* The texts of a report, and its lists. */

/** Codes that a report has pages for. */
export const CODES_MAX = 50

/** "Last 30 days: Oct 25 – Nov 23, 2026". */
export function periodText(view: View, range: Figures['range'], zone: string): string {
  const last = new Date(Math.max(Date.parse(range.from), Date.parse(range.to) - 1))
  const shownZone = range.snapped ? 'UTC' : zone
  const days = formatPeriod(new Date(range.from), last, shownZone, view.range === '24h')
  return view.range === 'free' ? days : `${rangeTitle(view.range)}: ${days}`
}

/** The zone in which the days begin. */
export const zoneText = ({ snapped }: Figures['range'], zone: string) =>
  snapped ? 'Days in UTC: for older scans we only keep totals by day' : `Time zone: ${zone}`

/** Whether people or bots are counted, and the filters that are on. */
export function shownText({ kind, filters }: View, codes?: readonly Ruled[]): string {
  const who = kind === 'people' ? 'People' : 'Bots, link previews, and the like'
  const on = filterTexts(filters, codes)
  return on.length === 0 ? `${who}, no filters` : `${who}, only ${on.join(', ')}`
}

/** How scans are counted, in a few words, with the versions of the rules for people and bots. */
export function definitionsText(kind: View['kind'], rules: readonly number[]): string {
  const word = rules.length === 1 ? 'version' : 'versions'
  const versions = rules.length === 0 ? '' : ` (${word} ${listText(rules.map(String))})`
  const counts =
    kind === 'people'
      ? 'each time a person opened the link, without bots and link previews. Visitors: different devices, counted once per code per day (UTC).'
      : 'each time a bot, a link preview, or the like opened the link.'
  const places = 'Places are looked up from IP addresses, which aren’t kept.'
  return `How we count ${nounOf(kind)}s${versions}: ${counts} ${places}`
}

/** The line in one sentence, for people who do not see it. */
export function lineText({ scans, points, range }: Figures, kind: View['kind']): string {
  const best = bestOf(points)
  const all = `${titleOf(kind)} by ${range.by}: ${formatCount(scans)} in all`
  return best
    ? `${all}, the most ${counted(best.scans, nounOf(kind))}: ${pointText(best.at, range.by)}`
    : all
}

/** Which codes have a page of their own behind the summary of all. */
export type CodePages = 'none' | 'scanned' | 'all'

type Listed = Record<CodePages, readonly QrCode[]>

/** The codes of each choice, those with the most scans first. */
export function listedCodes(codes: readonly QrCode[], ranking: Ranking): Listed {
  const byId = new Map(codes.map((code) => [code.id, code]))
  const scanned = ranking.codes.flatMap(({ id }) => byId.get(id) ?? [])
  const isScanned = new Set(scanned)
  return {
    none: [],
    scanned,
    all: [...scanned, ...codes.filter((code) => !isScanned.has(code))],
  }
}

/** The choices that differ. */
export function pageChoices({ scanned, all }: Listed) {
  const [some, every] = [scanned.length, all.length]
  return [
    { value: 'none' as const, label: 'Summary' },
    ...(some > 0
      ? [{ value: 'scanned' as const, label: `Codes with scans (${formatCount(some)})` }]
      : []),
    ...(every > some
      ? [{ value: 'all' as const, label: `All codes (${formatCount(every)})` }]
      : []),
  ]
}

/** A sentence on the pages behind the summary of all codes; null if there are none. */
export function codesText(shown: number, all: number): string | null {
  if (all === 0) return null
  if (all > shown) {
    return `A page for each of the ${formatCount(shown)} codes with the most scans, of ${formatCount(all)}.`
  }
  return all === 1 ? 'A page for one code.' : `A page for each of ${formatCount(all)} codes.`
}

type MissingParts = { name: string; parts: readonly string[] }

/** Codes that are named if a part is missing. */
const NAMED_MAX = 5

/** The parts that are missing: "Countries of Menu; Cities of Poster". */
export function missingText(missing: readonly MissingParts[]): string {
  const named = missing
    .slice(0, NAMED_MAX)
    .map(({ name, parts }) => `${listText(parts)} of ${name}`)
  const more = missing.length - named.length
  return [...named, ...(more > 0 ? [`and of ${counted(more, 'more code')}`] : [])].join('; ')
}

/** Rows of one list on paper. */
export const TOP = 5

export type TopRow = Breakdown['rows'][number]
export type TopValues = {
  rows: TopRow[]
  /** The scans of all other values together, and how many values they are: "and 12 others". */
  rest: { text: string; scans: number } | null
}

/** The values with the most scans, with those that are not known among them as in the drawer. */
export const topValues = (facet: Facet, breakdown: Breakdown): TopValues =>
  topOf(valuesOf(facet, breakdown), breakdown.others)

/** The codes with the most scans. */
export const topCodes = ({ codes, others }: Ranking): TopValues =>
  topOf(
    codes.map(({ id, name, scans }) => ({ value: id, label: name, scans })),
    others,
  )

function topOf(all: TopRow[], others: number): TopValues {
  // A single other value fits on the line that would count it.
  if (others === 0 && all.length <= TOP + 1) return { rows: all, rest: null }
  const left = all.slice(TOP)
  const scans = left.reduce((sum, row) => sum + row.scans, others)
  return { rows: all.slice(0, TOP), rest: { text: othersText(left.length, others > 0), scans } }
}

function othersText(count: number, isMore: boolean): string {
  if (isMore) return `and more than ${formatCount(Math.max(count, LIST_ROWS_MAX - TOP))} others`
  return `and ${formatCount(count)} others`
}
