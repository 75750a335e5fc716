import type { CANCELING, Subscription } from '#contract/billing.ts'
import { isUnauthorized } from '../../api.ts'
import { signInAgain } from '../../ui/sign-in-again.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshSubscription } from '../queries.ts'

/** Statuses of a plan that somebody has paid for: by their types, the dashboard carries no schemas for it. */
const PAID = new Set(['active', 'trialing', 'canceling' satisfies typeof CANCELING])

const isPaid = ({ billing, status }: Subscription) => billing !== null && PAID.has(status)

/** After a payment: reads what has become of it, shows the new plan everywhere, and says so. */
export async function showPaymentResult(): Promise<void> {
  try {
    if (isPaid(await refreshSubscription())) {
      toast.success('You are now subscribed!', 'Payment Successful')
      return
    }
  } catch (error) {
    if (isUnauthorized(error)) return signInAgain()
  }
  // The provider's own message to the server brings the plan, whatever became of ours.
  toast.success('Your payment is being processed. Please reload the page in a moment.', 'Thank you')
}

export function showPaymentFailure(message: string): void {
  toast.error(message, 'Payment Failed')
}
