import type { MouseEvent } from 'react'
import { useLocation } from 'wouter'

export const PLANS = '/subscription'

/** For links to the plans out of a form. */
export type ArtworkPlans = (event: MouseEvent) => void

/** Goes to the plans. The tab keeps the form: whoever comes back goes on with it. */
export function useSeePlans(keep: () => void): ArtworkPlans {
  const [, navigate] = useLocation()
  return (event) => {
    event.preventDefault()
    keep()
    navigate(PLANS, { replace: true })
  }
}
