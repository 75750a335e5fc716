import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subscription } from '../../src/contract/billing.ts'
import { chargeInCents, plans } from '../../src/contract/plans.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { newPerson, type Person } from '../support/person.ts'
import {
  chosen,
  customersOf,
  MONTHLY,
  openSession,
  runJobs,
  runShop,
  subscriptionsOf,
} from '../support/stripe/shop.ts'

const STARTER = { tier: 'starter', billing: 'monthly' } as const
const TRIAL = { status: 'trialing', hadTrial: true, ...MONTHLY }

beforeEach(() => {
  plans.professional.trialDays = 14
})
afterEach(() => {
  plans.professional.trialDays = 0
})

const shown = (person: Person) => person.ask<Subscription>('/api/user/subscription')

describe.each(oneEngineInCi)('a free trial on %s', (engine) => {
  // Also beside payments on our page, where it would begin before a card is given.
  const shop = runShop({ engine, environment: { CHECKOUT: 'embedded', TAX: 'stripe' } })

  async function onTrial() {
    const person = await newPerson(shop.tessera)
    await chosen(person, MONTHLY)
    await shop.send(shop.stripe.life.pay(openSession(shop, person).id))
    return person
  }

  test('is a plan at once, and there is one an account, even for a new customer', async () => {
    const person = await onTrial()
    expect(await shown(person)).toMatchObject(TRIAL)
    const [subscription] = subscriptionsOf(shop, person)
    await shop.send(shop.stripe.life.end(subscription?.id ?? ''))
    expect(await chosen(person, MONTHLY)).toContain('step=pay')
    await shop.send(shop.stripe.life.deleteCustomer(subscription?.customer ?? ''))
    expect(await chosen(person, { ...MONTHLY, billing: 'annual' })).toContain('step=pay')
    expect(await shown(person)).toMatchObject({ tier: 'free', hadTrial: true })
  })

  test('is only for plans that have one, and for an account’s first plan', async () => {
    const person = await newPerson(shop.tessera)
    expect(await chosen(person, STARTER)).toContain('step=pay')
    const { books, life } = shop.stripe
    const [customer = ''] = customersOf(shop, person)
    books.end(books.begin(customer, life.priceOf(STARTER), {}))
    expect(await chosen(person, MONTHLY)).toContain('step=pay')
  })

  test('is announced three days before its end, with the amount of the plan that follows, and once', async () => {
    const person = await onTrial()
    const [subscription] = subscriptionsOf(shop, person)
    const { life } = shop.stripe
    await shop.send(life.plan(subscription?.id ?? '', life.priceOf(STARTER)))
    const subjects = async (days: number) => {
      // Mails go out by day: one of three times of a day is by day at any time that this test runs.
      for (let part = 0; part < days * 3; part++) await runJobs(shop, DAY_MS / 3)
      await allSent(shop.tessera)
      return subjectsTo(shop.tessera, person.email)
    }
    expect(await subjects(10)).toEqual([])
    expect(await subjects(3)).toEqual([
      expect.stringMatching(/^Your free trial of Professional ends on \w+, \w+ \d+$/),
    ])
    const [mail] = await mailsTo(shop.tessera, person.email)
    const price = chargeInCents(plans.starter, 'monthly') / 100
    expect(mail?.text).toContain(`Then we charge $${price.toFixed(2)} for Starter`)
  })
})
