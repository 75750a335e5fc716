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
import { classesOf, figuresOf, listOf, weekOf } from './answers.ts'
import type { Count } from './counter.ts'
import { type Asker, type Query, type QueryDeps, resolveQuery } from './query.ts'

export type FiguresDeps = QueryDeps & {
  /** The calls are below it. A hook of the scope lets only those requests through that may make them. */
  path: string
  askerOf: (request: FastifyRequest) => Asker<{ id: string }>
  /** Does a request's work when the turn of its reader comes. */
  inTurn: <T>(request: FastifyRequest, work: (count: Count) => Promise<T>) => Promise<T>
}

/** The figures of the drawer and of a shared page. */
export async function figuresRoutes(plain: FastifyInstance, deps: FiguresDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { path, askerOf, inTurn } = deps

  const asks = <Asked extends z.ZodType, Body extends z.ZodType>(query: Asked, body: Body) => ({
    schema: { querystring: query, response: { 200: body } },
  })

  const answer = <Body>(
    request: FastifyRequest & { query: FiguresQuery },
    count: (count: Count, query: Query<{ id: string }>) => Promise<Body>,
  ): Promise<Body> =>
    inTurn(request, async (counter) =>
      count(counter, await resolveQuery(deps, request.query, askerOf(request))),
    )

  app.get(`${path}/figures`, asks(figuresQuery, figures), (request) => answer(request, figuresOf))

  app.get(`${path}/breakdown`, asks(breakdownQuery, breakdown), (request) =>
    answer(request, (count, query) => listOf(count, query, request.query.facet)),
  )

  app.get(`${path}/heatmap`, asks(figuresQuery, heatmap), (request) => answer(request, weekOf))

  app.get(`${path}/classes`, asks(figuresQuery, classes), (request) => answer(request, classesOf))
}
