import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Breakdown, Classes, Figures, Heatmap } from '#contract/analytics/figures.ts'
import { instantOf } from '../../dates.ts'
import { RULES_VERSION } from '../record/classification.ts'
import { type Count, orTooLong } from './counter.ts'
import { classRows, labelOf } from './labels.ts'
import type { Query } from './query.ts'
import { pointsOf } from './range.ts'
import type { Sums } from './tallies.ts'

/*
 * The answers about a query, for the drawer, shared pages and mails.
 * All throw AppError range_too_long if the scans are too many to count, or kept no longer.
 */

type Asked = Query<{ id: string }>

/** @throws AppError invalid_input if the range has too many points */
export async function figuresOf(count: Count, { scans, range }: Asked): Promise<Figures> {
  const { labels, starts, before } = pointsOf(range)
  const answer = orTooLong(await count<'points'>(scans, { ask: 'points', starts, before }))
  const shown = (sums: Sums) => ({
    scans: sums.scans,
    visitors: scans.kind === 'people' ? sums.visitors : null,
  })
  const { by, snapped } = range
  return {
    range: { from: instantOf(range.from), to: instantOf(range.to), by, snapped },
    ...shown(sumOf(answer.sums)),
    before: answer.before ? shown(sumOf(answer.before)) : null,
    points: answer.sums.map((sums, index) => ({
      at: labels[index] as string,
      ...shown(sums),
      before: answer.before?.[index]?.scans ?? null,
    })),
    rules: answer.rules.length > 0 ? answer.rules : [RULES_VERSION],
  }
}

export async function listOf(count: Count, { scans }: Asked, facet: Facet): Promise<Breakdown> {
  const { values, ...sums } = orTooLong(await count<'list'>(scans, { ask: 'list', facet }))
  const rows = values.map((row) => ({ ...row, label: labelOf(facet, row.value) }))
  return { rows, ...sums }
}

export async function weekOf(count: Count, { scans, range }: Asked): Promise<Heatmap> {
  const { offsets } = range
  const rows = orTooLong(await count<'week'>(scans, { ask: 'week', offsets }))
  return { rows, scans: rows.flat().reduce((sum, each) => sum + each, 0) }
}

export async function classesOf(count: Count, { scans }: Asked): Promise<Classes> {
  return { rows: classRows(orTooLong(await count<'classes'>(scans, { ask: 'classes' }))) }
}

function sumOf(all: Sums[]): Sums {
  const sum = { scans: 0, visitors: 0 }
  for (const { scans, visitors } of all) {
    sum.scans += scans
    sum.visitors += visitors
  }
  return sum
}
