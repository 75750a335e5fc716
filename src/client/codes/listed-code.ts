import { useEffect, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { isListed } from './queries.ts'

/**
 * The code that the address asks a dialog for. `shown` stays while the dialog fades, so that it does not
 * empty. `leave` is called if the list has no code of that id.
 */
export function useListedCode(
  codes: readonly QrCode[] | undefined,
  asked: string | null,
  leave: (code: null) => void,
) {
  const code = codes?.find(({ id }) => id === asked)
  const isLoaded = codes !== undefined
  useEffect(() => {
    // The list in this render may be older than the one that a save has read.
    if (asked !== null && isLoaded && !isListed(asked)) leave(null)
  }, [asked, isLoaded, leave])
  const last = useRef(code)
  if (code) last.current = code
  return { opened: code !== undefined, shown: last.current }
}
