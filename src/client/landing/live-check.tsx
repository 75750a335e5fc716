import { useEffect, useMemo, useState } from 'react'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design, Look } from '#qr/symbol/look.ts'
import { verdictTexts } from '../drawing/verdict-text.ts'
import styles from './live-code.module.css'

/** A question to the worker. It answers only the last of several. */
export type CheckRequest = { id: number; code: Design }
/** Null: the check failed. */
export type CheckReply = { id: number; legibility: Legibility | null }

/** How long the visitor has paused before the code is checked. */
const SETTLE_MS = 300

/** The worker with its decoders, started when it is first wanted; null when it could not start. */
function useChecker(isWanted: boolean): Worker | null | undefined {
  const [worker, setWorker] = useState<Worker | null>()
  useEffect(() => {
    if (!isWanted) return
    const started = new Worker(new URL('./live-check-worker.ts', import.meta.url), {
      type: 'module',
    })
    started.addEventListener('error', () => setWorker(null))
    setWorker(started)
    return () => started.terminate()
  }, [isWanted])
  return worker
}

let questions = 0

type OnAnswer = (legibility: Legibility | null) => void

/** Asks the worker. Returns how to withdraw the question. */
function ask(worker: Worker, code: Design, onAnswer: OnAnswer): () => void {
  const id = ++questions
  const asking = setTimeout(() => worker.postMessage({ id, code }), SETTLE_MS)
  const hear = ({ data }: MessageEvent<CheckReply>) => {
    if (data.id === id) onAnswer(data.legibility)
  }
  worker.addEventListener('message', hear)
  return () => {
    clearTimeout(asking)
    worker.removeEventListener('message', hear)
  }
}

/** Whether the code on the screen would scan: undefined until that is known, null if it cannot be. */
export function useLiveCheck(link: string, look: Look, isWanted: boolean) {
  const worker = useChecker(isWanted)
  const [answer, setAnswer] = useState<{ code: Design; legibility: Legibility | null }>()
  const code = useMemo<Design>(() => ({ ...look, text: link }), [link, look])

  useEffect(() => {
    if (worker) return ask(worker, code, (legibility) => setAnswer({ code, legibility }))
  }, [worker, code])

  if (worker === null) return null
  return answer?.code === code ? answer.legibility : undefined
}

type Props = {
  legibility: Legibility | null | undefined
  isAsked: boolean
  hasFailed: boolean
}

/** Says whether the code would scan. The status element is always there, so that screen readers announce each verdict. */
export function LiveVerdict({ legibility, isAsked, hasFailed }: Props) {
  const known = isAsked ? legibility : undefined
  const isPending = isAsked && legibility === undefined
  return (
    <div role="status" className={`${styles.verdict} soft`} aria-busy={isPending} data-scripted>
      {!isAsked && !hasFailed && (
        <p>Type a link, and we’ll draw and test your code right here, before you print anything.</p>
      )}
      {hasFailed && <p>The preview didn’t load. Reload the page to try again.</p>}
      {isPending && <p>Testing it with two scanners…</p>}
      {known && (
        <>
          <b className={`${styles.badge} pill`} data-verdict={known.verdict}>
            {verdictTexts[known.verdict]}
          </b>
          <p>{known.reason}</p>
        </>
      )}
    </div>
  )
}
