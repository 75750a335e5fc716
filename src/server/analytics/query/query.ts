import { facets } from '#contract/analytics/figure-values.ts'
import type { FiguresQuery, NowQuery } from '#contract/analytics/figures.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { firstCompleteDay } from '../store/ledger/marks.ts'
import { type CountedRange, namedRange, rangeOf } from './range.ts'
import { firstQuarter } from './rollups.ts'
import type { Selection, Wanted } from './scan-rows.ts'

export type QueryDeps = { reads: Db; clock: Clock }

/** The account that asks. `codesOf` lists its codes, or the one with this id. @throws AppError code_not_found */
export type Asker<Code> = { userId: string; codesOf: (id?: string) => Promise<Code[]> }

export type Query<Code> = { codes: Code[]; range: CountedRange; scans: Selection }

/** @throws AppError code_not_found, invalid_input */
export async function resolveQuery<Code extends { id: string }>(
  { reads, clock }: QueryDeps,
  asked: FiguresQuery,
  { userId, codesOf }: Asker<Code>,
): Promise<Query<Code>> {
  const named = namedRange(asked)
  const codes = await codesOf(asked.qr)
  const codeIds = codes.map(({ id }) => id)
  const complete = await firstCompleteDay(reads)
  const first = named === 'all' ? await firstQuarter(reads, codeIds) : undefined
  const range = rangeOf(
    { ...asked, range: named },
    { now: clock(), first, firstCompleteDay: complete },
  )
  const { from, to } = range
  return {
    codes,
    range,
    scans: { userId, codeIds, ...wantedOf(asked), from, to, firstCompleteDay: complete },
  }
}

/** The kind of visits, and the filters that are on. */
export function wantedOf(asked: NowQuery): Wanted {
  const on = facets.filter((facet) => asked[facet] !== undefined)
  return {
    kind: asked.kind,
    filters: Object.fromEntries(on.map((facet) => [facet, asked[facet]])),
  }
}
