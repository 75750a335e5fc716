import { createContext } from 'react'
import type { Step } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import { browserZone, dayIn, formatDay } from '../../../dates.ts'
import { counted } from '../../../ui/formats.ts'
import type { Points } from '../../chart/drawing.ts'
import type { View } from '../asked/view.ts'
import { facetWords, nounOf, valueText, whenText } from '../words.ts'

/** Numbers as they are: people who open the file go on counting. */
export type Table = { head: readonly string[]; rows: readonly (readonly (string | number)[])[] }

export type Bar = { label: string; scans: number }
type Bars = { bars: readonly Bar[]; all: number; nameOfOne: string }

/** What a picture is drawn from. */
export type Drawn =
  | {
      kind: 'line'
      points: Points
      by: Step
      form: 'bars' | 'line'
      names: { scans: string; visitors: string | undefined; before: string | undefined }
    }
  | ({ kind: 'bars' } & Bars)
  | ({ kind: 'map'; countries: readonly { value: string; scans: number }[]; noun: string } & Bars)
  | { kind: 'hours'; rows: readonly (readonly number[])[]; noun: string }

/** What of the drawer can be kept as a file. */
export type Kept = {
  title: string
  /** In the file's name: "countries" */
  what: string
  /** How it is counted. */
  definition: string
  table: Table
  drawn: Drawn
}

/** Of what the figures are. `name` is the code's, undefined for all; days are such as 2026-11-22. */
export type About = {
  name: string | undefined
  isOfBots: boolean
  from: string
  to: string
  said: readonly string[]
  foot: readonly string[]
}

/** Null while the figures of another view are being read. */
export const AboutFigures = createContext<About | null>(null)

/** What stands around each picture of these figures. */
export function aboutFigures(name: string | undefined, view: View, figures: Figures): About {
  const { kind, filters } = view
  const { range, scans } = figures
  const own = browserZone() ?? 'UTC'
  const zone = range.snapped ? 'UTC' : own
  const from = dayIn(zone, range.from)
  const to = dayIn(zone, Date.parse(range.to) - 1)
  const chosen = Object.entries(filters).map(([facet, value]) => {
    const known = facet as keyof typeof facetWords
    return `${facetWords[known].one}: ${valueText(known, value)}`
  })
  const when = whenText({ range: 'free', from, to })
  return {
    ...{ name, from, to, isOfBots: kind === 'bots' },
    said: [
      name ?? 'All QR codes',
      `${counted(scans, nounOf(kind))}${kind === 'bots' ? ' by bots and link previews' : ''} ${when}`,
      ...(chosen.length > 0 ? [`Only ${chosen.join(', ')}`] : []),
    ],
    foot: footOf(range.snapped ? 'Days are in UTC.' : `Times are in ${zone}.`),
  }
}

/** What stands around pictures of all time. */
export function aboutAllTime(now: Date): About {
  const today = dayIn(browserZone() ?? 'UTC', now)
  return {
    ...{ name: undefined, from: today, to: today, isOfBots: false },
    ...{ said: ['All QR codes, since each one was made'], foot: footOf('') },
  }
}

const footOf = (more: string) => [`${more} Saved on ${formatDay(new Date())}.`.trim()]
