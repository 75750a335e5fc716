import { facets, utmParameters } from '#contract/analytics/figure-values.ts'
import type { FiguresQuery, NowQuery } from '#contract/analytics/figures.ts'
import { hasUtm, utmOf } from '#contract/analytics/utm.ts'
import type { Clock } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import type { ScansStore, Selection, Wanted, WantedUtm } from '../store/scans-store.ts'
import type { Series } from './daily-breakdown.ts'
import { type CountedRange, namedRange, rangeOf } from './range.ts'

export type QueryDeps = {
  scans: ScansStore
  clock: Clock
}

/** The part of a query that names codes */
export type AskedCodes = Pick<FiguresQuery, 'qr' | 'tag' | 'externalId'>

/** A code that is counted, and where it leads today */
export type CountedCode = Series & { url: string }

/** The account that asks. `codesOf` lists those of its codes. @throws AppError code_not_found, invalid_input */
export type Asker<Code> = {
  workspaceId: WorkspaceId
  codesOf: (asked: AskedCodes) => Promise<Code[]>
}

/** Lists codes of an account, oldest first: all, or those asked for. @throws AppError code_not_found, invalid_input */
export type CodesFor<Code = CountedCode> = (
  workspaceId: WorkspaceId,
  asked?: AskedCodes,
) => Promise<Code[]>

export type Query<Code> = { codes: Code[]; range: CountedRange; scans: Selection }

/** @throws AppError code_not_found, invalid_input */
export async function resolveQuery<Code extends CountedCode>(
  deps: QueryDeps,
  asked: FiguresQuery,
  { workspaceId, codesOf }: Asker<Code>,
): Promise<Query<Code>> {
  const { clock } = deps
  const named = namedRange(asked)
  const codes = await codesOf(asked)
  const codeIds = codes.map(({ id }) => id)
  const complete = await deps.scans.firstCompleteDay()
  const first = named === 'all' ? await deps.scans.first(codeIds) : undefined
  const range = rangeOf(
    { ...asked, range: named },
    { now: clock(), first, firstCompleteDay: complete },
  )
  const { from, to } = range
  const scans = { workspaceId, codeIds, ...wantedOf(asked), from, to, firstCompleteDay: complete }
  return { codes, range, scans: { ...scans, utm: await wantedUtm(deps, asked, codes, scans) } }
}

async function wantedUtm(
  deps: QueryDeps,
  asked: FiguresQuery,
  codes: readonly CountedCode[],
  scans: Selection,
): Promise<WantedUtm | undefined> {
  const on = utmParameters.filter((name) => asked[name] !== undefined)
  if (on.length === 0) return undefined
  const filters = Object.fromEntries(on.map((name) => [name, asked[name]]))
  const { before, wordOf } = await utmToday(deps, codes, scans)
  return { filters, before, codes: scans.codeIds.filter((id) => hasUtm(wordOf(id), filters)) }
}

/**
 * The UTM words of where codes lead today, which scans before the UTC day `before` count for if they
 * noted none.
 */
export async function utmToday(
  { scans }: Pick<QueryDeps, 'scans'>,
  codes: readonly CountedCode[],
  { from }: Selection,
) {
  const before = await scans.utmFrom()
  const isAsked = from < before * QUARTERS_A_DAY
  const urls = new Map(isAsked ? codes.map(({ id, url }) => [id, url]) : [])
  return { before, wordOf: (id: string) => utmOf(urls.get(id) ?? '') }
}

/** The kind of visits, and the filters that are on. */
export function wantedOf(asked: NowQuery): Wanted {
  const on = facets.filter((facet) => asked[facet] !== undefined)
  return {
    kind: asked.kind,
    filters: Object.fromEntries(on.map((facet) => [facet, asked[facet]])),
  }
}
