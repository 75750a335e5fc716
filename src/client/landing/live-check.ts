import { useEffect, useMemo, useState } from 'react'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design, Look } from '#qr/symbol/look.ts'

/** What the worker is asked; of several questions only the last is answered. */
export type CheckRequest = { id: number; code: Design }
/** Null where the check could not be made. */
export type CheckReply = { id: number; legibility: Legibility | null }

/** Nothing is checked before the visitor has paused for so long. */
const SETTLE_MS = 300

/** The check with its decoders, loaded when it is first wanted; null where it does not come. */
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

/** Answers how to take the question back. */
function ask(
  worker: Worker,
  code: Design,
  onAnswer: (legibility: Legibility | null) => void,
): () => void {
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

/**
 * Whether the code on the screen would scan: undefined while that is being found out, null where
 * nothing can be said.
 */
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
