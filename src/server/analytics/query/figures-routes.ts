import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  breakdown,
  breakdownQuery,
  classes,
  type FiguresQuery,
  figures,
  figuresQuery,
  heatmap,
} from '#contract/analytics/figures.ts'
import type { z } from '#contract/zod.ts'
import { instantOf } from '../../dates.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { hangUpSignal } from '../../http/queue/request-queue.ts'
import { RULES_VERSION } from '../record/classification.ts'
import { type AskedDeps, askedScans } from './asked-scans.ts'
import type { CountAnswer, Question } from './count-task.ts'
import type { Counter } from './counter.ts'
import { labelOf } from './labels.ts'
import type { Sums } from './quarter-sums.ts'
import { type CountedRange, pointsOf } from './range.ts'
import { classRows } from './reasons.ts'

/** Who asks, and about which codes it may. `owner` takes turns for the thread that counts. */
export type Reader = Pick<AskedDeps<{ id: string }>, 'codesOf' | 'ownCode'> & {
  userId: string
  owner: string
}

export type FiguresDeps = Pick<AskedDeps<{ id: string }>, 'reads' | 'clock'> & {
  /** The calls are below it. A hook of the scope has said that the request may make them. */
  path: string
  readerOf: (request: FastifyRequest) => Reader
  /** The queue of those who ask */
  inTurn: InTurn
  counter: Counter
}

type Ask = Question['ask']
type Asked<Query extends FiguresQuery> = {
  query: Query
  range: CountedRange
  count: <A extends Ask>(question: Extract<Question, { ask: A }>) => Promise<CountAnswer<A>>
}

export async function figuresRoutes(plain: FastifyInstance, deps: FiguresDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { reads, clock, path, inTurn, counter } = deps

  /** Answers in turn, with the range that is asked for and a way to count it. */
  const counted = <Query extends FiguresQuery, Body>(
    request: FastifyRequest & { query: Query },
    answer: (asked: Asked<Query>) => Promise<Body>,
  ): Promise<Body> =>
    inTurn(request, async () => {
      const { query } = request
      const { userId, owner, ...codes } = deps.readerOf(request)
      const { range, order } = await askedScans({ reads, clock, ...codes }, query, userId)
      const count: Asked<Query>['count'] = (question) =>
        counter.count({ ...order, question }, hangUpSignal(request), owner)
      return answer({ query, range, count })
    })

  const asks = <Query extends z.ZodType, Body extends z.ZodType>(query: Query, body: Body) => ({
    schema: { querystring: query, response: { 200: body } },
  })

  app.get(`${path}/figures`, asks(figuresQuery, figures), (request) =>
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

  app.get(`${path}/breakdown`, asks(breakdownQuery, breakdown), (request) =>
    counted(request, async ({ query: { facet }, count }) => {
      const { values, ...sums } = await count({ ask: 'list', facet })
      const rows = values.map(({ value, scans }) => ({
        ...{ value, scans },
        label: labelOf(facet, value),
      }))
      return { rows, ...sums }
    }),
  )

  app.get(`${path}/heatmap`, asks(figuresQuery, heatmap), (request) =>
    counted(request, async ({ range: { offsets }, count }) => {
      const { rows } = await count({ ask: 'week', offsets })
      return { rows, scans: rows.flat().reduce((sum, scans) => sum + scans, 0) }
    }),
  )

  app.get(`${path}/classes`, asks(figuresQuery, classes), (request) =>
    counted(request, async ({ count }) => {
      const { rows } = await count({ ask: 'classes' })
      return { rows: classRows(rows) }
    }),
  )
}

const sumOf = (all: Sums[]): Sums =>
  all.reduce(
    (sum, { scans, visitors }) => ({
      scans: sum.scans + scans,
      visitors: sum.visitors + visitors,
    }),
    { scans: 0, visitors: 0 },
  )
