import type Stripe from 'stripe'
import type { BillingAddress } from '#contract/billing/billing.ts'
import { AppError } from '../../http/errors.ts'
import { CustomerGone, type Payer } from '../provider.ts'
import { idempotent, isMissing, isRefused } from './stripe-client.ts'

/** With the same key Stripe repeats a lost answer; the key changes with the name or e-mail. */
export async function createCustomer(stripe: Stripe, payer: Payer, gone?: string): Promise<string> {
  const { workspaceId, email, name } = payer
  const params = { email, name, metadata: { user_id: workspaceId } }
  const { id } = await stripe.customers.create(
    params,
    idempotent(`customer:${workspaceId}:${gone ?? ''}`, params),
  )
  return id
}

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

/** Ends the customer's subscriptions too: https://docs.stripe.com/api/customers/delete */
export async function forgetCustomer(stripe: Stripe, id: string): Promise<void> {
  const deleted = stripe.customers.del(id).then(() => {})
  await orIfGone(stripe, id, deleted, undefined)
}

/** A deleted customer has nothing any more. */
export async function orIfGone<T>(
  stripe: Stripe,
  customerId: string,
  answer: Promise<T>,
  nothing: T,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (await isGone(stripe, customerId, error)) return nothing
    throw error
  }
}

/**
 * Whether a call failed because the customer was deleted. A customer of another mode or account is missing
 * too, and goes on paying: only Stripe's word that it is deleted counts.
 * @throws the SDK's error if Stripe does not know the customer
 */
export async function isGone(stripe: Stripe, id: string, error: unknown): Promise<boolean> {
  if (!isMissing(error)) return false
  return (await stripe.customers.retrieve(id)).deleted === true
}
