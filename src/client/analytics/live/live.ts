import { useEffect } from 'react'
import { useSignedInNow } from '../../page-owner.ts'
import { SIGNS } from '../../ui/late-part.ts'

/** Without a sign of a person: what the page needs at first has come long before. */
const START_AFTER_MS = 6_000

/**
 * Figures move with the scans, as long as the page is its owner's. The part for it comes late. It has
 * nothing to show: a component of its own draws no page again.
 */
export function Live() {
  const isOwners = useSignedInNow() === 'owner'
  useEffect(() => {
    if (!isOwners) return
    let stop = () => {}
    const gone = new AbortController()
    const start = () => {
      waiting.abort()
      clearTimeout(timer)
      // Without it the page is what it was: figures as of when it was loaded.
      import('./live-part.ts').then(
        ({ begin }) => {
          if (!gone.signal.aborted) stop = begin()
        },
        () => {},
      )
    }
    const waiting = new AbortController()
    const timer = setTimeout(start, START_AFTER_MS)
    for (const sign of SIGNS) {
      window.addEventListener(sign, start, { once: true, passive: true, signal: waiting.signal })
    }
    return () => {
      gone.abort()
      waiting.abort()
      clearTimeout(timer)
      stop()
    }
  }, [isOwners])
  return null
}
