import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { isUnauthorized, serverMessageOf } from '../../api.ts'
import { signInAgain } from '../../ui/sign-in-again.ts'
import { showPaymentFailure, showPaymentResult } from './payment-return.ts'

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
