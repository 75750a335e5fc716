import { useMutation, useQuery } from '@tanstack/react-query'
import type { CheckoutRequest, Invoice, Payment, PlanUse, Subscription } from '#contract/billing.ts'
import type { TestCard } from '#contract/sandbox.ts'
import { requestJson } from '../api.ts'
import { refreshAfterPlanChange } from '../query-client.ts'
import { reportFailure } from '../ui/failure.ts'
import { formatDay } from '../ui/formats.ts'
import { toast } from '../ui/toast.tsx'
import { useDeparture } from './payment/departure.ts'

export function useSubscription(options: { enabled: boolean }) {
  return useQuery<Subscription | null>({ queryKey: ['/api/user/subscription'], ...options })
}

/** The account's own numbers, for telling what another plan would do. */
export function usePlanUse() {
  return useQuery<PlanUse>({ queryKey: ['/api/user/plan-use'] })
}

export function useInvoices(options: { enabled: boolean }) {
  return useQuery<Invoice[]>({ queryKey: ['/api/user/invoices'], ...options })
}

/** A payment to be made here. It is read anew each time: it may be over by then. */
export function usePayment(id: string) {
  const path = `/api/checkout/${encodeURIComponent(id)}/payment`
  return useQuery<Payment>({ queryKey: [path], gcTime: 0 })
}

async function checkoutUrlOf(choice: CheckoutRequest): Promise<string> {
  const path = '/api/create-checkout-session'
  const session = await requestJson<{ checkoutUrl?: string }>('POST', path, choice)
  if (!session.checkoutUrl) throw new Error('No checkout URL received')
  return session.checkoutUrl
}

/** Starts a payment: the browser leaves for the checkout page, and stays busy until it has. */
export function useCheckout() {
  const checkout = useDeparture(checkoutUrlOf, 'Failed to create checkout session')
  return { choose: checkout.mutate, busyWith: checkout.leavingFor ?? null }
}

async function portalUrlOf(): Promise<string> {
  const { portalUrl } = await requestJson<{ portalUrl?: string }>(
    'POST',
    '/api/user/billing-portal',
  )
  if (!portalUrl) throw new Error('No billing page received')
  return portalUrl
}

/** Leaves for the provider's page of cards and invoices. */
export function usePortal() {
  const portal = useDeparture(portalUrlOf, 'Failed to open the billing page')
  return { open: () => portal.mutate(), busy: portal.isLeaving }
}

/** Lets the plan end with the period that is paid for, or not after all. */
export function useEnding() {
  return useMutation({
    mutationFn: (action: 'cancel' | 'resume') =>
      requestJson<Subscription>('POST', `/api/user/subscription/${action}`),
    onSuccess: ({ currentPeriodEnd }, action) => {
      const day = currentPeriodEnd && formatDay(currentPeriodEnd)
      const [ends, renews] = day
        ? [`Your plan ends on ${day}.`, `Your plan goes on and renews on ${day}.`]
        : ['Your plan ends.', 'Your plan goes on.']
      toast.success(action === 'cancel' ? ends : renews)
      return refreshAfterPlanChange()
    },
    onError: (error, action) =>
      reportFailure(error, `Failed to ${action === 'cancel' ? 'cancel' : 'resume'} your plan`),
  })
}

/** Reads from the payment provider what the account pays for now. */
export async function refreshSubscription(): Promise<Subscription> {
  const path = '/api/user/subscription/refresh'
  const subscription = await requestJson<Subscription>('POST', path)
  await refreshAfterPlanChange()
  return subscription
}

export function payByTestCard(id: string, card: TestCard): Promise<unknown> {
  return requestJson('POST', `/api/checkout/${encodeURIComponent(id)}/pay`, { card })
}
