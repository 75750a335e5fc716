import { isDeepStrictEqual } from 'node:util'
import type Stripe from 'stripe'
import {
  type BillingPeriod,
  chargeInCents,
  type PaidTier,
  paidTiers,
  plans,
} from '#contract/billing/plans.ts'
import type { Choice } from '../../src/server/billing/provider.ts'
import { isMissing } from '../../src/server/billing/stripe/stripe-client.ts'
import { choices, lookupKey } from '../../src/server/billing/stripe/stripe-prices.ts'
import type { StripeSettings } from '../../src/server/config.ts'

export type Say = (line: string) => void

const INTERVALS: Record<BillingPeriod, 'month' | 'year'> = { monthly: 'month', annual: 'year' }

/** Each plan's product has a fixed id, so that it is found again. */
const productId = (tier: PaidTier) => `tessera_${tier}`

/** The prices of one product, in the form that the billing portal needs. */
export type Offer = { product: string; prices: string[] }

/** Whether new prices contain tax; undefined if Stripe computes none. */
type Tax = StripeSettings['tax']

/** Brings products and prices in line with the catalogue, and answers them. */
export async function setUpCatalogue(stripe: Stripe, say: Say, tax?: Tax): Promise<Offer[]> {
  for (const tier of paidTiers) await setUpProduct(stripe, tier, say)
  const known = await stripe.prices.list({ lookup_keys: choices.map(lookupKey), limit: 100 })
  const prices = new Map<string, string>()
  for (const choice of choices) {
    const key = lookupKey(choice)
    const before = known.data.find(({ lookup_key }) => lookup_key === key)
    prices.set(key, await setUpPrice(stripe, { choice, tax }, before, say))
  }
  return paidTiers.map((tier) => ({
    product: productId(tier),
    prices: choices
      .filter((choice) => choice.tier === tier)
      .map((choice) => prices.get(lookupKey(choice)) ?? ''),
  }))
}

async function setUpProduct(stripe: Stripe, tier: PaidTier, say: Say): Promise<void> {
  const { name: plan, description } = plans[tier]
  const name = `Tessera ${plan}`
  const id = productId(tier)
  const before = await findProduct(stripe, id)
  if (!before) {
    await stripe.products.create({ id, name, description, metadata: { tier } })
    return say(`product ${id}: made`)
  }
  const isSame = before.name === name && before.description === description && before.active
  if (isSame) return say(`product ${id}: as it should be`)
  await stripe.products.update(id, { name, description, active: true })
  say(`product ${id}: changed`)
}

async function findProduct(stripe: Stripe, id: string): Promise<Stripe.Product | undefined> {
  try {
    return await stripe.products.retrieve(id)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * The amount of a price cannot change, nor whether it contains tax once that is said: another amount is
 * another price, which takes over the key.
 */
async function setUpPrice(
  stripe: Stripe,
  { choice, tax }: { choice: Choice; tax: Tax },
  before: Stripe.Price | undefined,
  say: Say,
): Promise<string> {
  const key = lookupKey(choice)
  const wanted = {
    product: productId(choice.tier),
    currency: 'usd',
    unit_amount: chargeInCents(plans[choice.tier], choice.billing),
    recurring: { interval: INTERVALS[choice.billing] },
  }
  const metadata = { ...choice }
  const hasChoice =
    before?.metadata.tier === choice.tier && before.metadata.billing === choice.billing
  // A price without its key is known by its metadata only.
  if (before && !hasChoice) await stripe.prices.update(before.id, { metadata })
  const said = before?.tax_behavior ?? 'unspecified'
  const canStay = !tax || said === tax || said === 'unspecified'
  if (before && isSamePrice(before, wanted) && canStay) {
    const isNews = tax && said !== tax
    if (isNews) await stripe.prices.update(before.id, { tax_behavior: tax })
    say(`price ${key}: ${isNews ? `tax is ${tax} from now on` : 'as it should be'}`)
    return before.id
  }
  const taxed = tax ? { tax_behavior: tax } : {}
  const made = { ...wanted, ...taxed, metadata, lookup_key: key, transfer_lookup_key: true }
  const { id } = await stripe.prices.create(made)
  // Subscribers keep the old price; others cannot choose it any more.
  if (before?.active) await stripe.prices.update(before.id, { active: false })
  say(`price ${key}: ${before ? 'replaced' : 'made'}, ${wanted.unit_amount} cents`)
  return id
}

function isSamePrice(price: Stripe.Price, wanted: object): boolean {
  const { active, product, currency, unit_amount, recurring } = price
  const told = { product, currency, unit_amount, recurring: { interval: recurring?.interval } }
  return active && isDeepStrictEqual(told, wanted)
}
