import { useEffect, useState } from 'react'

/** Long enough to type the next character, short enough to be of help. */
const PAUSE_MS = 700

/** Whether a text has stood as it is for a while: only then is it judged. */
export function usePaused(text: string): boolean {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [text])
  return settled === text
}
