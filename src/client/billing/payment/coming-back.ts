import { useEffect } from 'react'

const MARKS = ['payment', 'redirect_status']

/**
 * Receives whoever comes back from a page of the payment provider's. What that takes is loaded for
 * them alone: a first load has nothing to do with payments.
 */
export function useComingBack(): void {
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search)
    if (!MARKS.some((mark) => parameters.has(mark))) return
    void import('./payment-return.ts').then(({ receive }) => receive())
  }, [])
}
