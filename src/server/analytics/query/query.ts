import { facets, utmParameters } from '#contract/analytics/figure-values.ts'
import type { FiguresQuery, NowQuery } from '#contract/analytics/figures.ts'
import { hasUtm, utmOf } from '#contract/analytics/utm.ts'
import type { Clock } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import type { ScansStore, Selection, Wanted } from '../store/scans-store.ts'
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

/** Lists codes of an account, oldest first: all, or those asked for. @throws AppError code_not_found, invalid_input */
export type CodesFor<Code = CountedCode> = (
  workspaceId: WorkspaceId,
  asked?: AskedCodes,
) => Promise<Code[]>

/** The account that asks, and how its codes are found */
export type Asker<Code> = { workspaceId: WorkspaceId; codesFor: CodesFor<Code> }

/** `wordOf` gives the UTM word of where a code leads today, which scans before the UTC day `utmFrom` count for if they noted none. */
export type Query<Code> = {
  codes: Code[]
  range: CountedRange
  scans: Selection
  utmFrom: number
  wordOf: (id: string) => string | null
}

/** @throws AppError code_not_found, invalid_input */
export async function resolveQuery<Code extends CountedCode>(
  { scans: store, clock }: QueryDeps,
  asked: FiguresQuery,
  { workspaceId, codesFor }: Asker<Code>,
): Promise<Query<Code>> {
  const named = namedRange(asked)
  const codes = await codesFor(workspaceId, asked)
  const codeIds = codes.map(({ id }) => id)
  const { firstCompleteDay, utmFrom } = await store.completeness()
  const first = named === 'all' ? await store.of(workspaceId).first(codeIds) : undefined
  const range = rangeOf({ ...asked, range: named }, { now: clock(), first, firstCompleteDay })
  const { from, to } = range
  const hasOlder = from < utmFrom * QUARTERS_A_DAY
  const urls = new Map(hasOlder ? codes.map(({ id, url }) => [id, url]) : [])
  const wordOf = (id: string) => utmOf(urls.get(id) ?? '')
  const filters = filtersOn(utmParameters, asked)
  const utm = Object.keys(filters).length > 0 && {
    filters,
    before: utmFrom,
    codes: codeIds.filter((id) => hasUtm(wordOf(id), filters)),
  }
  const wanted = { ...wantedOf(asked), utm: utm || undefined }
  const scans = { workspaceId, codeIds, ...wanted, from, to, firstCompleteDay }
  return { codes, range, scans, utmFrom, wordOf }
}

/** The kind of visits, and the filters that are on. */
export const wantedOf = (asked: NowQuery): Wanted => ({
  kind: asked.kind,
  filters: filtersOn(facets, asked),
})

const filtersOn = <Name extends string>(
  names: readonly Name[],
  asked: Partial<Record<Name, string | undefined>>,
) =>
  Object.fromEntries(
    names.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])),
  ) as Partial<Record<Name, string>>
