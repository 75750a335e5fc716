import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { choiceOf, choices, lookupKey } from '../../../src/server/billing/stripe/stripe-prices.ts'
import { providedSubscription } from '../../../src/server/billing/stripe/stripe-provider.ts'

const PRO = { tier: 'professional', billing: 'monthly' } as const

const [PERIOD_START, PERIOD_END] = [1_797_400_000, 1_800_000_000]

type Price = { metadata: Record<string, string>; lookup_key: string | null }

const ours: Price = { metadata: { ...PRO }, lookup_key: 'tessera_professional_monthly' }
const other: Price = { metadata: {}, lookup_key: 'mugs' }

/** The parts of Stripe's subscription that are read. */
function told(fields: Partial<Stripe.Subscription> = {}, prices = [ours]) {
  const data = prices.map((price, at) => ({
    price,
    current_period_start: PERIOD_START,
    current_period_end: PERIOD_END + at,
  }))
  return {
    id: 'sub_1',
    status: 'active',
    created: 1_700_000_000,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    metadata: {},
    discounts: [],
    latest_invoice: null,
    trial_start: null,
    items: { data },
    ...fields,
  } as unknown as Stripe.Subscription
}

describe('the choice of a price', () => {
  test('every choice has its own lookup key, and is found by it', () => {
    expect(new Set(choices.map(lookupKey)).size).toBe(6)
    for (const choice of choices) {
      expect(choiceOf({ metadata: {}, lookup_key: lookupKey(choice) })).toEqual(choice)
    }
  })

  test('metadata count if the key is gone', () => {
    expect(choiceOf({ metadata: { ...PRO }, lookup_key: null })).toEqual(PRO)
  })

  test('metadata count more than the key', () => {
    expect(choiceOf({ metadata: { ...PRO }, lookup_key: 'tessera_starter_annual' })).toEqual(PRO)
  })

  test.each([
    ['nothing', {}, null],
    ['the free plan', { tier: 'free', billing: 'monthly' }, null],
    ['half of it', { tier: 'starter' }, null],
    ['another key', {}, 'tessera_gold_monthly'],
    ['a longer key', {}, 'tessera_starter_monthly_2'],
  ])('%s is not ours', (_case, metadata: Record<string, string>, lookup_key) => {
    expect(choiceOf({ metadata, lookup_key })).toBeUndefined()
  })
})

describe('a subscription of Stripe', () => {
  test('is read in our words, in milliseconds', () => {
    expect(providedSubscription(told())).toEqual({
      ...PRO,
      id: 'sub_1',
      status: 'active',
      endsAtPeriodEnd: false,
      isUnpaid: false,
      endedAt: null,
      paidUntil: 1_800_000_000_000,
      createdAt: 1_700_000_000_000,
      discount: undefined,
      hadTrial: false,
    })
  })

  test('that never began was not canceled', () => {
    const closed = told({ status: 'incomplete_expired', canceled_at: PERIOD_START })
    expect(providedSubscription(closed)?.cancellation).toBeUndefined()
  })

  test.each([
    [{ cancel_at_period_end: true }, true],
    [{ cancel_at: PERIOD_END }, true],
    [{ cancel_at: PERIOD_END + 1 }, false],
    [{}, false],
  ])('with %j ends: %s', (fields, endsAtPeriodEnd) => {
    expect(providedSubscription(told(fields))).toMatchObject({ endsAtPeriodEnd })
  })

  const late = PERIOD_END + 5
  const early = PERIOD_END - 86_400
  const UNPAID_CHANGE = { billing_reason: 'subscription_update', status: 'open' }
  const UNPAID_RENEWAL = { billing_reason: 'subscription_cycle', status: 'open' }
  test.each([
    ['active', {}, PERIOD_END],
    ['trialing', {}, PERIOD_END],
    // The period that has begun is the one whose payment failed.
    ['past_due', {}, PERIOD_START],
    ['past_due', { latest_invoice: { billing_reason: 'subscription_update' } }, PERIOD_END],
    ['past_due', { latest_invoice: { ...UNPAID_CHANGE, created: PERIOD_START + 5 } }, PERIOD_START],
    ['past_due', { latest_invoice: { ...UNPAID_CHANGE, created: late } }, PERIOD_END],
    ['canceled', { ended_at: late, latest_invoice: UNPAID_RENEWAL }, PERIOD_START],
    ['active', { cancel_at: early }, early],
    ['active', { cancel_at: late }, PERIOD_END],
    ['canceled', { ended_at: late }, PERIOD_END],
    ['canceled', { ended_at: early }, early],
    ['canceled', { cancel_at: early, ended_at: late }, early],
    ['incomplete', {}, null],
  ])('that is %s with %j is paid until %s', (status, fields, seconds) => {
    const { paidUntil } = providedSubscription(told({ ...fields, status } as never)) ?? {}
    expect(paidUntil).toBe(seconds === null ? null : seconds * 1000)
  })

  test('is found beside other items, with the end of its own period', () => {
    expect(providedSubscription(told({}, [other, ours]))).toMatchObject({
      ...PRO,
      paidUntil: 1_800_000_001_000,
    })
  })

  test.each([
    ['other things', [other]],
    ['nothing', []],
  ])('to %s is not ours', (_case, prices) => {
    expect(providedSubscription(told({}, prices))).toBeUndefined()
  })
})
