import { describe, expect, test } from 'vitest'
import type { Payment, Subscription } from '../../src/contract/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { newPerson, type Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import type { Coupon } from '../support/stripe/objects.ts'
import {
  chosen,
  MONTHLY,
  promote,
  runShop,
  stepPath,
  subscriptionsOf,
} from '../support/stripe/shop.ts'

const ANNUAL = { tier: 'unlimited', billing: 'annual' } as const

describe.each(oneEngineInCi)('a promotion code on our page on %s', (engine) => {
  const shop = runShop({ engine, environment: { CHECKOUT: 'embedded' } })

  const paymentAt = (person: Person, url: string) => person.ask<Payment>(stepPath(url, 'payment'))
  const enter = (person: Person, url: string, code: string) =>
    person.call(stepPath(url, 'promotion'), { method: 'POST', body: { code } })
  const statuses = (person: Person) => subscriptionsOf(shop, person).map(({ status }) => status)

  /** Pays the open payment, and answers the plan that is shown. */
  async function pay(person: Person): Promise<Subscription> {
    const open = subscriptionsOf(shop, person).find(({ status }) => status === 'incomplete')
    await shop.send(shop.stripe.life.settle(open?.id ?? ''))
    return person.ask<Subscription>('/api/user/subscription')
  }

  test('lowers the amount, and is shown with the plan while it lasts', async () => {
    promote(shop, 'SPRING')
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const { clientSecret } = await paymentAt(person, url)
    expect(await (await enter(person, url, ' spring ')).json()).toEqual({ checkoutUrl: url })
    const discounted = await paymentAt(person, url)
    expect(discounted).toMatchObject({ amount: 679, discount: { percentOff: 20, taken: 170 } })
    expect(discounted.clientSecret).not.toBe(clientSecret)
    expect(statuses(person)).toEqual(['incomplete_expired', 'incomplete'])
    expect(await chosen(person, MONTHLY)).toBe(url)
    const { discount } = await pay(person)
    expect(discount).toMatchObject({ percentOff: 20, lasts: 'repeating' })
    expect(Date.parse(discount?.until ?? '')).toBeGreaterThan(shop.tessera.clock.now().getTime())
    const [, subscription] = subscriptionsOf(shop, person)
    for (const one of subscription?.discounts ?? []) one.end = shop.stripe.books.seconds()
    await shop.send(shop.stripe.life.change(subscription?.id ?? '', {}))
    expect(await person.ask('/api/user/subscription')).not.toHaveProperty('discount')
  })

  test('for one bill is used up by the first one', async () => {
    promote(shop, 'ONCE', { duration: 'once', percent_off: null, amount_off: 500, currency: 'usd' })
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
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
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const before = await paymentAt(person, url)
    await expectRefusal(enter(person, url, name), 'promotion_refused')
    expect(await paymentAt(person, url)).toEqual(before)
    expect(statuses(person)).toEqual(['incomplete'])
    await expectRefusal(enter(await newPerson(shop.tessera), url, name), 'checkout_not_found')
  })

  test('for a first order counts for it, and is refused after it in a payment that stays open', async () => {
    const code = promote(shop, 'WELCOME')
    code.restrictions.first_time_transaction = true
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    await enter(person, url, 'WELCOME')
    expect(await paymentAt(person, url)).toMatchObject({ amount: 679 })
    await pay(person)
    const [, first] = subscriptionsOf(shop, person)
    await shop.send(shop.stripe.life.end(first?.id ?? ''))
    const again = await chosen(person, MONTHLY)
    const { clientSecret } = await paymentAt(person, again)
    await expectRefusal(enter(person, again, 'WELCOME'), 'promotion_refused')
    const reopened = await paymentAt(person, again)
    expect(reopened).toMatchObject({ amount: 849 })
    expect(reopened.clientSecret).not.toBe(clientSecret)
    expect(statuses(person).slice(2)).toEqual(['incomplete_expired', 'incomplete'])
    expect(await pay(person)).toMatchObject({ ...MONTHLY, status: 'active' })
  })

  test('that comes just after the payment changes nothing', async () => {
    promote(shop, 'LATE')
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, ANNUAL)
    const [subscription] = subscriptionsOf(shop, person)
    shop.stripe.onRequest = (request) => {
      if (request.endsWith('/void')) shop.stripe.life.settle(subscription?.id ?? '')
    }
    await expectRefusal(enter(person, url, 'LATE'), 'payment_under_way')
    expect(statuses(person)).toEqual(['active'])
    await person.ask('/api/user/subscription/refresh', { method: 'POST' })
    expect(await person.ask('/api/user/subscription')).toMatchObject(ANNUAL)
  })

  test('whose answer is lost can be entered again, and another one replaces it', async () => {
    promote(shop, 'FIRST')
    promote(shop, 'SECOND', { percent_off: 50 })
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
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
    expect(statuses(person).filter((status) => status === 'incomplete')).toHaveLength(1)
  })

  test('that another process replaces just now leaves one payment open', async () => {
    promote(shop, 'TWICE')
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const { books, life } = shop.stripe
    const [{ customer = '', metadata = {} } = {}] = subscriptionsOf(shop, person)
    const replaced = async () => {
      const { id } = books.begin(customer, life.priceOf(MONTHLY), metadata)
      const checkouts = shop.tessera.database.db.updateTable('checkouts')
      await checkouts.set({ session_id: id }).where('workspace_id', '=', person.id).execute()
    }
    shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, { kind: 'lag', until: replaced }, 1)
    await expectRefusal(enter(person, url, 'TWICE'), 'checkout_replaced')
    expect(statuses(person)).toEqual(['incomplete_expired', 'incomplete_expired', 'incomplete'])
  })

  test('that pays all of it leads to the dashboard, and a payment of ours left open is closed', async () => {
    const ofTheOperator = {}
    promote(shop, 'GIFT', { percent_off: 100 })
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const paid = await (await enter(person, url, 'GIFT')).json()
    expect(paid).toEqual({ checkoutUrl: `${shop.tessera.origin}/dashboard?payment=success` })
    const [{ customer = '', metadata = {} } = {}] = subscriptionsOf(shop, person)
    for (const owner of [metadata, ofTheOperator]) {
      shop.stripe.books.begin(customer, shop.stripe.life.priceOf(MONTHLY), owner)
    }
    const refreshed = await person.ask('/api/user/subscription/refresh', { method: 'POST' })
    expect(refreshed).toMatchObject({ status: 'active' })
    const closed = ['incomplete_expired', 'active', 'incomplete_expired']
    expect(statuses(person)).toEqual([...closed, 'incomplete'])
  })
})
