import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type {
  Breakdown,
  Classes,
  Figures,
  Heatmap,
  Now,
  Ranking,
} from '#contract/analytics/figures.ts'
import { branchName, type Ruled } from '#contract/codes/branch-name.ts'
import type { StatesPart } from '#contract/codes/code-history.ts'
import { type KeptField, keptFieldNames } from '#contract/codes/rule-values.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { callQuery, nowQuery, type View } from './view/view.ts'

/** The subject of a call: a code's id or '' for all, and the view. */
export type Asked = { code: string; view: View }

/**
 * The source of the figures: the user's own; or a page that an owner shares by a link, which has nothing
 * but figures. Those are read again from time to time, since the page has no stream of scans.
 */
export type Source = { path: string; isShared: boolean; readAgainMs: number | false }

export const SourceContext = createContext<Source>({
  path: '/api/analytics',
  isShared: false,
  readAgainMs: false,
})
export const useSource = () => useContext(SourceContext)

/** The reader's codes, whose rules have names. */
export const RuledCodes = createContext<readonly Ruled[]>([])
export const useRuledCodes = () => useContext(RuledCodes)

/** A card that is not in sight reads nothing, also when a scan has come. */
type Options = { enabled: boolean }

/** The former answer stays until the next one has come: nothing flickers. */
function useAnswer<Answer>(path: string, { enabled }: Options, readAgainMs?: number) {
  const source = useSource()
  return useQuery<Answer>({
    queryKey: [source.path, path],
    placeholderData: keepPreviousData,
    refetchInterval: readAgainMs ?? source.readAgainMs,
    enabled,
  })
}

export const useFigures = ({ code, view }: Asked, options: Options = { enabled: true }) =>
  useAnswer<Figures>(`figures${callQuery(code, view)}`, options)

export function useBreakdown({ code, view }: Asked, facet: Facet, options: Options) {
  const codes = useRuledCodes()
  const path = `breakdown${callQuery(code, withoutStep(view), { facet })}`
  const answer = useAnswer<Breakdown>(path, options)
  if (facet !== 'branch' || !answer.data) return answer
  const { rows, ...sums } = answer.data
  const named = rows.map((row) => ({ ...row, label: branchName(codes, row.value) }))
  return { ...answer, data: { rows: named, ...sums } }
}

export const useHeatmap = ({ code, view }: Asked, options: Options) =>
  useAnswer<Heatmap>(`heatmap${callQuery(code, withoutStep(view))}`, options)

export const useClasses = ({ code, view }: Asked, options: Options) =>
  useAnswer<Classes>(`classes${callQuery(code, withoutStep(view))}`, options)

/** A list is the same for each step of the line. */
const withoutStep = (view: View): View => ({ ...view, by: undefined })

/** The codes and tags with the most scans, of all codes. */
export const useRanking = (view: View, options: Options) =>
  useAnswer<Ranking>(`ranking${callQuery('', withoutStep(view))}`, options)

/** The last half hour moves on without a scan, too. */
export const useNow = ({ code, view }: Asked, options: Options) =>
  useAnswer<Now>(`now${nowQuery(code, view)}`, options, MINUTE_MS)

/** The last changes of a code, for marks in its chart. */
export function useChanges(id: string, { enabled }: Options) {
  const select = ({ items }: StatesPart) =>
    items
      .filter(({ changed }) => changed.length > 0)
      .map(({ at, changed }) => ({ at, words: `${changed.map(nameOfField).join(', ')} changed` }))
  return useQuery<StatesPart, Error, { at: string; words: string }[]>({
    queryKey: [`/api/qr-codes/${id}/history`],
    enabled,
    select,
  })
}

const nameOfField = (field: KeptField, index: number) =>
  index === 0 ? keptFieldNames[field] : keptFieldNames[field].toLowerCase()

/** All scans of each code. */
export const useScansByCode = ({ enabled }: Options) =>
  useQuery<ScansByCode>({ queryKey: ['/api/analytics/qr-codes'], enabled })
