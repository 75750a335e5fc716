import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import type { Question, ValueCount } from '../query/count-task.ts'
import type { Counter, CountOrder } from '../query/counter.ts'
import type { Sums } from '../query/quarter-sums.ts'
import { pointsOf, rangeOf } from '../query/range.ts'
import type { Series } from '../query/series.ts'
import { FIRST_COMPLETE_DAY, markOf } from '../store/ledger/marks.ts'
import type { Days } from './mail-times.ts'
import { type CodeSums, topCodes } from './top-codes.ts'

/** What a mail tells of a period. A list that would be too long to count is undefined. */
export type MailFigures = Sums & {
  /** The days before it, as many; null where nothing is kept of them */
  before: Sums | null
  /** The day with the most scans, the earliest of equals; undefined without scans */
  bestDay: { date: string; scans: number } | undefined
  codes: CodeSums[]
  countries: ValueCount[] | undefined
  devices: ValueCount[] | undefined
  /** Scans by weekday and hour: seven rows, Monday first, of 24 numbers each */
  week: number[][] | undefined
}

export type CountDeps = { reads: Db; clock: Clock; counter: Counter }

const CODES = 5
const VALUES = 3

/** Counts what the drawer shows for the same days. @throws AppError where the counter is too busy */
export async function mailFigures(
  { reads, clock, counter }: CountDeps,
  { userId, codes, days, zone }: { userId: string; codes: Series[]; days: Days; zone: string },
): Promise<MailFigures> {
  const codeIds = codes.map(({ id }) => id)
  const firstCompleteDay = (await markOf(reads, FIRST_COMPLETE_DAY))?.at ?? 0
  const asked = { range: 'free', from: days.first, to: days.last, by: 'day', tz: zone } as const
  const range = rangeOf(asked, { now: clock(), first: undefined, firstCompleteDay })
  const { from, to, offsets } = range
  const order = {
    userId,
    codeIds,
    firstCompleteDay,
    from,
    to,
    kind: 'people',
    filters: {},
  } as const
  const count = <Ask extends Question['ask']>(question: CountOrder<Ask>['question']) =>
    counter.count<Ask>({ ...order, question })
  const { labels, starts, before = [] } = pointsOf(range)
  const sums = await count<'points'>({ ask: 'points', starts, before })
  const list = (facet: Facet) =>
    unlessTooLong(count<'list'>({ ask: 'list', facet }).then(({ values }) => values))
  const period = { from, to }
  const earlier = { from: before[0] ?? from, to: before.at(-1) ?? from }
  return {
    ...sumOf(sums.sums),
    before: sums.before ? sumOf(sums.before) : null,
    bestDay: bestOf(sums.sums.map(({ scans }, day) => ({ date: labels[day] ?? '', scans }))),
    codes: await topCodes(reads, codes, { period, before: earlier, limit: CODES }),
    countries: (await list('country'))?.slice(0, VALUES),
    devices: (await list('device'))?.slice(0, VALUES),
    week: await unlessTooLong(count<'week'>({ ask: 'week', offsets }).then(({ rows }) => rows)),
  }
}

function bestOf(days: { date: string; scans: number }[]) {
  const most = Math.max(...days.map(({ scans }) => scans))
  return most > 0 ? days.find(({ scans }) => scans === most) : undefined
}

async function unlessTooLong<T>(counted: Promise<T>): Promise<T | undefined> {
  try {
    return await counted
  } catch (error) {
    if (error instanceof AppError && error.code === 'range_too_long') return undefined
    throw error
  }
}

const sumOf = (all: Sums[]): Sums =>
  all.reduce(
    (sum, { scans, visitors }) => ({
      scans: sum.scans + scans,
      visitors: sum.visitors + visitors,
    }),
    { scans: 0, visitors: 0 },
  )
