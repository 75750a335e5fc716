import { describe, expect, test } from 'vitest'
import { payment } from '../../src/contract/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { newPerson, type Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import {
  choose,
  chosen,
  customersOf,
  MONTHLY,
  runShop,
  stepPath,
  subscriptionsOf,
} from '../support/stripe/shop.ts'

const ANNUAL = { tier: 'unlimited', billing: 'annual' } as const

describe.each(oneEngineInCi)('paying on our page, on %s', (engine) => {
  const shop = runShop({
    engine,
    environment: { CHECKOUT: 'embedded' },
    bounds: { timeoutMs: 2000, retries: 0 },
  })

  const paymentOf = (person: Person, url: string) => person.call(stepPath(url, 'payment'))

  const statuses = (person: Person) => subscriptionsOf(shop, person).map(({ status }) => status)

  test('the page gets the data of its form, for its own account only', async () => {
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    expect(url).toContain(`${shop.tessera.origin}/subscription?step=pay&session=`)
    const told = payment.strict().parse(await (await paymentOf(person, url)).json())
    const [subscription] = subscriptionsOf(shop, person)
    const invoice = shop.stripe.books.invoices.get(subscription?.latest_invoice ?? '')
    expect(told).toMatchObject({ ...MONTHLY, provider: 'stripe', amount: 849 })
    expect(told.clientSecret).toBe(invoice?.client_secret)
    const stranger = await newPerson(shop.tessera)
    await expectRefusal(paymentOf(stranger, url), 'checkout_not_found')
  })

  test('the same plan again is the same payment, and another plan is another one', async () => {
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    expect(await chosen(person, MONTHLY)).toBe(url)
    expect(statuses(person)).toEqual(['incomplete'])
    const next = await chosen(person, ANNUAL)
    expect(statuses(person)).toEqual(['incomplete_expired', 'incomplete'])
    expect((await paymentOf(person, url)).status).toBe(404)
    expect(await (await paymentOf(person, next)).json()).toMatchObject({ amount: 14388 })
  })

  test('after the payment the form says that it was made', async () => {
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const [subscription] = subscriptionsOf(shop, person)
    const event = shop.stripe.life.settle(subscription?.id ?? '')
    await expectRefusal(paymentOf(person, url), 'payment_made')
    expect((await shop.send(event)).status).toBe(200)
    await expectRefusal(paymentOf(person, url), 'payment_made')
    expect(await person.ask('/api/user/subscription')).toMatchObject(MONTHLY)
  })

  test('a credit whose event is faster than the answer leads to the dashboard too', async () => {
    const person = await newPerson(shop.tessera)
    await chosen(person, ANNUAL)
    const [customer = ''] = customersOf(shop, person)
    shop.stripe.books.customer(customer).balance = -849
    const applied = async () => {
      const [subscription] = subscriptionsOf(shop, person).slice(-1)
      await shop.send(shop.stripe.life.change(subscription?.id ?? '', {}))
    }
    shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, { kind: 'lag', until: applied }, 1)
    expect(await chosen(person, MONTHLY)).toBe(`${shop.tessera.origin}/dashboard?payment=success`)
    expect(await person.ask('/api/user/subscription')).toMatchObject(MONTHLY)
  })

  test.each([
    ['pays by credit', 0, 'payment_under_way', ['active', 'incomplete_expired']],
    ['is paid by credit', -849, undefined, ['incomplete_expired', 'active']],
  ] as const)(
    'beside another process no second payment stays open if one %s',
    async (_case, balance, refused, left) => {
      const person = await newPerson(shop.tessera)
      await chosen(person, ANNUAL)
      const { books, life } = shop.stripe
      const [customer = ''] = customersOf(shop, person)
      books.customer(customer).balance = balance
      shop.stripe.onRequest = (request) => {
        if (request !== 'POST /v1/subscriptions') return
        const other = books.begin(customer, life.priceOf(MONTHLY), { checkout: 'other' })
        if (refused) books.coverByCredit(other)
      }
      const response = choose(person, MONTHLY)
      if (refused) await expectRefusal(response, refused)
      else expect((await response).status).toBe(200)
      expect(statuses(person).slice(1)).toEqual(left)
    },
  )

  test.each([
    ['fails', { kind: 'status', status: 500 }],
    ['hangs up once it is done', { kind: 'reset', done: true }],
    ['never answers', { kind: 'hang' }],
  ] as const)('if Stripe %s, nothing is started twice', async (_case, upset) => {
    const person = await newPerson(shop.tessera)
    const lift = shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, upset)
    await expectRefusal(choose(person, MONTHLY), 'payments_unavailable')
    lift()
    await chosen(person, MONTHLY)
    expect(statuses(person)).toEqual(['incomplete'])
  })
})
