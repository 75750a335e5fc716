import { useMemo } from 'react'
import {
  EARLIEST,
  type Facet,
  facets,
  type Range,
  ranges,
  type Step,
  steps,
} from '#contract/analytics/figure-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { browserZone } from '../../../formats.ts'
import { closeAbove, replaceSearch, useSearch } from '../../../ui/dialog/address-steps.ts'
import { queryWithStats, statsAskedBy } from '../../stats-address.ts'

export type Kind = 'people' | 'bots'
/** How the line is drawn. */
export type Form = 'bars' | 'line'
export type Filters = Partial<Record<Facet, string>>

/** Which figures the drawer shows. `from` and `to` are the days of a free range. */
export type View = {
  range: Range
  from: string | undefined
  to: string | undefined
  /** Undefined: as the server chooses. */
  by: Step | undefined
  kind: Kind
  form: Form
  filters: Filters
}

const DEFAULT_RANGE: Range = '30d'

/** The steps of a range. A line has a shape with neither too many points nor too few. */
const stepsOf: Record<Exclude<Range, 'free'>, readonly Step[]> = {
  '24h': ['hour'],
  '7d': ['hour', 'day'],
  'last-week': ['hour', 'day'],
  '30d': ['hour', 'day', 'week'],
  'this-month': ['hour', 'day', 'week'],
  'last-month': ['hour', 'day', 'week'],
  '90d': ['day', 'week', 'month'],
  '12m': ['day', 'week', 'month'],
  all: ['day', 'week', 'month'],
}

/** A line has at most this many days. */
export const DAYS_MAX = 800

/** The days of a range that a step suits. */
const suited: Record<Step, { least: number; most: number }> = {
  hour: { least: 1, most: 31 },
  day: { least: 2, most: DAYS_MAX },
  week: { least: 14, most: 5_600 },
  month: { least: 60, most: Number.POSITIVE_INFINITY },
}

/** The steps by which a range can be drawn. Where its days are not fixed, they are known once it is read. */
export function stepsFor(range: Range, days: number): readonly Step[] {
  const known = range === 'free' ? steps : stepsOf[range]
  const isBound = range === 'free' || range === 'all' || range === 'this-month'
  return known.filter((step) => {
    const { least, most } = suited[step]
    return !isBound || (days >= least && days <= most)
  })
}

/** A year that is being typed is long before the earliest day. */
const isDay = (text: string | null): text is string =>
  text !== null &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= EARLIEST &&
  !Number.isNaN(Date.parse(text))

/** The days from one to another, both included; 0 if they are not a range. */
export function daysOf(from: string | null, to: string | null): number {
  if (!isDay(from) || !isDay(to)) return 0
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1)
}

/** The server refuses a longer value. */
const VALUE_MAX = 200

/** The view that a query asks for. Values that mean nothing count as left out. */
export function viewOf(search: string): View {
  const asked = new URLSearchParams(search)
  const [from, to] = [asked.get('from'), asked.get('to')]
  const days = daysOf(from, to)
  const named = ranges.find((range) => range === asked.get('range')) ?? DEFAULT_RANGE
  const range = named === 'free' && days === 0 ? DEFAULT_RANGE : named
  const filters: Filters = {}
  for (const facet of facets) {
    const value = asked.get(facet)
    if (value && value.length <= VALUE_MAX) filters[facet] = value
  }
  return {
    range,
    from: range === 'free' && from ? from : undefined,
    to: range === 'free' && to ? to : undefined,
    by: steps.find((step) => step === asked.get('by') && isFor(step, range, days)),
    kind: asked.get('kind') === 'bots' ? 'bots' : 'people',
    form: asked.get('as') === 'line' ? 'line' : 'bars',
    filters,
  }
}

const isFor = (step: Step, range: Range, days: number) =>
  (range === 'free' ? stepsFor(range, days) : stepsOf[range]).includes(step)

/** The view as the calls take it and the address keeps it, without defaults. */
function paramsOf({ range, from, to, by, kind, filters }: View): [string, string][] {
  const all: [string, string | undefined][] = [
    ['range', range === DEFAULT_RANGE ? undefined : range],
    ['from', from],
    ['to', to],
    ['by', by],
    ['kind', kind === 'people' ? undefined : kind],
    ...facets.map((facet): [string, string | undefined] => [facet, filters[facet]]),
  ]
  return all.filter((param): param is [string, string] => param[1] !== undefined)
}

const own = ['range', 'from', 'to', 'by', 'kind', 'as', ...facets]

/** A query without the parameters of the drawer. Those of the list stay. */
export function queryWithoutStats(search: string): string {
  const rest = new URLSearchParams(search)
  for (const name of ['qr', 'stats', 'report', ...own]) rest.delete(name)
  return rest.size > 0 ? `?${rest}` : ''
}

/** The query that asks for a view of a code, of all, or with null on a page that shows nothing else. */
export function queryWithView(search: string, code: string | null, view: View): string {
  const query = queryWithoutStats(search)
  const rest = new URLSearchParams(code === null ? query : queryWithStats(query, code))
  for (const [name, value] of paramsOf(view)) rest.set(name, value)
  if (view.form === 'line') rest.set('as', view.form)
  return rest.size > 0 ? `?${rest}`.replace(/([?&]stats)=(?=&|$)/, '$1') : ''
}

/** The view after a change. Another range gets a step that suits it. */
export function viewAfter(view: View, change: Partial<View>): View {
  const next = { ...view, ...change }
  if (next.range !== 'free') next.from = next.to = undefined
  const days = daysOf(next.from ?? null, next.to ?? null)
  if (next.by && !isFor(next.by, next.range, days)) next.by = undefined
  return next
}

/** Adds a value to the filters, or removes it if it is there. */
export function toggled(filters: Filters, facet: Facet, value: string): Filters {
  const { [facet]: before, ...rest } = filters
  return before === value ? rest : { ...rest, [facet]: value }
}

/** The query for the last minutes, which have no range. */
export function nowQuery(code: string, { kind, filters }: View): string {
  const asked = new URLSearchParams(paramsOf({ ...viewOf(''), kind, filters }))
  if (code) asked.set('qr', code)
  return asked.size > 0 ? `?${asked}` : ''
}

/** The query of a call for analytics, in the browser's zone. Weeks begin on Monday, as in mails. */
export function callQuery(code: string, view: View, more: Record<string, string> = {}): string {
  const asked = new URLSearchParams({ tz: browserZone() ?? 'UTC' })
  if (code) asked.set('qr', code)
  for (const [name, value] of [...paramsOf(view), ...Object.entries(more)]) asked.set(name, value)
  return `?${asked}`
}

const ownQuery = (search: string) => queryWithView('', '', viewOf(search))

/** The view that the page's address asks for. The list's part of it changes nothing here. */
export function useView(): View {
  const query = useSearch(ownQuery)
  return useMemo(() => viewOf(query), [query])
}

/** Each change takes the place of the one before: Back closes the drawer. */
export function changeView(change: Partial<View>): void {
  replaceSearch((search) =>
    queryWithView(search, statsAskedBy(search), viewAfter(viewOf(search), change)),
  )
}

/** Shows another code, or all, in the same view. */
export const showStatsOf = (code: string) =>
  replaceSearch((search) => queryWithView(search, code, viewOf(search)))

export const closeStats = () => closeAbove(queryWithoutStats)
