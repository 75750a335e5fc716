import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PublicConfig } from '#contract/accounts/accounts.ts'
import type { Invoice, PlanUse, Subscription } from '#contract/billing/billing.ts'
import { importLazily } from '../ui/dialog/lazy-import.ts'
import { hasTrialOffer } from './plans/usage.ts'

export function useSubscription(options: { enabled: boolean }) {
  return useQuery<Subscription | null>({ queryKey: ['/api/user/subscription'], ...options })
}

/** The account's own numbers, to tell what another plan would change. */
export function usePlanUse() {
  return useQuery<PlanUse>({ queryKey: ['/api/user/plan-use'] })
}

/** Whether prices contain tax; undefined if no tax is computed. */
export function useTaxBehaviors() {
  return useQuery<PublicConfig>({ queryKey: ['/api/config'] }).data?.taxBehaviors
}

/** Whether a free trial is open to this account. */
export function useTrialOffer() {
  const { data: config } = useQuery<PublicConfig>({ queryKey: ['/api/config'] })
  const { data: subscription } = useSubscription({ enabled: true })
  return hasTrialOffer(config?.billing, subscription)
}

export function useInvoices(options: { enabled: boolean }) {
  return useQuery<Invoice[]>({ queryKey: ['/api/user/invoices'], ...options })
}

/** Parameters that we and Stripe put into the address that a payment comes back to. */
const RETURN_PARAMETERS = ['payment', 'redirect_status']

/** Shows the result of a payment after the provider's page. The code for it is loaded only then. */
export function usePaymentReturn(): void {
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search)
    if (!RETURN_PARAMETERS.some((name) => parameters.has(name))) return
    void importLazily(() => import('./payment/payment-return.ts')).then((part) =>
      part?.showPaymentReturn(),
    )
  }, [])
}
