import type { BillingAddress } from '#contract/billing/billing.ts'
import { plans } from '#contract/billing/plans.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import { openedIn } from '../memberships.ts'
import { type Checkout, findCheckout, storeSession } from './checkouts-store.ts'
import { hadTrial } from './customers-store.ts'
import { hasBegun, liveSubscription } from './entitlements.ts'
import type {
  CheckoutRequest,
  Choice,
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

/** A payment to open. `place` is the workspace that its addresses name. */
export type Opening = {
  checkout: Checkout
  customerId: string
  place: WorkspaceId | undefined
}

/** Our page with the plans, and this one chosen. */
export const choiceUrl = (
  publicUrl: string,
  { tier, billing }: Choice,
  place: WorkspaceId | undefined,
) => openedIn(`${publicUrl}/subscription?tier=${tier}&billing=${billing}`, place)

/** Our page on which a payment is made. */
export const stepUrl = (publicUrl: string, id: string) =>
  `${publicUrl}/subscription?step=pay&session=${id}`

/**
 * Opens a payment that the account has begun; answers where it is paid. Where tax is computed, our page
 * asks for the address first, and the payment is opened once it is given.
 */
export async function openPayment(
  deps: PaymentDeps,
  opening: Opening,
  address?: BillingAddress,
): Promise<string> {
  const { provider } = deps
  const { checkout, customerId, place } = opening
  await provider.closeCheckouts(customerId, checkout.id)
  // Nothing else can be paid from here on, so this read shows every payment made so far.
  const all = await provider.subscriptionsOf(customerId)
  if (liveSubscription(all)) throw new AppError('payment_under_way')
  const trialDays = await trialDaysFor(deps, checkout, all)
  const request = requestFor(deps, opening, trialDays)
  if (request.embedded && provider.tax) {
    if (!address) return openedIn(stepUrl(deps.publicUrl, checkout.id), place)
    await provider.tax.saveAddress(customerId, address)
  }
  const opened = await provider.openCheckout(request)
  // Where people pay on our page, credit can have paid for a plan in another process since that read.
  const mayBeSecond = deps.embedded && !opened.isPaid
  if (mayBeSecond && liveSubscription(await provider.subscriptionsOf(customerId))) {
    await provider.closeCheckouts(customerId)
    throw new AppError('payment_under_way')
  }
  return store(deps, opening, request, opened)
}

/** Replaces an open payment by one with a promotion code; answers where it is paid. */
export async function applyPromotion(
  deps: PaymentDeps,
  opening: Opening,
  code: string,
): Promise<string> {
  const { provider } = deps
  const { session_id: sessionId } = opening.checkout
  if (!sessionId || !provider.applyPromotion) throw new AppError('checkout_not_found')
  const request = requestFor(deps, opening)
  const opened = await provider.applyPromotion(request, { sessionId, code })
  const url = await store(deps, opening, request, opened)
  if (opened.isRefused) throw new AppError('promotion_refused')
  return url
}

/** A trial is for owners who have had none, and for customers that have had no plan. */
async function trialDaysFor(
  { db }: PaymentDeps,
  { workspace_id: workspaceId, tier }: Checkout,
  subscriptions: ProvidedSubscription[],
): Promise<number> {
  const isNew = !subscriptions.some(hasBegun) && !(await hadTrial(db, workspaceId))
  return isNew ? plans[tier].trialDays : 0
}

/** A trial is opened on the provider's page: on ours it would begin before a card is given. */
function requestFor(
  { publicUrl, embedded }: PaymentDeps,
  { checkout, customerId, place }: Opening,
  trialDays = 0,
): CheckoutRequest {
  const { id, workspace_id: workspaceId, tier, billing } = checkout
  return {
    id,
    workspaceId,
    tier,
    billing,
    customerId,
    embedded: embedded && trialDays === 0,
    trialDays,
    returnTo: {
      success: openedIn(`${publicUrl}/dashboard?payment=success`, place),
      cancel: choiceUrl(publicUrl, checkout, place),
    },
  }
}

async function store(
  { db, provider, publicUrl }: PaymentDeps,
  { checkout, place }: Opening,
  { customerId, returnTo }: CheckoutRequest,
  { sessionId, url: page, isPaid }: OpenCheckout,
): Promise<string> {
  const { id, workspace_id, session_id: former } = checkout
  if (isPaid) {
    // Its event may have ended the checkout already, and another process may have opened a payment.
    await provider.closeCheckouts(customerId)
    return returnTo.success
  }
  const url = page ?? openedIn(stepUrl(publicUrl, id), place)
  if (await storeSession(db, { id, former, sessionId, url })) return url
  const current = await findCheckout(db, workspace_id)
  await provider.closeCheckouts(customerId, current?.session_id ?? current?.id)
  throw new AppError('checkout_replaced')
}
