import { useEffect, useState } from 'react'
import { DEFAULT_ECC } from '#contract/code-values.ts'
import type { CheckedCode, Legibility } from '#qr/legibility.ts'
import type { LiveLook } from './live-look.ts'

/** What the worker is asked; of several questions only the last is answered. */
export type CheckRequest = { id: number; code: CheckedCode }
/** Null where the check could not be made. */
export type CheckReply = { id: number; legibility: Legibility | null }

/** Nothing is checked before the visitor has paused for so long. */
const SETTLE_MS = 300

/**
 * Whether the code on the screen would scan: undefined while that is being found out, null where
 * nothing can be said. The check, and the decoders it needs, come with the first question.
 */
export function useLiveCheck(link: string, look: LiveLook, isWanted: boolean) {
  const [worker, setWorker] = useState<Worker>()
  const [answer, setAnswer] = useState<{ key: string; legibility: Legibility | null }>()
  const { style, colours } = look
  const { foreground, background } = colours
  const key = JSON.stringify([link, style, foreground, background])

  useEffect(() => {
    if (!isWanted) return
    const started = new Worker(new URL('./live-check-worker.ts', import.meta.url), {
      type: 'module',
    })
    setWorker(started)
    return () => started.terminate()
  }, [isWanted])

  useEffect(() => {
    if (!worker) return
    const asked = ++questions
    const code = { text: link, ecc: DEFAULT_ECC, style, foreground, background }
    const asking = setTimeout(() => worker.postMessage({ id: asked, code }), SETTLE_MS)
    const hear = ({ data }: MessageEvent<CheckReply>) => {
      if (data.id === asked) setAnswer({ key, legibility: data.legibility })
    }
    const giveUp = () => setAnswer({ key, legibility: null })
    worker.addEventListener('message', hear)
    worker.addEventListener('error', giveUp)
    return () => {
      clearTimeout(asking)
      worker.removeEventListener('message', hear)
      worker.removeEventListener('error', giveUp)
    }
  }, [worker, key, link, style, foreground, background])

  return answer?.key === key ? answer.legibility : undefined
}
let questions = 0
