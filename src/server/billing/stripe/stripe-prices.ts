import type Stripe from 'stripe'
import { checkoutRequest } from '#contract/billing/billing.ts'
import { billingPeriods, paidTiers, priceKey } from '#contract/billing/plans.ts'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../http/errors.ts'
import type { Choice, TaxBehaviors } from '../provider.ts'
import { kept } from './stripe-kept.ts'

/** The lookup key of a choice's price. */
export function lookupKey({ tier, billing }: Choice): string {
  return `tessera_${priceKey(tier, billing)}`
}

export const choices: Choice[] = paidTiers.flatMap((tier) =>
  billingPeriods.map((billing) => ({ tier, billing })),
)

/** The choice that a price is for; undefined if it is not ours. A replaced price has no lookup key. */
export function choiceOf(price: Pick<Stripe.Price, 'metadata' | 'lookup_key'>): Choice | undefined {
  const told = checkoutRequest.safeParse(price.metadata)
  if (told.success) return told.data
  return choices.find((choice) => lookupKey(choice) === price.lookup_key)
}

/** The item of a subscription that is one of our plans. */
export const planItem = ({ items }: Pick<Stripe.Subscription, 'items'>) =>
  items.data.find(({ price }) => choiceOf(price))

/** The same. @throws AppError no_subscription */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const item = planItem(subscription)
  if (!item) throw new AppError('no_subscription')
  return item
}

const BEHAVIORS = ['exclusive', 'inclusive'] as const

/** The prices that `npm run stripe:setup` made. */
export class StripePrices {
  readonly #byKey: ReturnType<typeof kept<Map<string | null, Stripe.Price>>>

  constructor(clock: Clock) {
    this.#byKey = kept(readPrices, clock)
  }

  async idOf(stripe: Stripe, choice: Choice): Promise<string> {
    const price = (await this.#byKey.get(stripe)).get(lookupKey(choice))
    if (price) return price.id
    this.forget()
    throw new Error(`Stripe has no price ${lookupKey(choice)}: npm run stripe:setup makes it`)
  }

  /** Leaves out a price that does not say whether it contains tax. */
  async taxBehaviors(stripe: Stripe): Promise<TaxBehaviors> {
    const byKey = await this.#byKey.get(stripe)
    const entries = choices.flatMap((choice) => {
      const said = byKey.get(lookupKey(choice))?.tax_behavior
      const behavior = BEHAVIORS.find((each) => each === said)
      return behavior ? [[priceKey(choice.tier, choice.billing), behavior] as const] : []
    })
    return Object.fromEntries(entries)
  }

  /** Reads the prices again next time: one was refused. */
  forget() {
    this.#byKey.forget()
  }
}

async function readPrices(stripe: Stripe) {
  const lookup_keys = choices.map(lookupKey)
  const { data } = await stripe.prices.list({ lookup_keys, active: true, limit: 100 })
  return new Map(data.map((price) => [price.lookup_key, price]))
}
