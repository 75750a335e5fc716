import { useEffect } from 'react'
import { importLazily } from '../../ui/late-part.ts'

/** Parameters that we and Stripe put into the address that a payment comes back to. */
const PARAMETERS = ['payment', 'redirect_status']

/** Shows the result of a payment after the provider's page. The code for it is loaded only then. */
export function usePaymentReturn(): void {
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search)
    if (!PARAMETERS.some((name) => parameters.has(name))) return
    void importLazily(() => import('./payment-return.ts')).then((part) => part?.showPaymentReturn())
  }, [])
}
