import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../src/contract/billing/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { expectRefusal } from '../support/refusal.ts'
import { UNUSED } from '../support/stripe/preview-endpoint.ts'
import { MONTHLY, promote, runShop, STARTER, subscriber } from '../support/stripe/shop.ts'

const UNLIMITED = { tier: 'unlimited', billing: 'monthly' } as const

describe.each(oneEngineInCi)('a change of plan at Stripe on %s', (engine) => {
  const shop = runShop({ engine })

  /** A subscriber of Professional who has confirmed a lower plan in the portal. */
  async function downgrader() {
    const bought = await subscriber(shop)
    await shop.send(shop.life.confirm(await bought.person.chosen(STARTER)))
    return bought
  }

  test('to a lower one is shown with its day, and takes effect then', async () => {
    const { person, subscription } = await downgrader()
    const { currentPeriodEnd: at, ...shown } = await person.plan()
    expect(shown).toMatchObject({ ...MONTHLY, qrCodeLimit: 10, next: { ...STARTER, at } })
    await expectRefusal(person.choose(STARTER), 'change_planned')
    await shop.send(shop.life.renew(subscription.id))
    const lower = await person.plan()
    expect(lower).toMatchObject({ ...STARTER, qrCodeLimit: 3 })
    expect(lower.next).toBeUndefined()
  })

  test.each([
    ['“Keep my plan”', '/api/user/subscription/keep', 'active'],
    ['a cancellation', '/api/user/subscription/cancel', 'canceling'],
  ])('that is planned is called off by %s', async (_case, path, status) => {
    const { person, subscription } = await downgrader()
    const shown = await person.make<Subscription>(path)
    expect(shown).toMatchObject({ ...MONTHLY, status })
    expect(shown.next).toBeUndefined()
    await shop.send(shop.life.renew(subscription.id))
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('that is planned is called off when another plan is chosen, and when the portal did before', async () => {
    const { person, subscription } = await downgrader()
    const url = await person.chosen(UNLIMITED)
    expect(subscription.schedule).toBeNull()
    await shop.send(shop.life.confirm(url))
    expect(await person.plan()).toMatchObject(UNLIMITED)

    shop.life.plan(subscription.id, shop.life.priceOf(STARTER))
    shop.stripe.onRequest = (request) => {
      if (request.endsWith('/release')) shop.books.unschedule(subscription.schedule, 'released')
    }
    const kept = await person.make<Subscription>('/api/user/subscription/keep')
    expect(kept.next).toBeUndefined()
  })

  test('at once says what is due today and what it renews for', async () => {
    const { person, subscription } = await subscriber(shop)
    const preview = (tier: string, billing: string) =>
      person.call(`/api/user/subscription/preview?tier=${tier}&billing=${billing}`)
    shop.books.customer(subscription.customer).balance = -100
    expect(await (await preview('unlimited', 'monthly')).json()).toEqual({
      dueToday: 1399 - UNUSED - 100,
      renewal: 1399,
      renewsAt: expect.any(String),
    })
    const { id } = promote(shop, 'CHANGED')
    subscription.discounts = [shop.books.discount(id, subscription.customer)]
    expect(await (await preview('professional', 'annual')).json()).toMatchObject({ renewal: 6710 })
    await shop.send(shop.life.end(subscription.id))
    await expectRefusal(preview('unlimited', 'monthly'), 'no_subscription')
  })
})
