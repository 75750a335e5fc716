import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Facet } from '#contract/analytics/figure-values.ts'
import {
  type Breakdown,
  breakdown,
  breakdownQuery,
  type Classes,
  classes,
  type Figures,
  type FiguresQuery,
  figures,
  figuresQuery,
  type Heatmap,
  heatmap,
} from '#contract/analytics/figures.ts'
import type { z } from '#contract/zod.ts'
import { isoOfQuarter } from '../../dates.ts'
import { RULES_VERSION } from '../record/classification.ts'
import type { Count, Sums } from '../store/scans-store.ts'
import { type InCountTurn, orTooLong } from './counter.ts'
import { classRows, labelOf } from './labels.ts'
import { type Asker, type CountedCode, type Query, type QueryDeps, resolveQuery } from './query.ts'
import { pointsOf } from './range.ts'

export type FiguresDeps = QueryDeps & {
  /** The calls are below it. A hook of the scope lets only those requests through that may make them. */
  path: string
  askerOf: (request: FastifyRequest) => Asker<CountedCode>
  inTurn: InCountTurn
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
    count: (count: Count, query: Query<CountedCode>) => Promise<Body>,
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

/*
 * The answers about a query, for the drawer, shared pages and mails.
 * All throw AppError range_too_long if the scans are too many to count, or kept no longer.
 */

type Asked = Query<{ id: string }>

/** @throws AppError invalid_input if the range has too many points */
export async function figuresOf(count: Count, { scans, range }: Asked): Promise<Figures> {
  const { labels, starts, before } = pointsOf(range)
  const answer = orTooLong(await count(scans, { ask: 'points', starts, before }))
  const shown = (sums: Sums) => ({
    scans: sums.scans,
    visitors: scans.kind === 'people' ? sums.visitors : null,
  })
  const { by, snapped } = range
  return {
    range: { from: isoOfQuarter(range.from), to: isoOfQuarter(range.to), by, snapped },
    ...shown(sumOf(answer.sums)),
    before: answer.before ? shown(sumOf(answer.before)) : null,
    points: answer.sums.map((sums, index) => ({
      at: labels[index] as string,
      ...shown(sums),
      before: hasStep(before, index) ? (answer.before?.[index]?.scans ?? null) : null,
    })),
    rules: answer.rules.length > 0 ? answer.rules : [RULES_VERSION],
  }
}

export async function listOf(count: Count, { scans }: Asked, facet: Facet): Promise<Breakdown> {
  const { values, ...sums } = orTooLong(await count(scans, { ask: 'list', facet }))
  const rows = values.map((row) => ({ ...row, label: labelOf(facet, row.value) }))
  return { rows, ...sums }
}

export async function weekOf(count: Count, { scans, range }: Asked): Promise<Heatmap> {
  const { offsets } = range
  const rows = orTooLong(await count(scans, { ask: 'week', offsets }))
  return { rows, scans: rows.flat().reduce((sum, each) => sum + each, 0) }
}

export async function classesOf(count: Count, { scans }: Asked): Promise<Classes> {
  return { rows: classRows(orTooLong(await count(scans, { ask: 'classes' }))) }
}

/** Whether the period before has this step: a shorter month has no 31st. */
const hasStep = (edges: number[] = [], index: number) => edges[index] !== edges[index + 1]

const sumOf = (all: Sums[]): Sums => ({
  scans: all.reduce((sum, { scans }) => sum + scans, 0),
  visitors: all.reduce((sum, { visitors }) => sum + visitors, 0),
})
