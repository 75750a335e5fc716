import { useCallback, useEffect, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import { requestJson } from '../../api.ts'
import { draw } from '../../drawn-symbol.ts'
import type { View } from '../drawer/view/view.ts'
import { type Result, readAnswers } from './read-answers.ts'

/** The subject of a page: a code, or with null all codes. */
export type Subject = { id: string; code: QrCode | null; link: string | null }

const read = <Answer>(path: string) => requestJson<Answer>('GET', path)

const sourcesOf = ({ code, link }: Subject) => ({
  read,
  draw: code && link !== null ? () => draw(link, lookOf(code)) : null,
})

/**
 * Reads page after page. A scan that comes in the meantime changes nothing: a report is of one moment.
 * `again` repeats the readings that failed.
 */
export function usePages(subjects: readonly Subject[], view: View) {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map())
  const [round, setRound] = useState(0)
  const known = useRef(results)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads what is missing
  useEffect(() => {
    const gone = new AbortController()
    const readAll = async () => {
      for (const subject of subjects) {
        if (known.current.has(subject.id)) continue
        const result = await readAnswers(subject.id, view, sourcesOf(subject))
        if (gone.signal.aborted) return
        known.current = new Map(known.current).set(subject.id, result)
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
