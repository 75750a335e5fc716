import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { LIST_ROWS_MAX, utmParameters } from '#contract/analytics/figure-values.ts'
import { type Ranking, ranking, rankingQuery } from '#contract/analytics/figures.ts'
import type { Db } from '../../database/schema.ts'
import type { CodesOf } from './analytics-routes.ts'
import { orTooLong } from './counter.ts'
import type { Series } from './daily-breakdown.ts'
import type { FiguresDeps } from './figures-routes.ts'
import { resolveQuery } from './query.ts'

/** The names of the tags of codes. */
type TagsOf = (code: { id: string }) => string[]

export type RankingDeps = Pick<FiguresDeps, 'reads' | 'clock' | 'inTurn'> & {
  codesOf: CodesOf<Series>
  /** Reads the tags of these codes of an account. */
  tagsOf: (db: Db, userId: string, ids: readonly string[]) => Promise<TagsOf>
  /** Reads where these codes of an account lead, by id. */
  destinationsOf: (db: Db, userId: string, ids: readonly string[]) => Promise<Map<string, string>>
}

/** Which codes and tags have the most scans, of those that a query asks for. */
export async function rankingRoutes(plain: FastifyInstance, deps: RankingDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { reads, inTurn, codesOf, tagsOf, destinationsOf } = deps
  const schema = { querystring: rankingQuery, response: { 200: ranking } }
  app.get('/api/analytics/ranking', { schema }, (request) =>
    inTurn(request, async (count) => {
      const { userId } = request
      const asker = { userId, codesOf: () => codesOf(userId) }
      const { codes, scans } = await resolveQuery(deps, request.query, asker)
      const counts = orTooLong(await count(scans, { ask: 'codes' }))
      const scanned = codes
        .map(({ id, name }) => ({ id, name, scans: counts.get(id) ?? 0 }))
        .filter((code) => code.scans > 0)
        .sort(mostFirst)
      const ids = scanned.map(({ id }) => id)
      const urls = await destinationsOf(reads, userId, ids)
      return { ...rankingOf(scanned, await tagsOf(reads, userId, ids)), utm: byUtm(scanned, urls) }
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

/** The scans of codes together by the names that each has */
function sumsBy(codes: Scanned[], namesOf: TagsOf): Tagged[] {
  const sums = new Map<string, Tagged>()
  for (const code of codes) {
    for (const name of namesOf(code)) {
      const sum = sums.get(name) ?? { name, scannedCodes: 0, scans: 0 }
      sum.scannedCodes++
      sum.scans += code.scans
      sums.set(name, sum)
    }
  }
  return [...sums.values()].sort(mostFirst)
}

function byUtm(codes: Scanned[], urls: Map<string, string>): Ranking['utm'] {
  const named = [...urls].filter(([, url]) => url.includes('utm_'))
  const queries = new Map(named.map(([id, url]) => [id, URL.parse(url)?.searchParams]))
  const tracked = codes.filter(({ id }) => queries.has(id))
  return utmParameters.flatMap((parameter) => {
    const sums = sumsBy(tracked, ({ id }) => queries.get(id)?.getAll(parameter).slice(0, 1) ?? [])
    return sums.slice(0, LIST_ROWS_MAX).map((sum) => ({ parameter, ...sum }))
  })
}
