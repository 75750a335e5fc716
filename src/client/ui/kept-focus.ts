import { type RefObject, useEffect, useRef } from 'react'

/**
 * What has the focus may go with what it was done to: a row, a button that became another. Then the
 * focus goes where we say, rather than to the top of the page.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>, focusInstead: () => void): void {
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const element = area.current
    const remember = (event: FocusEvent) => {
      last.current = event.target as Element
    }
    element?.addEventListener('focusin', remember)
    return () => element?.removeEventListener('focusin', remember)
  }, [area])
  useEffect(() => {
    if (!last.current || last.current.isConnected) return
    last.current = null
    if (document.activeElement === document.body) focusInstead()
  })
}
