import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paidTiers } from '../../../src/contract/billing/plans.ts'
import {
  currentSubscription,
  isEntitled,
  liveSubscription,
} from '../../../src/server/billing/entitlements.ts'
import type { ProvidedSubscription } from '../../../src/server/billing/provider.ts'
import { seed } from '../../support/soak.ts'

/** The statuses of Stripe, and whether a new choice changes a subscription that has it. */
const STATUSES: Record<string, boolean> = {
  incomplete: false,
  incomplete_expired: false,
  trialing: true,
  active: true,
  past_due: true,
  unpaid: true,
  paused: true,
  canceled: false,
}

function one(status: string, fields: Partial<ProvidedSubscription> = {}): ProvidedSubscription {
  return {
    id: 'sub_1',
    tier: 'professional',
    billing: 'monthly',
    status,
    paidUntil: null,
    endsAtPeriodEnd: false,
    isUnpaid: false,
    endedAt: null,
    createdAt: 1,
    ...fields,
  }
}

describe('the subscription that counts for an account', () => {
  test('is none if there is none, or none ever began', () => {
    expect(currentSubscription([])).toBeUndefined()
    expect(currentSubscription([one('incomplete_expired'), one('incomplete')])).toBeUndefined()
  })

  test.each([
    ['paid before over', one('active'), one('canceled', { createdAt: 9 })],
    ['paid before unpaid', one('past_due'), one('unpaid', { createdAt: 9, tier: 'unlimited' })],
    ['the higher plan', one('active', { tier: 'unlimited' }), one('active', { createdAt: 9 })],
    ['over before never begun', one('canceled'), one('incomplete', { createdAt: 9 })],
    ['unpaid before over', one('unpaid'), one('canceled', { createdAt: 9 })],
    ['the newer of two that are over', one('canceled', { createdAt: 9 }), one('canceled')],
    ['the same of two at once', one('active', { id: 'sub_2' }), one('active')],
  ])('is %s', (_case, better, worse) => {
    expect(currentSubscription([better, worse])).toBe(better)
    expect(currentSubscription([worse, better])).toBe(better)
  })

  const subscription = fc.record({
    id: fc.string({ minLength: 1 }),
    tier: fc.constantFrom(...paidTiers),
    billing: fc.constantFrom('monthly' as const, 'annual' as const),
    status: fc.constantFrom(...Object.keys(STATUSES)),
    paidUntil: fc.constant(null),
    endsAtPeriodEnd: fc.boolean(),
    isUnpaid: fc.boolean(),
    endedAt: fc.constant(null),
    createdAt: fc.nat(5),
  })
  const several = fc.uniqueArray(subscription, { selector: ({ id }) => id, maxLength: 6 })

  test('does not depend on the order of the list', () => {
    fc.assert(
      fc.property(several, (all) => {
        expect(currentSubscription(all.toReversed())).toBe(currentSubscription(all))
      }),
      { seed },
    )
  })

  test('entitles if any of them does', () => {
    fc.assert(
      fc.property(several, (all) => {
        const decisive = currentSubscription(all)
        expect(decisive !== undefined && isEntitled(decisive)).toBe(all.some(isEntitled))
      }),
      { seed },
    )
  })
})

test.each(Object.entries(STATUSES))(
  'a new choice changes a subscription that is %s: %s',
  (status, isLive) => {
    expect(liveSubscription([one(status)]) !== undefined).toBe(isLive)
  },
)
