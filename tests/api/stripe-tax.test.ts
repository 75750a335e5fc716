import { describe, expect, test } from 'vitest'
import type { BillingAddress } from '../../src/contract/billing.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { newPerson, type Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import {
  chosen,
  customersOf,
  MONTHLY,
  openSession,
  runShop,
  stepPath,
  subscriptionsOf,
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
    const person = await newPerson(shop.tessera)
    await chosen(person, MONTHLY)
    expect(openSession(shop, person)).toMatchObject({
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
    const price = shop.stripe.life.priceOf(MONTHLY)
    price.tax_behavior = 'exclusive'
    await eventually(async () => (await shown()).taxBehaviors?.professional_monthly === 'exclusive')
    expect((await shown()).taxBehaviors).toMatchObject({ starter_annual: 'inclusive' })
    price.tax_behavior = 'inclusive'
  })
})

describe.each(oneEngineInCi)('a plan with tax on our page on %s', (engine) => {
  const shop = runShop({ engine, environment: { TAX: 'stripe', CHECKOUT: 'embedded' } })

  const paymentAt = (person: Person, url: string) => person.ask(stepPath(url, 'payment'))
  const send = (person: Person, url: string, body: BillingAddress) =>
    person.call(stepPath(url, 'address'), { method: 'POST', body })

  test('the address comes first, and then the amount with the tax', async () => {
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    expect(await paymentAt(person, url)).toMatchObject({ amount: 849, needsAddress: true })
    expect(await chosen(person, MONTHLY)).toBe(url)
    expect(subscriptionsOf(shop, person)).toEqual([])
    await expectRefusal(send(person, url, address({ postal_code: '0' })), 'address_refused')
    await expectRefusal(send(await newPerson(shop.tessera), url, address()), 'checkout_not_found')

    expect(await (await send(person, url, address())).json()).toEqual({ checkoutUrl: url })
    const [subscription] = subscriptionsOf(shop, person)
    const paid = await paymentAt(person, url)
    expect(paid).toMatchObject({ ...MONTHLY, amount: 849 + 170, tax: 170 })
    expect(paid).toHaveProperty('clientSecret', expect.stringMatching(/_secret_/))
    expect(paid).not.toHaveProperty('needsAddress')
    const [customer = ''] = customersOf(shop, person)
    expect(shop.stripe.books.customer(customer)).toMatchObject({ address: { country: 'US' } })

    await shop.send(shop.stripe.life.settle(subscription?.id ?? ''))
    expect(await person.ask('/api/user/subscription')).toMatchObject(MONTHLY)
    await expectRefusal(send(person, url, address()), 'payment_made')
  })

  test('the tax that a price contains is no line of its own, and another choice asks for the address afresh', async () => {
    const person = await newPerson(shop.tessera)
    const price = shop.stripe.life.priceOf(MONTHLY)
    price.tax_behavior = 'inclusive'
    const url = await chosen(person, MONTHLY)
    await send(person, url, address())
    const paid = await paymentAt(person, url)
    expect(paid).toMatchObject({ amount: 849 })
    expect(paid).not.toHaveProperty('tax')

    price.tax_behavior = 'exclusive'
    const next = await chosen(person, MONTHLY)
    expect(await paymentAt(person, next)).toMatchObject({ needsAddress: true })
    await send(person, next, address({ postal_code: '62702' }))
    const statuses = subscriptionsOf(shop, person).map(({ status }) => status)
    expect(statuses).toEqual(['incomplete_expired', 'incomplete'])
    expect(await paymentAt(person, next)).toMatchObject({ tax: 170 })
  })

  test('a customer who was deleted at Stripe is replaced, with the address', async () => {
    const person = await newPerson(shop.tessera)
    const url = await chosen(person, MONTHLY)
    const [gone = ''] = customersOf(shop, person)
    shop.stripe.life.deleteCustomer(gone)
    await send(person, url, address())
    const [, customer = ''] = customersOf(shop, person)
    expect(shop.stripe.books.customer(customer)).toMatchObject({ address: { country: 'US' } })
    expect(await paymentAt(person, url)).toMatchObject({ tax: 170 })
  })
})
