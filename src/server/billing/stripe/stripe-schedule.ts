import type Stripe from 'stripe'
import { SECOND_MS } from '#contract/time.ts'
import type { Choice, PlannedChange } from '../provider.ts'
import { idOf, isRefused } from './stripe-client.ts'
import { isOver } from './stripe-payments.ts'
import { choiceOf } from './stripe-prices.ts'

/*
 * Stripe's portal plans a change for the end of the period by a schedule. Stripe refuses other changes
 * of a subscription that has one: https://docs.stripe.com/billing/subscriptions/subscription-schedules
 */

/** Reads a subscription, and releases its schedule first: the subscription goes on as it is. */
export async function releasedSubscription(
  stripe: Stripe,
  id: string,
): Promise<Stripe.Subscription> {
  const found = await stripe.subscriptions.retrieve(id)
  if (!found.schedule || isOver(found)) return found
  try {
    await stripe.subscriptionSchedules.release(idOf(found.schedule))
  } catch (error) {
    if (!isRefused(error)) throw error
    const now = await stripe.subscriptions.retrieve(id)
    if (now.schedule) throw error
    // It has ended since it was read.
    return now
  }
  return stripe.subscriptions.retrieve(id)
}

/** The change from `current` that a schedule plans for its next phase; undefined if it plans none. */
export async function plannedChange(
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  current: Choice,
): Promise<PlannedChange | undefined> {
  if (!schedule || typeof schedule === 'string' || !schedule.current_phase) return undefined
  const { end_date } = schedule.current_phase
  const next = schedule.phases.find(({ start_date }) => start_date >= end_date)
  for (const { price } of next?.items ?? []) {
    // A list of subscriptions expands their schedules, but no prices in them: that is too deep.
    const choice = choiceOf(await stripe.prices.retrieve(idOf(price)))
    if (!choice || !next) continue
    const isSame = choice.tier === current.tier && choice.billing === current.billing
    return isSame ? undefined : { ...choice, at: next.start_date * SECOND_MS }
  }
  return undefined
}
