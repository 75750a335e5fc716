import { type Facet, LIST_ROWS_MAX, UNKNOWN } from '#contract/analytics/figure-values.ts'
import type { Breakdown } from '#contract/analytics/figures.ts'
import { formatCount } from '../../ui/formats.ts'
import { facetWords } from '../drawer/words.ts'

/** Rows of one list on paper. */
export const TOP = 5

export type TopRow = { key: string; label: string; scans: number }
export type TopValues = {
  rows: TopRow[]
  /** The scans of all values that are not among the rows, and in words how many values: "and 12 others". */
  rest: { text: string; scans: number } | null
}

/** The values with the most scans, that they are not known among them as in the drawer. */
export function topValues(facet: Facet, breakdown: Breakdown): TopValues {
  const { unknown, others } = breakdown
  const none = { value: UNKNOWN, label: facetWords[facet].unknown, scans: unknown }
  const all = [...breakdown.rows, ...(unknown > 0 ? [none] : [])]
    .map(({ value, label, scans }) => ({ key: value, label, scans }))
    .sort((a, b) => b.scans - a.scans)
  // One other has the line that would say so.
  if (others === 0 && all.length <= TOP + 1) return { rows: all, rest: null }
  const left = all.slice(TOP)
  const scans = left.reduce((sum, row) => sum + row.scans, others)
  return { rows: all.slice(0, TOP), rest: { text: othersText(left.length, others > 0), scans } }
}

function othersText(count: number, isMore: boolean): string {
  if (isMore) return `and more than ${formatCount(Math.max(count, LIST_ROWS_MAX - TOP))} others`
  return `and ${formatCount(count)} others`
}
