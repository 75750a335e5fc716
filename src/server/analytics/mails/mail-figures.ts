import type { Figures } from '#contract/analytics/figures.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { dateText } from '../../dates.ts'
import type { InCounterTurn } from '../query/counter.ts'
import type { Series } from '../query/daily-breakdown.ts'
import { figuresOf } from '../query/figures-routes.ts'
import { type CountedCode, type QueryDeps, resolveQuery } from '../query/query.ts'
import { pointsOf } from '../query/range.ts'
import type { SilencesOf } from '../query/silences.ts'
import type { AccountScans, Count, Period, ValueCount } from '../store/scans-store.ts'
import type { Days } from './mail-times.ts'

/** A code's scans by persons, and those in the period before */
export type CodeSums = { name: string; scans: number; before: number }

/** The figures of a period. A list that would be too long to count is undefined. */
export type MailFigures = Pick<Figures, 'scans' | 'visitors' | 'before'> & {
  /** The day with the most scans, the earliest of equals; undefined without scans */
  bestDay: { date: string; scans: number } | undefined
  codes: CodeSums[]
  countries: ValueCount[] | undefined
  devices: ValueCount[] | undefined
  /** Scans by weekday and hour: seven rows, Monday first, of 24 numbers each */
  week: number[][] | undefined
}

export type CountDeps = QueryDeps & { inCounterTurn: InCounterTurn }

/** A code that has fallen silent, and the instant of its last scan in epoch milliseconds */
export type SilentCode = { name: string; lastScan: number }

type Mailed = { workspaceId: WorkspaceId; codes: CountedCode[]; days: Days; zone: string }

const CODES = 5
const VALUES = 3

/** Counts what the drawer shows for the same days. @throws AppError if the counter is too busy */
export async function mailFigures(
  deps: CountDeps,
  { workspaceId, codes, days, zone }: Mailed,
): Promise<MailFigures> {
  const query = await resolveQuery(
    deps,
    {
      kind: 'people',
      range: 'free',
      from: days.first,
      to: days.last,
      by: 'day',
      tz: zone,
      weekStart: 1,
    },
    { workspaceId, codesFor: async () => codes },
  )
  const { scans: selection, range } = query
  const count: Count = (scans, question) =>
    deps.inCounterTurn(workspaceId, (count) => count(scans, question))
  const list = async (facet: 'country' | 'device') =>
    (await count(selection, { ask: 'list', facet }))?.values.slice(0, VALUES)
  const { scans, visitors, before, points } = await figuresOf(count, query)
  const { before: starts = [] } = pointsOf(range)
  const earlier = { from: starts[0] ?? range.from, to: starts.at(-1) ?? range.from }
  return {
    scans,
    visitors,
    before,
    bestDay: bestOf(points.map((point) => ({ date: point.at, scans: point.scans }))),
    codes: await topCodes(deps.scans.of(workspaceId), codes, [range, earlier]),
    countries: await list('country'),
    devices: await list('device'),
    week: await count(selection, { ask: 'week', offsets: range.offsets }),
  }
}

function bestOf(days: { date: string; scans: number }[]) {
  const most = Math.max(...days.map(({ scans }) => scans))
  return most > 0 ? days.find(({ scans }) => scans === most) : undefined
}

/** The silences that began to show after the last mail's days: so each is in one mail. */
export async function newlySilent(
  silencesOf: SilencesOf,
  { workspaceId, codes, days }: Omit<Mailed, 'zone'>,
  toldUntil: string,
): Promise<SilentCode[]> {
  const ids = codes.map(({ id }) => id)
  const silences = await silencesOf(workspaceId, ids)
  return codes.flatMap(({ id, name }) => {
    const silence = silences.get(id)
    const day = silence ? dateText(silence.showsFrom) : ''
    return silence && day > toldUntil && day <= days.last
      ? { name, lastScan: silence.lastScan }
      : []
  })
}

/** The codes with the most scans by persons in a period, most first; the second period is that before. */
async function topCodes(
  own: AccountScans,
  codes: Series[],
  periods: [period: Period, before: Period],
): Promise<CodeSums[]> {
  const ids = codes.map(({ id }) => id)
  const counts = await own.sumsByCode(ids, periods)
  return codes
    .map(({ id, name }) => {
      const [scans = 0, before = 0] = counts.get(id) ?? []
      return { name, scans, before }
    })
    .filter(({ scans }) => scans > 0)
    .sort((one, other) => other.scans - one.scans || (one.name < other.name ? -1 : 1))
    .slice(0, CODES)
}
