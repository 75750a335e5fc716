import { reportPlainFailure } from '../../ui/failure.ts'
import { refreshSubscription } from '../queries.ts'
import { showPaymentFailure, showPaymentResult } from './payment-result.ts'

/** What we and the provider write into the address that a payment comes back to. */
const PARAMETERS = [
  'payment',
  'redirect_status',
  'payment_intent',
  'payment_intent_client_secret',
] as const

/** What the address says of a payment; it is gone from there afterwards, without a place in the history. */
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

/** Tells what has become of a payment. A change of plan shows without a word, unless it cannot be read. */
export async function receive(): Promise<void> {
  const { payment, redirect_status: status } = takeParameters()
  if (status === 'failed') {
    return showPaymentFailure('Your payment was not made. Nothing was charged.')
  }
  if (status || payment === 'success') return showPaymentResult()
  if (payment !== 'changed') return
  await refreshSubscription().catch((error) =>
    reportPlainFailure(error, 'Your plan could not be read anew. Please reload the page.'),
  )
}
