import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CANCELING, Subscription } from '#contract/billing/billing.ts'
import { plans } from '#contract/billing/plans.ts'
import { isUnauthorized, requestJson, serverMessageOf } from '../../api.ts'
import { formatDay } from '../../formats.ts'
import { refreshAfterPlanChange } from '../../query-client.ts'
import { reportPlainFailure } from '../../ui/messages/failure.ts'
import { signInAgain } from '../../ui/messages/sign-in-again.ts'
import { toast } from '../../ui/messages/toast.tsx'

/** Parameters that we and the provider put into the address that a payment comes back to. */
const PARAMETERS = [
  'payment',
  'redirect_status',
  'payment_intent',
  'payment_intent_client_secret',
  'tier',
  'billing',
] as const

/** Statuses of a paid plan. The value is typed, not imported: the dashboard loads no schemas for it. */
const PAID = new Set(['active', 'trialing', 'canceling' satisfies typeof CANCELING])

/** Shows the result of a payment, or of a change of plan. */
export async function showPaymentReturn(): Promise<void> {
  const { payment, redirect_status: status, ...chosen } = takeParameters()
  if (status === 'failed') {
    return showPaymentFailure('Your payment wasn’t completed. Nothing was charged.')
  }
  if (status || payment === 'success') return showPaymentResult()
  if (payment !== 'changed') return
  try {
    sayChange(await refreshSubscription(), chosen)
  } catch (error) {
    reportPlainFailure(error, 'We couldn’t load your new plan. Please reload the page.')
  }
}

/** Says that the chosen plan counts, or when it will. Without a word the change was not confirmed. */
function sayChange(subscription: Subscription, chosen: { tier?: string; billing?: string }): void {
  const { next } = subscription
  const isChosen = (plan: { tier: string; billing: string | null }) =>
    plan.tier === chosen.tier && plan.billing === chosen.billing
  if (isChosen(subscription)) {
    toast.success(`You’re on ${plans[subscription.tier].name}, billed ${chosen.billing}.`)
  } else if (next && isChosen(next)) {
    toast.success(`Your plan changes to ${plans[next.tier].name} on ${formatDay(next.at)}.`)
  }
}

/** Removes the parameters from the address, without a new entry in the history. Returns them. */
function takeParameters(): Partial<Record<(typeof PARAMETERS)[number], string>> {
  const url = new URL(window.location.href)
  const taken = PARAMETERS.filter((name) => url.searchParams.has(name)).map((name) => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return [name, value]
  })
  window.history.replaceState(window.history.state, '', url)
  return Object.fromEntries(taken)
}

/** After a payment: reads its result, shows the new plan everywhere, and says so. */
export async function showPaymentResult(): Promise<void> {
  try {
    if (isPaid(await refreshSubscription())) {
      toast.success('You are now subscribed!', 'Payment Successful')
      return
    }
  } catch (error) {
    if (isUnauthorized(error)) return signInAgain()
  }
  // Even if our call failed, the provider's event to the server brings the plan.
  toast.success('Your payment is being processed. Please reload the page in a moment.', 'Thank you')
}

/** Reads the account's plan from the payment provider. */
async function refreshSubscription(): Promise<Subscription> {
  const path = '/api/user/subscription/refresh'
  const subscription = await requestJson<Subscription>('POST', path)
  await refreshAfterPlanChange()
  return subscription
}

const isPaid = ({ billing, status }: Subscription) => billing !== null && PAID.has(status)

function showPaymentFailure(message: string): void {
  toast.error(message, 'Payment Failed')
}

/** The provider's own words for why there was no payment. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused'
}

/** A payment, tried until it succeeds: busy from the click until the dashboard shows the plan. */
export function usePaying<Card>(pay: (card: Card) => Promise<unknown>) {
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<string | null>(null)
  const paying = useMutation({
    mutationFn: pay,
    onMutate: () => setFailure(null),
    onSuccess: async () => {
      await showPaymentResult()
      navigate('/dashboard')
    },
    onError: (error) => {
      if (isUnauthorized(error)) return signInAgain()
      const message = messageOf(error)
      setFailure(message)
      showPaymentFailure(message)
    },
  })
  return { pay: paying.mutate, busy: paying.isPending || paying.isSuccess, failure }
}

function messageOf(error: Error): string {
  const said = error instanceof PaymentRefused ? error.message : serverMessageOf(error)
  return said || 'The payment didn’t go through. Please try again.'
}
