import { facets } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import { formatPeriod } from '../../dates.ts'
import { counted, formatCount } from '../../ui/formats.ts'
import type { View } from '../drawer/asked/view.ts'
import { facetWords, nounOf, pointText, rangeNames, titleOf, valueText } from '../drawer/words.ts'

/* What a report says. */

/** Codes that a report of all codes has pages for. */
export const CODES_MAX = 50

/** "Last 30 days: Oct 25 – Nov 23, 2026". */
export function periodText(view: View, range: Figures['range'], zone: string): string {
  const last = new Date(Math.max(Date.parse(range.from), Date.parse(range.to) - 1))
  const shownZone = range.snapped ? 'UTC' : zone
  const days = formatPeriod(new Date(range.from), last, shownZone, view.range === '24h')
  if (view.range === 'free') return days
  return `${view.range === 'all' ? rangeNames.all : `Last ${rangeNames[view.range]}`}: ${days}`
}

/** In which zone the days begin. */
export const zoneText = ({ snapped }: Figures['range'], zone: string) =>
  snapped ? 'Days in UTC: of older scans only the sums of such days are kept' : `Time zone: ${zone}`

/** Whose scans are counted, and which filters are on. */
export function shownText({ kind, filters }: View): string {
  const who = kind === 'people' ? 'People' : 'Bots, link previews and the like'
  const on = facets.flatMap((facet) => {
    const value = filters[facet]
    return value === undefined ? [] : [`${facetWords[facet].one}: ${valueText(facet, value)}`]
  })
  return on.length === 0 ? `${who}, without filters` : `${who}, only ${on.join(', ')}`
}

/** How the figures are counted, in a few words. */
export function definitionsText(kind: View['kind'], rules: readonly number[]): string {
  const [counts, visitors] =
    kind === 'people'
      ? [
          'A scan: each time a person opened the link; bots and link previews are left out.',
          ' Visitors: different people; somebody who scans a code on two days (UTC) counts twice.',
        ]
      : ['A visit: each time a bot, a link preview or the like opened the link.', '']
  const places = ' Places are looked up from addresses, which are not kept.'
  const by =
    rules.length > 0
      ? ` People and bots are told apart by version ${rules.join(' and ')} of our rules.`
      : ''
  return `${counts}${visitors}${places}${by}`
}

/** The line in one sentence, for those who do not see it. */
export function lineText({ scans, points, range }: Figures, kind: View['kind']): string {
  const best = points.reduce<Figures['points'][number] | undefined>(
    (most, point) => (point.scans > (most?.scans ?? 0) ? point : most),
    undefined,
  )
  const all = `${titleOf(kind)} by ${range.by}: ${formatCount(scans)} in all`
  return best
    ? `${all}, the most ${counted(best.scans, nounOf(kind))}: ${pointText(best.at, range.by)}`
    : all
}

/** What the report of all codes says of the pages that follow; null where there are none. */
export function codesText(shown: number, all: number): string | null {
  if (all === 0) return null
  if (all > shown) {
    return `The ${formatCount(shown)} codes with the most scans follow, of ${formatCount(all)}.`
  }
  return all === 1 ? 'One code follows.' : `All ${formatCount(all)} codes follow.`
}

/** "Countries, Cities and Picture". */
export const listed = (parts: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(parts)

/** Codes that are named where their figures are missing. */
const NAMED_MAX = 5

/** Which figures are missing: "Countries of Menu; Cities of Poster". */
export function missingText(
  missing: readonly { name: string; parts: readonly string[] }[],
): string {
  const named = missing.slice(0, NAMED_MAX).map(({ name, parts }) => `${listed(parts)} of ${name}`)
  const more = missing.length - named.length
  return [...named, ...(more > 0 ? [`and of ${counted(more, 'more code')}`] : [])].join('; ')
}
