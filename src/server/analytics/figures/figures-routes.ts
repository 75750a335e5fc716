import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type Facet, facets } from '#contract/figure-values.ts'
import {
  breakdown,
  breakdownQuery,
  classes,
  type FiguresQuery,
  figures,
  figuresQuery,
  heatmap,
} from '#contract/figures.ts'
import type { z } from '#contract/zod.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { InTurn } from '../../http/account-turns.ts'
import { hungUp } from '../../http/hung-up.ts'
import { RULES_VERSION } from '../capture/classification.ts'
import { QUARTER_MS } from '../instants.ts'
import { markOf } from '../ledger/marks.ts'
import { WHOLE_FROM } from '../ledger/rebuild.ts'
import type { CountAnswer, Question } from './count-task.ts'
import type { Counter } from './counter.ts'
import { labelOf } from './labels.ts'
import type { Sums } from './quarter-sums.ts'
import { type CountedRange, pointsOf, rangeOf } from './range.ts'
import { classRows } from './reasons.ts'
import { firstQuarter } from './rollups.ts'

export type FiguresDeps = {
  reads: Db
  clock: Clock
  requireUser: onRequestHookHandler
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  counter: Counter
  /** The account's listed codes. */
  codesOf: (userId: string) => Promise<{ id: string }[]>
  /** The account's listed code with this id. @throws AppError code_not_found */
  ownCode: (userId: string, id: string) => Promise<{ id: string }>
}

type Ask = Question['ask']
type Asked<Query extends FiguresQuery> = {
  query: Query
  range: CountedRange
  count: <A extends Ask>(question: Extract<Question, { ask: A }>) => Promise<CountAnswer<A>>
}

export async function figuresRoutes(plain: FastifyInstance, deps: FiguresDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { reads, clock, inListTurn, counter } = deps
  app.addHook('onRequest', deps.requireUser)

  /** Answers in the account's turn, with the range that is asked for and a way to count it. */
  const counted = <Query extends FiguresQuery, Body>(
    request: FastifyRequest & { query: Query },
    answer: (asked: Asked<Query>) => Promise<Body>,
  ): Promise<Body> =>
    inListTurn(request, async () => {
      const { query, userId } = request
      const codes =
        query.qr === undefined ? await deps.codesOf(userId) : [await deps.ownCode(userId, query.qr)]
      const codeIds = codes.map(({ id }) => id)
      const wholeFrom = (await markOf(reads, WHOLE_FROM))?.at ?? 0
      const first = query.range === 'all' ? await firstQuarter(reads, codeIds) : undefined
      const range = rangeOf(query, { now: clock(), first, wholeFrom })
      const { from, to } = range
      const order = { userId, codeIds, wholeFrom, from, to, kind: query.kind }
      const filters = filtersOf(query)
      const count: Asked<Query>['count'] = (question) =>
        counter.count({ ...order, filters, question }, hungUp(request))
      return answer({ query, range, count })
    })

  const asks = <Query extends z.ZodType, Body extends z.ZodType>(query: Query, body: Body) => ({
    schema: { querystring: query, response: { 200: body } },
  })

  app.get('/api/analytics/figures', asks(figuresQuery, figures), (request) =>
    counted(request, async ({ query, range, count }) => {
      const { labels, starts, before } = pointsOf(range)
      const answer = await count({ ask: 'points', starts, before })
      const shown = ({ scans, visitors }: Sums) => ({
        scans,
        visitors: query.kind === 'people' ? visitors : null,
      })
      return {
        range: {
          from: instantOf(range.from),
          to: instantOf(range.to),
          by: range.by,
          snapped: range.snapped,
        },
        ...shown(sumOf(answer.sums)),
        before: answer.before ? shown(sumOf(answer.before)) : null,
        points: answer.sums.map((sums, index) => ({
          at: labels[index] as string,
          ...shown(sums),
          before: answer.before?.[index]?.scans ?? null,
        })),
        rules: answer.rules.length > 0 ? answer.rules : [RULES_VERSION],
      }
    }),
  )

  app.get('/api/analytics/breakdown', asks(breakdownQuery, breakdown), (request) =>
    counted(request, async ({ query: { facet }, count }) => {
      const { values, ...sums } = await count({ ask: 'list', facet })
      const rows = values.map(({ value, scans }) => ({
        ...{ value, scans },
        label: labelOf(facet, value),
      }))
      return { rows, ...sums }
    }),
  )

  app.get('/api/analytics/heatmap', asks(figuresQuery, heatmap), (request) =>
    counted(request, async ({ range: { offsets }, count }) => {
      const { rows } = await count({ ask: 'week', offsets })
      return { rows, scans: rows.flat().reduce((sum, scans) => sum + scans, 0) }
    }),
  )

  app.get('/api/analytics/classes', asks(figuresQuery, classes), (request) =>
    counted(request, async ({ count }) => {
      const { rows } = await count({ ask: 'classes' })
      return { rows: classRows(rows) }
    }),
  )
}

function filtersOf(query: FiguresQuery): Partial<Record<Facet, string>> {
  const asked = facets.filter((facet) => query[facet] !== undefined)
  return Object.fromEntries(asked.map((facet) => [facet, query[facet]]))
}

const instantOf = (quarter: number) => new Date(quarter * QUARTER_MS).toISOString()

const sumOf = (all: Sums[]): Sums =>
  all.reduce(
    (sum, { scans, visitors }) => ({
      scans: sum.scans + scans,
      visitors: sum.visitors + visitors,
    }),
    { scans: 0, visitors: 0 },
  )
