import type { BillingAddress } from '#contract/billing.ts'
import { plans } from '#contract/plans.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import { type Checkout, findCheckout, storeSession } from './checkouts-store.ts'
import { findCustomer } from './customers-store.ts'
import { hasBegun, liveSubscription } from './entitlements.ts'
import type {
  CheckoutRequest,
  OpenCheckout,
  PaymentProvider,
  ProvidedSubscription,
} from './provider.ts'

/** `provider` and `embedded` are all in which one way of paying differs from another. */
export type PaymentDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  provider: PaymentProvider
  /** Whether payments are made in a page of ours. */
  embedded: boolean
}

/** Our page on which a payment is made. */
export const stepUrl = (publicUrl: string, id: string) =>
  `${publicUrl}/subscription?step=pay&session=${id}`

/**
 * Opens a payment that the account has begun; answers where it is paid. Where tax is computed, our page
 * asks for the address first, and the payment is opened once it is given.
 */
export async function openPayment(
  deps: PaymentDeps,
  checkout: Checkout,
  customerId: string,
  address?: BillingAddress,
): Promise<string> {
  const { provider } = deps
  await provider.closeCheckouts(customerId, checkout.id)
  // Nothing else can be paid from here on, so this read shows every payment made so far.
  const all = await provider.subscriptionsOf(customerId)
  if (liveSubscription(all)) throw new AppError('payment_under_way')
  const trialDays = await trialDaysFor(deps, checkout, all)
  const request = requestFor(deps, checkout, customerId, trialDays)
  if (request.embedded && provider.tax) {
    if (!address) return stepUrl(deps.publicUrl, checkout.id)
    await provider.tax.saveAddress(customerId, address)
  }
  const opened = await provider.openCheckout(request)
  // Where people pay on our page, credit can have paid for a plan in another process since that read.
  const mayBeSecond = deps.embedded && !opened.isPaid
  if (mayBeSecond && liveSubscription(await provider.subscriptionsOf(customerId))) {
    await provider.closeCheckouts(customerId)
    throw new AppError('payment_under_way')
  }
  return store(deps, checkout, request, opened)
}

/** Replaces an open payment by one with a promotion code; answers where it is paid. */
export async function applyPromotion(
  deps: PaymentDeps,
  checkout: Checkout,
  customerId: string,
  code: string,
): Promise<string> {
  const { provider } = deps
  const { session_id: sessionId } = checkout
  if (!sessionId || !provider.applyPromotion) throw new AppError('checkout_not_found')
  const request = requestFor(deps, checkout, customerId)
  const opened = await provider.applyPromotion(request, { sessionId, code })
  const url = await store(deps, checkout, request, opened)
  if (opened.isRefused) throw new AppError('promotion_refused')
  return url
}

/** A trial is for accounts that have had none, and for customers that have had no plan. */
async function trialDaysFor(
  { db, provider }: PaymentDeps,
  { workspace_id: workspaceId, tier }: Checkout,
  subscriptions: ProvidedSubscription[],
): Promise<number> {
  const customer = await findCustomer(db, provider.name, workspaceId)
  return customer?.trial_at || subscriptions.some(hasBegun) ? 0 : plans[tier].trialDays
}

/** A trial is opened on the provider's page: on ours it would begin before a card is given. */
function requestFor(
  { publicUrl, embedded }: PaymentDeps,
  { id, workspace_id: workspaceId, tier, billing }: Checkout,
  customerId: string,
  trialDays = 0,
): CheckoutRequest {
  return {
    id,
    workspaceId,
    tier,
    billing,
    customerId,
    embedded: embedded && trialDays === 0,
    trialDays,
    returnTo: {
      success: `${publicUrl}/dashboard?payment=success`,
      cancel: `${publicUrl}/subscription?tier=${tier}&billing=${billing}`,
    },
  }
}

async function store(
  { db, provider, publicUrl }: PaymentDeps,
  { id, workspace_id, session_id: former }: Checkout,
  { customerId, returnTo }: CheckoutRequest,
  { sessionId, url: page, isPaid }: OpenCheckout,
): Promise<string> {
  if (isPaid) {
    // Its event may have ended the checkout already, and another process may have opened a payment.
    await provider.closeCheckouts(customerId)
    return returnTo.success
  }
  const url = page ?? stepUrl(publicUrl, id)
  if (await storeSession(db, { id, former, sessionId, url })) return url
  const current = await findCheckout(db, workspace_id)
  await provider.closeCheckouts(customerId, current?.session_id ?? current?.id)
  throw new AppError('checkout_replaced')
}
