import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CheckoutRequest, Subscription } from '#contract/billing.ts'
import { requestJson } from '../api.ts'
import { reportFailure } from '../ui/failure.ts'

export function useSubscription(options: { enabled: boolean }) {
  return useQuery<Subscription | null>({ queryKey: ['/api/user/subscription'], ...options })
}

async function checkoutUrlOf(choice: CheckoutRequest): Promise<string> {
  const path = '/api/create-checkout-session'
  const session = await requestJson<{ checkoutUrl?: string }>('POST', path, choice)
  if (!session.checkoutUrl) throw new Error('No checkout URL received')
  return session.checkoutUrl
}

/** Starts a payment: the browser leaves for the checkout page, and stays busy until it has. */
export function useCheckout() {
  const checkout = useMutation({
    mutationFn: checkoutUrlOf,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => reportFailure(error, messageOf(error)),
  })
  const { reset } = checkout
  useEffect(() => {
    // Coming back from the checkout page, browsers show this one as it was left: busy.
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  return {
    choose: checkout.mutate,
    busyWith: checkout.isPending || checkout.isSuccess ? checkout.variables.tier : null,
  }
}

/** The message of an error of our own; a failed call's is its status and body, for nobody to read. */
function messageOf(error: Error): string {
  const isOurs = error.name === 'Error' && error.message !== ''
  return isOurs ? error.message : 'Failed to create checkout session'
}
