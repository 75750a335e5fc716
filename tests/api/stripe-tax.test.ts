import { describe, expect, test } from 'vitest'
import type { BillingAddress } from '../../src/contract/billing/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { expectRefusal } from '../support/refusal.ts'
import {
  chooser,
  MONTHLY,
  newPayer,
  type Payer,
  runShop,
  stepPath,
} from '../support/stripe/shop.ts'

const address = (fields: Partial<BillingAddress['address']> = {}): BillingAddress => ({
  name: 'Ada Lovelace',
  address: {
    line1: '12 Elm Street',
    line2: null,
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
    ...fields,
  },
})

describe.each(oneEngineInCi)('a plan with tax in a page of Stripe on %s', (engine) => {
  const shop = runShop({ engine, environment: { TAX: 'stripe', TAX_BEHAVIOR: 'inclusive' } })

  test('Stripe’s page computes the tax and asks for a tax number', async () => {
    const { person } = await chooser(shop)
    expect(person.session).toMatchObject({
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
    })
  })

  test('the pages learn from Stripe which prices contain tax', async () => {
    const shown = async () => {
      const response = await fetch(`${shop.tessera.origin}/api/config`)
      return (await response.json()) as { taxBehaviors?: Record<string, string> }
    }
    shop.tessera.clock.advance(3_600_000)
    const price = shop.life.priceOf(MONTHLY)
    price.tax_behavior = 'exclusive'
    await eventually(async () => (await shown()).taxBehaviors?.professional_monthly === 'exclusive')
    expect((await shown()).taxBehaviors).toMatchObject({ starter_annual: 'inclusive' })
    price.tax_behavior = 'inclusive'
  })
})

describe.each(oneEngineInCi)('a plan with tax on our page on %s', (engine) => {
  const shop = runShop({ engine, environment: { TAX: 'stripe', CHECKOUT: 'embedded' } })

  const paymentAt = (person: Payer, url: string) => person.ask(stepPath(url, 'payment'))
  const send = (person: Payer, url: string, body: BillingAddress) =>
    person.post(stepPath(url, 'address'), body)

  test('the address comes first, and then the amount with the tax', async () => {
    const { person, url } = await chooser(shop)
    expect(await paymentAt(person, url)).toMatchObject({ amount: 849, needsAddress: true })
    expect(await person.chosen()).toBe(url)
    expect(person.subscriptions).toEqual([])
    await expectRefusal(send(person, url, address({ postal_code: '0' })), 'address_refused')
    await expectRefusal(send(await newPayer(shop), url, address()), 'checkout_not_found')

    expect(await (await send(person, url, address())).json()).toEqual({ checkoutUrl: url })
    const paid = await paymentAt(person, url)
    expect(paid).toMatchObject({ ...MONTHLY, amount: 849 + 170, tax: 170 })
    expect(paid).toHaveProperty('clientSecret', expect.stringMatching(/_secret_/))
    expect(paid).not.toHaveProperty('needsAddress')
    expect(shop.books.customer(person.customer)).toMatchObject({ address: { country: 'US' } })

    await shop.send(shop.life.settle(person.subscription.id))
    expect(await person.plan()).toMatchObject(MONTHLY)
    await expectRefusal(send(person, url, address()), 'payment_made')
  })

  test('the tax that a price contains is no line of its own, and another choice asks for the address afresh', async () => {
    const person = await newPayer(shop)
    const price = shop.life.priceOf(MONTHLY)
    price.tax_behavior = 'inclusive'
    const url = await person.chosen()
    await send(person, url, address())
    const paid = await paymentAt(person, url)
    expect(paid).toMatchObject({ amount: 849 })
    expect(paid).not.toHaveProperty('tax')

    price.tax_behavior = 'exclusive'
    const next = await person.chosen()
    expect(await paymentAt(person, next)).toMatchObject({ needsAddress: true })
    await send(person, next, address({ postal_code: '62702' }))
    expect(person.statuses).toEqual(['incomplete_expired', 'incomplete'])
    expect(await paymentAt(person, next)).toMatchObject({ tax: 170 })
  })

  test('a customer who was deleted at Stripe is replaced, with the address', async () => {
    const { person, url } = await chooser(shop)
    shop.life.deleteCustomer(person.customer)
    await send(person, url, address())
    const [, customer = ''] = person.customers
    expect(shop.books.customer(customer)).toMatchObject({ address: { country: 'US' } })
    expect(await paymentAt(person, url)).toMatchObject({ tax: 170 })
  })
})
