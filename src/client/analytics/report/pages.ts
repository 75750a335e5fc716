import pLimit from 'p-limit'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Breakdown, Figures, Heatmap } from '#contract/analytics/figures.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import { requestJson } from '../../api.ts'
import { draw } from '../../drawing/drawn-symbol.ts'
import { callQuery, type View } from '../drawer/view/view.ts'
import { facetWords, titleOf } from '../drawer/words.ts'
import { ALL } from '../stats-address.ts'

/** The lists of a page, in their order. */
export const listedFacets = [
  'country',
  'city',
  'language',
  'referrer',
  'device',
  'os',
  'browser',
  'app',
] as const satisfies Facet[]

/** The figures of one page. Without a scan there is nothing to list. */
export type Answers = {
  figures: Figures
  picture: string | null
  more: { heatmap: Heatmap; lists: ReadonlyMap<Facet, Breakdown> } | null
}

/** `parts` are those that could not be read. */
export type Missing = { parts: string[]; error: unknown }
export type Result = { answers: Answers } | { missing: Missing }

export type Sources = {
  read: <Answer>(path: string) => Promise<Answer>
  /** The picture of the code; undefined if it cannot be drawn now. */
  draw: (() => Promise<string | undefined>) | null
}

/** The calls of one account wait for their turn: more at once would only keep others out. */
export const CALLS_AT_ONCE = 2

const call = (name: string, query: string) => `/api/analytics/${name}${query}`

/** Reads all that the page of a code shows, or with '' the page of all codes. */
export async function readAnswers(code: string, view: View, sources: Sources): Promise<Result> {
  const { read, draw } = sources
  const missing: Missing = { parts: [], error: undefined }
  const limit = pLimit(CALLS_AT_ONCE)
  async function part<Answer>(name: string, get: () => Promise<Answer>) {
    try {
      return await limit(get)
    } catch (error) {
      missing.parts.push(name)
      missing.error ??= error
      return undefined
    }
  }
  const [figures, picture] = await Promise.all([
    part(titleOf(view.kind), () => read<Figures>(call('figures', callQuery(code, view)))),
    draw && part('Picture', () => drawn(draw)),
  ])
  if (!figures || picture === undefined) return { missing }
  if (figures.scans === 0) return { answers: { figures, picture, more: null } }
  const whole = { ...view, by: undefined }
  const lists = new Map<Facet, Breakdown>()
  const [heatmap] = await Promise.all([
    part('Weekdays and hours', () => read<Heatmap>(call('heatmap', callQuery(code, whole)))),
    ...listedFacets.map(async (facet) => {
      const path = call('breakdown', callQuery(code, whole, { facet }))
      const list = await part(facetWords[facet].title, () => read<Breakdown>(path))
      if (list) lists.set(facet, list)
    }),
  ])
  if (!heatmap || missing.parts.length > 0) return { missing }
  return { answers: { figures, picture, more: { heatmap, lists } } }
}

async function drawn(draw: () => Promise<string | undefined>): Promise<string> {
  const picture = await draw()
  if (picture === undefined) throw new Error('The picture could not be drawn')
  return picture
}

/** The subject of a page: a code, or with null all codes. */
export type Subject = QrCode | null

export const idOf = (subject: Subject) => subject?.id ?? ALL

/** The link in a code's picture. */
export type LinkOf = (code: QrCode) => string

/**
 * Reads page after page. A scan that comes in the meantime changes nothing: a report is of one moment.
 * `again` repeats the readings that failed.
 */
export function usePages(subjects: readonly Subject[], view: View, linkOf: LinkOf) {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  const [round, setRound] = useState(0)
  const known = useRef(results)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a round reads what is missing; another linkOf reads nothing again
  useEffect(() => {
    const gone = new AbortController()
    const readAll = async () => {
      for (const subject of subjects) {
        const id = idOf(subject)
        if (known.current.has(id)) continue
        const result = await readAnswers(id, view, {
          read: (path) => requestJson('GET', path),
          draw: subject && (() => draw(linkOf(subject), lookOf(subject))),
        })
        if (gone.signal.aborted) return
        known.current = new Map(known.current).set(id, result)
        setResults(known.current)
      }
    }
    void readAll()
    return () => gone.abort()
  }, [subjects, view, round])
  const again = useCallback(() => {
    known.current = new Map([...known.current].filter(([, result]) => 'answers' in result))
    setResults(known.current)
    setRound((before) => before + 1)
  }, [])
  return { results, again }
}
