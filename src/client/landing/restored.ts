import { useEffect, useEffectEvent } from 'react'

/**
 * Lets a part read its own fields once the script is there, and again when the browser has put back
 * what stood in them: neither is an event that React tells of.
 */
export function useRestored(read: () => void): void {
  const readNow = useEffectEvent(read)
  useEffect(() => {
    const run = () => readNow()
    run()
    window.addEventListener('pageshow', run)
    return () => window.removeEventListener('pageshow', run)
  }, [])
}
