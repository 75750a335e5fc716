import { type Facet, facets } from '#contract/analytics/figure-values.ts'
import type { FiguresQuery } from '#contract/analytics/figures.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { FIRST_COMPLETE_DAY, markOf } from '../store/ledger/marks.ts'
import type { CountOrder } from './counter.ts'
import { type CountedRange, rangeOf } from './range.ts'
import { firstQuarter } from './rollups.ts'

export type AskedDeps<Code extends { id: string }> = {
  reads: Db
  clock: Clock
  /** The account's listed codes. */
  codesOf: (userId: string) => Promise<Code[]>
  /** The account's listed code with this id. @throws AppError code_not_found */
  ownCode: (userId: string, id: string) => Promise<Code>
}

/** Which scans a query asks for. `order` is what is counted of them. */
export type AskedScans<Code> = {
  codes: Code[]
  range: CountedRange
  order: Omit<CountOrder<'points'>, 'question'>
}

/** @throws AppError code_not_found, invalid_input */
export async function askedScans<Code extends { id: string }>(
  { reads, clock, codesOf, ownCode }: AskedDeps<Code>,
  query: FiguresQuery,
  userId: string,
): Promise<AskedScans<Code>> {
  const codes = query.qr === undefined ? await codesOf(userId) : [await ownCode(userId, query.qr)]
  const codeIds = codes.map(({ id }) => id)
  const firstCompleteDay = (await markOf(reads, FIRST_COMPLETE_DAY))?.at ?? 0
  const first = query.range === 'all' ? await firstQuarter(reads, codeIds) : undefined
  const range = rangeOf(query, { now: clock(), first, firstCompleteDay })
  const { from, to } = range
  const wanted = { kind: query.kind, filters: filtersOf(query) }
  return { codes, range, order: { userId, codeIds, firstCompleteDay, from, to, ...wanted } }
}

function filtersOf(query: FiguresQuery): Partial<Record<Facet, string>> {
  const asked = facets.filter((facet) => query[facet] !== undefined)
  return Object.fromEntries(asked.map((facet) => [facet, query[facet]]))
}
