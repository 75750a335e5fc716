import { createContext } from 'react'
import type { Step } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import type { Ruled } from '#contract/codes/branch-name.ts'
import { browserZone, counted, dayIn, formatDay } from '../../../formats.ts'
import type { Table } from '../../chart/as-table.tsx'
import type { Points } from '../../chart/drawing.ts'
import type { Form, View } from '../view/view.ts'
import { filterTexts, nounOf, whenText } from '../words.ts'

/** A picture of bars. `all` are the scans of which they have their shares. */
export type Bars = {
  bars: readonly { label: string; scans: number }[]
  all: number
  nameOfOne: string
}

/** A picture of a line over time. */
export type Line = {
  points: Points
  by: Step
  form: Form
  names: { scans: string; visitors: string | undefined; before: string | undefined }
}

/** The figures that a picture shows. */
export type Drawn =
  | ({ kind: 'line' } & Line)
  | ({ kind: 'bars' } & Bars)
  | ({ kind: 'map'; countries: readonly { value: string; scans: number }[]; noun: string } & Bars)
  | { kind: 'hours'; rows: readonly (readonly number[])[]; noun: string }

/** A card of the drawer as a file. */
export type Kept = {
  title: string
  /** In the file's name, if that is not the title: "countries" */
  what?: string
  /** How it is counted. */
  definition: string
  /** Numbers as they are: people who open the file go on counting. */
  table: Table
  drawn: Drawn
}

/** The code, the days and the filters of figures. `name` is undefined for all codes; days are such as 2026-11-22. */
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

/** The texts around each picture of these figures. */
export function aboutFigures(
  name: string | undefined,
  view: View,
  figures: Figures,
  codes?: readonly Ruled[],
): About {
  const { range, scans } = figures
  const isOfBots = view.kind === 'bots'
  const zone = range.snapped ? 'UTC' : (browserZone() ?? 'UTC')
  const from = dayIn(zone, range.from)
  const to = dayIn(zone, Date.parse(range.to) - 1)
  const filters = filterTexts(view.filters, codes)
  const when = whenText({ range: 'free', from, to })
  return {
    name,
    from,
    to,
    isOfBots,
    said: [
      name ?? 'All QR codes',
      `${counted(scans, nounOf(view.kind))}${isOfBots ? ' by bots and link previews' : ''} ${when}`,
      ...(filters.length > 0 ? [`Only ${filters.join(', ')}`] : []),
    ],
    foot: footOf(range.snapped ? 'Days are in UTC.' : `Times are in ${zone}.`),
  }
}

/** The texts around pictures of all time. */
export function aboutAllTime(now: Date): About {
  const today = dayIn(browserZone() ?? 'UTC', now)
  return {
    name: undefined,
    from: today,
    to: today,
    isOfBots: false,
    said: ['All QR codes, since each one was made'],
    foot: footOf(''),
  }
}

const footOf = (more: string) => [`${more} Downloaded on ${formatDay(new Date())}.`.trim()]
