import { describe, expect, test } from 'vitest'
import type { Payment, Subscription } from '../../src/contract/billing/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Coupon } from '../support/stripe/objects.ts'
import {
  ANNUAL,
  chooser,
  MONTHLY,
  newPayer,
  type Payer,
  promote,
  runShop,
  stepPath,
} from '../support/stripe/shop.ts'

describe.each(oneEngineInCi)('a promotion code on our page on %s', (engine) => {
  const shop = runShop({ engine, environment: { CHECKOUT: 'embedded' } })

  const paymentAt = (person: Payer, url: string) => person.ask<Payment>(stepPath(url, 'payment'))
  const enter = (person: Payer, url: string, code: string) =>
    person.post(stepPath(url, 'promotion'), { code })

  /** Pays the open payment, and answers the plan that is shown. */
  async function pay(person: Payer): Promise<Subscription> {
    const open = person.subscriptions.find(({ status }) => status === 'incomplete')
    await shop.send(shop.life.settle(open?.id ?? ''))
    return person.plan()
  }

  test('lowers the amount, and is shown with the plan while it lasts', async () => {
    promote(shop, 'SPRING')
    const { person, url } = await chooser(shop)
    const { clientSecret } = await paymentAt(person, url)
    expect(await (await enter(person, url, ' spring ')).json()).toEqual({ checkoutUrl: url })
    const discounted = await paymentAt(person, url)
    expect(discounted).toMatchObject({ amount: 679, discount: { percentOff: 20, taken: 170 } })
    expect(discounted.clientSecret).not.toBe(clientSecret)
    expect(person.statuses).toEqual(['incomplete_expired', 'incomplete'])
    expect(await person.chosen()).toBe(url)
    const { discount } = await pay(person)
    expect(discount).toMatchObject({ percentOff: 20, lasts: 'repeating' })
    expect(Date.parse(discount?.until ?? '')).toBeGreaterThan(shop.tessera.clock.now().getTime())
    const { subscription } = person
    for (const one of subscription.discounts) one.end = shop.books.seconds()
    await shop.send(shop.life.change(subscription.id, {}))
    expect(await person.plan()).not.toHaveProperty('discount')
  })

  test('for one bill is used up by the first one', async () => {
    promote(shop, 'ONCE', { duration: 'once', percent_off: null, amount_off: 500, currency: 'usd' })
    const { person, url } = await chooser(shop)
    await enter(person, url, 'ONCE')
    expect(await paymentAt(person, url)).toMatchObject({ amount: 349 })
    expect(await pay(person)).not.toHaveProperty('discount')
  })

  test.each<[string, Partial<Coupon>, (code: ReturnType<typeof promote>) => object]>([
    ['that is over', {}, () => ({ active: false })],
    ['that is wrong', {}, () => ({ code: 'ANOTHER' })],
    ['for another customer', {}, () => ({ customer: 'cus_1' })],
    ['for another plan', { applies_to: { products: ['tessera_starter'] } }, () => ({})],
  ])('%s is refused, and the payment stays', async (why, coupon, change) => {
    const name = why.replaceAll(' ', '-')
    const code = promote(shop, name, coupon)
    Object.assign(code, change(code))
    const { person, url } = await chooser(shop)
    const before = await paymentAt(person, url)
    await expectRefusal(enter(person, url, name), 'promotion_refused')
    expect(await paymentAt(person, url)).toEqual(before)
    expect(person.statuses).toEqual(['incomplete'])
    await expectRefusal(enter(await newPayer(shop), url, name), 'checkout_not_found')
  })

  test('for a first order counts for it, and is refused after it in a payment that stays open', async () => {
    const code = promote(shop, 'WELCOME')
    code.restrictions.first_time_transaction = true
    const { person, url } = await chooser(shop)
    await enter(person, url, 'WELCOME')
    expect(await paymentAt(person, url)).toMatchObject({ amount: 679 })
    await pay(person)
    await shop.send(shop.life.end(person.subscription.id))
    const again = await person.chosen()
    const { clientSecret } = await paymentAt(person, again)
    await expectRefusal(enter(person, again, 'WELCOME'), 'promotion_refused')
    const reopened = await paymentAt(person, again)
    expect(reopened).toMatchObject({ amount: 849 })
    expect(reopened.clientSecret).not.toBe(clientSecret)
    expect(person.statuses.slice(2)).toEqual(['incomplete_expired', 'incomplete'])
    expect(await pay(person)).toMatchObject({ ...MONTHLY, status: 'active' })
  })

  test('that comes just after the payment changes nothing', async () => {
    promote(shop, 'LATE')
    const { person, url } = await chooser(shop, ANNUAL)
    const { subscription } = person
    shop.stripe.onRequest = (request) => {
      if (request.endsWith('/void')) shop.life.settle(subscription.id)
    }
    await expectRefusal(enter(person, url, 'LATE'), 'payment_under_way')
    expect(person.statuses).toEqual(['active'])
    await person.make('/api/user/subscription/refresh')
    expect(await person.plan()).toMatchObject(ANNUAL)
  })

  test('whose answer is lost can be entered again, and another one replaces it', async () => {
    promote(shop, 'FIRST')
    promote(shop, 'SECOND', { percent_off: 50 })
    const { person, url } = await chooser(shop)
    const upset = { kind: 'status', status: 500, retry: false } as const
    const lift = shop.stripe.upsets.add(/^POST .*\/void$/, upset)
    await expectRefusal(enter(person, url, 'FIRST'), 'payments_unavailable')
    lift()
    for (const [code, amount] of [
      ['FIRST', 679],
      ['SECOND', 424],
      ['FIRST', 679],
    ] as const) {
      await enter(person, url, code)
      expect(await paymentAt(person, url)).toMatchObject({ amount })
    }
    expect(person.statuses.filter((status) => status === 'incomplete')).toHaveLength(1)
  })

  test('that another process replaces just now leaves one payment open', async () => {
    promote(shop, 'TWICE')
    const { person, url } = await chooser(shop)
    const { books, life } = shop
    const { customer, metadata } = person.subscription
    const replaced = async () => {
      const { id } = books.begin(customer, life.priceOf(MONTHLY), metadata)
      const checkouts = shop.tessera.database.db.updateTable('checkouts')
      await checkouts
        .set({ session_id: id })
        .where('workspace_id', '=', person.workspaceId)
        .execute()
    }
    shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, { kind: 'lag', until: replaced }, 1)
    await expectRefusal(enter(person, url, 'TWICE'), 'checkout_replaced')
    expect(person.statuses).toEqual(['incomplete_expired', 'incomplete_expired', 'incomplete'])
  })

  test('that pays all of it leads to the dashboard, and a payment of ours left open is closed', async () => {
    const ofTheOperator = {}
    promote(shop, 'GIFT', { percent_off: 100 })
    const { person, url } = await chooser(shop)
    const paid = await (await enter(person, url, 'GIFT')).json()
    expect(paid).toEqual({ checkoutUrl: `${shop.tessera.origin}/dashboard?payment=success` })
    const [{ customer = '', metadata = {} } = {}] = person.subscriptions
    for (const owner of [metadata, ofTheOperator]) {
      shop.books.begin(customer, shop.life.priceOf(MONTHLY), owner)
    }
    const refreshed = await person.make('/api/user/subscription/refresh')
    expect(refreshed).toMatchObject({ status: 'active' })
    const closed = ['incomplete_expired', 'active', 'incomplete_expired']
    expect(person.statuses).toEqual([...closed, 'incomplete'])
  })
})
