import { describe, expect, test } from 'vitest'
import { payment } from '../../src/contract/billing/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import type { Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { ANNUAL, chooser, MONTHLY, newPayer, runShop, stepPath } from '../support/stripe/shop.ts'

describe.each(oneEngineInCi)('paying on our page, on %s', (engine) => {
  const shop = runShop({
    engine,
    environment: { CHECKOUT: 'embedded' },
    bounds: { timeoutMs: 2000, retries: 0 },
  })

  const paymentOf = (person: Person, url: string) => person.call(stepPath(url, 'payment'))

  test('the page gets the data of its form, for its own account only', async () => {
    const { person, url } = await chooser(shop)
    expect(url).toContain(`${shop.tessera.origin}/subscription?step=pay&session=`)
    const told = payment.strict().parse(await (await paymentOf(person, url)).json())
    const invoice = shop.books.invoices.get(person.subscription.latest_invoice)
    expect(told).toMatchObject({ ...MONTHLY, provider: 'stripe', amount: 849 })
    expect(told.clientSecret).toBe(invoice?.client_secret)
    const stranger = await newPayer(shop)
    await expectRefusal(paymentOf(stranger, url), 'checkout_not_found')
  })

  test('the same plan again is the same payment, and another plan is another one', async () => {
    const { person, url } = await chooser(shop)
    expect(await person.chosen()).toBe(url)
    expect(person.statuses).toEqual(['incomplete'])
    const next = await person.chosen(ANNUAL)
    expect(person.statuses).toEqual(['incomplete_expired', 'incomplete'])
    expect((await paymentOf(person, url)).status).toBe(404)
    expect(await (await paymentOf(person, next)).json()).toMatchObject({ amount: 14388 })
  })

  test('after the payment the form says that it was made', async () => {
    const { person, url } = await chooser(shop)
    const event = shop.life.settle(person.subscription.id)
    await expectRefusal(paymentOf(person, url), 'payment_made')
    expect((await shop.send(event)).status).toBe(200)
    await expectRefusal(paymentOf(person, url), 'payment_made')
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('a credit whose event is faster than the answer leads to the dashboard too', async () => {
    const { person } = await chooser(shop, ANNUAL)
    shop.books.customer(person.customer).balance = -849
    const applied = async () => {
      await shop.send(shop.life.change(person.subscription.id, {}))
    }
    shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, { kind: 'lag', until: applied }, 1)
    expect(await person.chosen()).toBe(`${shop.tessera.origin}/dashboard?payment=success`)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test.each([
    ['pays by credit', 0, 'payment_under_way', ['active', 'incomplete_expired']],
    ['is paid by credit', -849, undefined, ['incomplete_expired', 'active']],
  ] as const)(
    'beside another process no second payment stays open if one %s',
    async (_case, balance, refused, left) => {
      const { person } = await chooser(shop, ANNUAL)
      const { books, life } = shop
      const { customer } = person
      books.customer(customer).balance = balance
      shop.stripe.onRequest = (request) => {
        if (request !== 'POST /v1/subscriptions') return
        const other = books.begin(customer, life.priceOf(MONTHLY), { checkout: 'other' })
        if (refused) books.coverByCredit(other)
      }
      const response = person.choose()
      if (refused) await expectRefusal(response, refused)
      else expect((await response).status).toBe(200)
      expect(person.statuses.slice(1)).toEqual(left)
    },
  )

  test.each([
    ['fails', { kind: 'status', status: 500 }],
    ['hangs up once it is done', { kind: 'reset', done: true }],
    ['never answers', { kind: 'hang' }],
  ] as const)('if Stripe %s, nothing is started twice', async (_case, upset) => {
    const person = await newPayer(shop)
    const lift = shop.stripe.upsets.add(/^POST \/v1\/subscriptions$/, upset)
    await expectRefusal(person.choose(), 'payments_unavailable')
    lift()
    await person.chosen()
    expect(person.statuses).toEqual(['incomplete'])
  })
})
