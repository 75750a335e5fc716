import type Stripe from 'stripe'
import { billingPeriods, paidTiers } from '#contract/plans.ts'
import { SECOND_MS } from '#contract/time.ts'
import { z } from '#contract/zod.ts'
import type { Choice, ProvidedSubscription } from '../provider.ts'

const choiceSchema = z.object({ tier: z.enum(paidTiers), billing: z.enum(billingPeriods) })

/** The lookup key of a choice's price. */
export function lookupKey({ tier, billing }: Choice): string {
  return `tessera_${tier}_${billing}`
}

export const choices: Choice[] = paidTiers.flatMap((tier) =>
  billingPeriods.map((billing) => ({ tier, billing })),
)

/** The choice that a price is for; undefined if it is not ours. A replaced price has no lookup key. */
export function choiceOf(price: Pick<Stripe.Price, 'metadata' | 'lookup_key'>): Choice | undefined {
  const told = choiceSchema.safeParse(price.metadata)
  if (told.success) return told.data
  return choices.find((choice) => lookupKey(choice) === price.lookup_key)
}

/** Stripe's subscription in our words; undefined if it is for another product. */
export function providedSubscription(
  subscription: Stripe.Subscription,
): ProvidedSubscription | undefined {
  for (const item of subscription.items.data) {
    const choice = choiceOf(item.price)
    if (!choice) continue
    const { id, status, created, cancel_at, cancel_at_period_end } = subscription
    return {
      ...choice,
      ...{ id, status },
      // Since API version 2025-03-31 each item has its own period.
      currentPeriodEnd: item.current_period_end * SECOND_MS,
      endsAtPeriodEnd: cancel_at_period_end || cancel_at !== null,
      createdAt: created * SECOND_MS,
    }
  }
  return undefined
}
