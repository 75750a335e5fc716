import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { LIST_ROWS_MAX, utmParameters } from '#contract/analytics/figure-values.ts'
import { type Ranking, ranking, rankingQuery } from '#contract/analytics/figures.ts'
import { utmValues } from '#contract/analytics/utm.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import { orMade } from '../../or-made.ts'
import { orTooLong } from './counter.ts'
import type { FiguresDeps } from './figures-routes.ts'
import { type CodesFor, resolveQuery } from './query.ts'

/** The names of the tags of codes. */
type TagsOf = (code: { id: string }) => string[]

export type RankingDeps = Pick<FiguresDeps, 'scans' | 'clock' | 'inTurn'> & {
  codesFor: CodesFor
  /** Reads the tags of these codes of an account. */
  tagsOf: (workspaceId: WorkspaceId, ids: readonly string[]) => Promise<TagsOf>
}

/** Which codes and tags have the most scans, of those that a query asks for. */
export async function rankingRoutes(plain: FastifyInstance, deps: RankingDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { inTurn, codesFor, tagsOf } = deps
  const schema = { querystring: rankingQuery, response: { 200: ranking } }
  app.get('/api/analytics/ranking', { schema }, (request) =>
    inTurn(request, async (count) => {
      const { workspaceId } = request.actor
      const asked = await resolveQuery(deps, request.query, { workspaceId, codesFor })
      const { codes, scans, utmFrom, wordOf } = asked
      const counts = orTooLong(await count(scans, { ask: 'codes' }))
      const scanned = codes
        .map(({ id, name }) => ({ id, name, scans: counts.get(id) ?? 0 }))
        .filter((code) => code.scans > 0)
        .sort(mostFirst)
      const ids = scanned.map(({ id }) => id)
      const from = utmFrom * QUARTERS_A_DAY
      const { met, older } = orTooLong(await count(scans, { ask: 'utms', from }))
      const today = [...older]
        .map(([id, scans]) => ({ id, word: wordOf(id), scans }))
        .filter(({ scans }) => scans > 0)
      const utm = byUtm([...met, ...today])
      return { ...rankingOf(scanned, await tagsOf(workspaceId, ids)), utm }
    }),
  )
}

type Scanned = Ranking['codes'][number]
type Tagged = Ranking['tags'][number]

const mostFirst = (one: { name: string; scans: number }, other: { name: string; scans: number }) =>
  other.scans - one.scans || (one.name < other.name ? -1 : 1)

const sumOf = (codes: Scanned[]) => codes.reduce((sum, { scans }) => sum + scans, 0)

/** @param codes all that have scans, most first */
export function rankingOf(codes: Scanned[], tagsOf: TagsOf): Omit<Ranking, 'utm'> {
  return {
    codes: codes.slice(0, LIST_ROWS_MAX),
    tags: sumsBy(codes, tagsOf),
    others: sumOf(codes.slice(LIST_ROWS_MAX)),
    scans: sumOf(codes),
  }
}

type Named = { id: string; scans: number }

/** Scans together by the names that each has; a code counts once for a name. */
function sumsBy<Each extends Named>(all: Each[], namesOf: (each: Each) => string[]): Tagged[] {
  const sums = new Map<string, { codes: Set<string>; scans: number }>()
  for (const each of all) {
    for (const name of namesOf(each)) {
      const sum = orMade(sums, name, () => ({ codes: new Set<string>(), scans: 0 }))
      sum.codes.add(each.id)
      sum.scans += each.scans
    }
  }
  const rows = [...sums].map(([name, { codes, scans }]) => ({
    name,
    scannedCodes: codes.size,
    scans,
  }))
  return rows.sort(mostFirst)
}

/** Scans by the UTM parameters that they met: those of one code may have met several. */
function byUtm(counts: (Named & { word: string | null })[]): Ranking['utm'] {
  return utmParameters.flatMap((parameter, index) =>
    sumsBy(counts, ({ word }) => [utmValues(word)[index] ?? []].flat())
      .slice(0, LIST_ROWS_MAX)
      .map((sum) => ({ parameter, ...sum })),
  )
}
