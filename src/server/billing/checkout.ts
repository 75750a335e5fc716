import { randomUUID } from 'node:crypto'
import type { BillingAddress } from '#contract/billing/billing.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Actor, checkProof, transactAs } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tx } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import { FairQueue, ONE_EACH } from '../http/queue/fair-queue.ts'
import { openedIn } from '../memberships.ts'
import { beginCheckout, type Checkout, findCheckout } from './checkouts-store.ts'
import { bindCustomer, findCustomer, replaceCustomer, rereadAt } from './customers-store.ts'
import { liveSubscription } from './entitlements.ts'
import {
  applyPromotion,
  choiceUrl,
  openPayment,
  type PaymentDeps,
  stepUrl,
} from './open-payment.ts'
import { type Choice, CustomerGone, type Payer, type ProvidedSubscription } from './provider.ts'

/** The owner of a workspace, who pays, and the member who begins that. `place` is as in `Opening`. */
export type PayingActor = Payer & { actor: Actor; place: WorkspaceId | undefined }

/** The entries on our page for a payment that was begun. */
export type Given = { address?: BillingAddress; code?: string }

/** A payment shows within this time, even if its webhook is lost and the browser does not come back. */
const LOOK_AFTER_MS = 30 * MINUTE_MS

/** Statuses under which a plan can be changed. With any other, the portal takes a payment first. */
const CHANGEABLE = new Set(['active', 'trialing'])

/** Where the browser comes back to after a change of plan; the profile then reads the plan again. */
export const changedUrl = (publicUrl: string, place: WorkspaceId | undefined) =>
  openedIn(`${publicUrl}/profile?payment=changed`, place)

/**
 * Opens payments: at most one at a time for an account. A running subscription is changed instead.
 * An account's requests take turns in this process; between processes the checkout's id decides:
 * the provider opens one payment under it, however often it is asked.
 */
export class Checkouts {
  readonly #deps: PaymentDeps
  readonly #queue = new FairQueue(ONE_EACH)

  constructor(deps: PaymentDeps) {
    this.#deps = deps
  }

  /**
   * Where the browser goes to pay for the choice: to our page for the address first, where `openPayment`
   * needs it. A promotion code is for an open payment.
   * @throws AppError already_on_plan, change_planned, payment_under_way, checkout_replaced,
   * payments_unavailable, payment_refused, address_refused, promotion_refused, checkout_not_found
   */
  start(payer: PayingActor, choice: Choice, given: Given = {}): Promise<string> {
    return this.#queue.run(payer.workspaceId, async () => {
      await checkProof(this.#deps.db, payer.actor)
      const customerId = await this.#customerOf(payer)
      const live = liveSubscription(await this.#deps.provider.subscriptionsOf(customerId))
      if (live) return this.#change(payer, customerId, live, choice)
      try {
        return await this.#pay(payer, customerId, choice, given)
      } catch (error) {
        if (!(error instanceof CustomerGone)) throw error
        const next = await this.#newCustomer(payer, customerId)
        return this.#pay(payer, next, choice, given)
      }
    })
  }

  async #newCustomer(payer: Payer, gone: string): Promise<string> {
    const { db, provider } = this.#deps
    const customerId = await provider.createCustomer(payer, gone)
    const { workspaceId } = payer
    await replaceCustomer(db, { provider: provider.name, workspaceId, gone, customerId })
    return customerId
  }

  async #customerOf(payer: PayingActor): Promise<string> {
    const { db, provider, clock } = this.#deps
    const { workspaceId } = payer
    const at = clock().getTime() + LOOK_AFTER_MS
    const known = await findCustomer(db, provider.name, workspaceId)
    if (!known) {
      const customerId = await provider.createCustomer(payer)
      const customer = { provider: provider.name, workspaceId, customerId, rereadAt: at }
      return transactAs(db, payer.actor, (tx) => bindCustomer(tx, customer))
    }
    await rereadAt(db, { provider: provider.name, workspaceId, at })
    return known.customer_id
  }

  async #change(
    { place }: PayingActor,
    customerId: string,
    live: ProvidedSubscription,
    choice: Choice,
  ): Promise<string> {
    const { provider, publicUrl } = this.#deps
    const returnTo = changedUrl(publicUrl, place)
    const { tier, billing } = choice
    if (!CHANGEABLE.has(live.status)) return provider.openPortal(customerId, returnTo)
    if (isSame(live, choice)) throw new AppError('already_on_plan')
    if (live.next && isSame(live.next, choice)) throw new AppError('change_planned')
    return provider.openPlanChange({
      ...choice,
      customerId,
      subscriptionId: live.id,
      // The profile says whether this plan was confirmed.
      returnTo: {
        success: `${returnTo}&tier=${tier}&billing=${billing}`,
        cancel: choiceUrl(publicUrl, choice, place),
      },
    })
  }

  async #pay(
    { actor, place }: PayingActor,
    customerId: string,
    choice: Choice,
    { address, code }: Given,
  ): Promise<string> {
    const checkout = await this.#checkoutFor(actor, choice, !address && !code)
    const opening = { checkout, customerId, place }
    if (code) return applyPromotion(this.#deps, opening, code)
    if (checkout.url) return checkout.url
    return openPayment(this.#deps, opening, address)
  }

  /**
   * The account's open payment if it is for the same choice; otherwise a new one. Choosing a plan again on
   * our page with tax begins a new one too, which asks for the address afresh.
   */
  async #checkoutFor(actor: Actor, choice: Choice, isChoice: boolean): Promise<Checkout> {
    const { db, provider, clock, publicUrl } = this.#deps
    const { workspaceId } = actor
    const previous = await findCheckout(db, workspaceId)
    const isOurs = previous?.provider === provider.name
    if (previous?.session_id && isOurs) {
      const state = await provider.checkoutState(previous.session_id)
      if (state === 'complete') throw new AppError('payment_under_way')
      const isOnOurPage = previous.url?.startsWith(stepUrl(publicUrl, previous.id))
      const isAfresh = isChoice && provider.tax && isOnOurPage
      if (state === 'open' && isSame(previous, choice) && !isAfresh) return previous
    } else if (previous && isOurs && isSame(previous, choice)) {
      // The provider's answer was lost: it is asked again under the same id.
      return previous
    }
    const checkout: Checkout = {
      workspace_id: workspaceId,
      id: randomUUID(),
      provider: provider.name,
      ...choice,
      session_id: null,
      url: null,
      began_at: clock().getTime(),
    }
    const begin = (tx: Tx) => beginCheckout(tx, checkout, previous?.id)
    if (await transactAs(db, actor, begin)) return checkout
    // Another process was faster: its payment serves as well if it is for the same choice.
    const current = await findCheckout(db, workspaceId)
    if (current?.provider === provider.name && isSame(current, choice)) return current
    throw new AppError('checkout_replaced')
  }
}

function isSame(a: Choice, b: Choice): boolean {
  return a.tier === b.tier && a.billing === b.billing
}
