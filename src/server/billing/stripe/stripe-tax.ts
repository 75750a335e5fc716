import type Stripe from 'stripe'
import type { BillingAddress } from '#contract/billing.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, isAhead } from '../../clock.ts'
import { AppError } from '../../http/errors.ts'
import { CustomerGone } from '../provider.ts'
import { isRefused } from './stripe-client.ts'
import { isGone } from './stripe-customers.ts'

/** Saves the address on which tax depends. @throws AppError address_refused; CustomerGone */
export async function saveAddress(
  stripe: Stripe,
  customer: string,
  { name, address }: BillingAddress,
): Promise<void> {
  try {
    await stripe.customers.update(customer, {
      name,
      address: { ...address, line2: address.line2 ?? '' },
      tax: { validate_location: 'immediately' },
    })
  } catch (error) {
    if (await isGone(stripe, customer, error)) throw new CustomerGone()
    if (isRefused(error, 'customer_tax_location_invalid')) throw new AppError('address_refused')
    throw error
  }
}

/** How often a value for pages that anyone opens is read again. */
const EVERY_MS = MINUTE_MS

/** Returns what was last read. Reads again at most once a minute, and only when it is asked. */
export function lastRead<T>(read: () => Promise<T>, clock: Clock): () => T | undefined {
  let known: T | undefined
  let until = 0
  const update = async () => {
    // The call has logged its failure.
    known = await read().catch(() => known)
  }
  return () => {
    const now = clock()
    if (!isAhead(until, EVERY_MS, now)) {
      until = now.getTime() + EVERY_MS
      void update()
    }
    return known
  }
}
