import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import type { Facet, Step } from '#contract/analytics/figure-values.ts'
import type { Breakdown, Classes, Figures, Heatmap, Now } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { callQuery, type View } from './asked/view.ts'

/** What is asked about: a code's id or '' for all, and the view. */
export type Asked = { code: string; view: View }

/**
 * Whose figures are shown: one's own; or those of a page that somebody shares by a link, where nothing
 * but figures can be read. Those are read again from time to time: no stream tells of scans there.
 */
export type Source = { path: string; isShared: boolean; readAgainMs: number | false }

export const SourceContext = createContext<Source>({
  path: '/api/analytics',
  isShared: false,
  readAgainMs: false,
})
export const useSource = () => useContext(SourceContext)

/** What is not in sight is not read, and not read again when a scan has come. */
type Options = { enabled: boolean }

/** The former answer stays until the next one has come: nothing flickers. */
function useAnswer<Answer>(path: string, { enabled }: Options) {
  const source = useSource()
  return useQuery<Answer>({
    queryKey: [source.path, path],
    placeholderData: keepPreviousData,
    refetchInterval: source.readAgainMs,
    enabled,
  })
}

export const useFigures = ({ code, view }: Asked) =>
  useAnswer<Figures>(`figures${callQuery(code, view)}`, { enabled: true })

/** The same by another step than the chart's. */
export const useFiguresBy = ({ code, view }: Asked, by: Step, options: Options) =>
  useAnswer<Figures>(`figures${callQuery(code, { ...view, by })}`, options)

export const useBreakdown = ({ code, view }: Asked, facet: Facet, options: Options) =>
  useAnswer<Breakdown>(`breakdown${callQuery(code, withoutStep(view), { facet })}`, options)

export const useHeatmap = ({ code, view }: Asked, options: Options) =>
  useAnswer<Heatmap>(`heatmap${callQuery(code, withoutStep(view))}`, options)

export const useClasses = ({ code, view }: Asked, options: Options) =>
  useAnswer<Classes>(`classes${callQuery(code, withoutStep(view))}`, options)

/** Another step of the line is no other list. */
const withoutStep = (view: View): View => ({ ...view, by: undefined })

/** A minute goes by without a scan, too. */

export function useNow(code: string, { enabled }: Options) {
  const { path } = useSource()
  return useQuery<Now>({
    queryKey: [path, `now${code && `?qr=${code}`}`],
    refetchInterval: MINUTE_MS,
    enabled,
  })
}

/** All scans of each code. */
export const useScansByCode = ({ enabled }: Options) =>
  useQuery<ScansByCode>({ queryKey: ['/api/analytics/qr-codes'], enabled })
