import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Payment, Subscription } from '../../src/contract/billing.ts'
import { plans } from '../../src/contract/plans.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { engines } from '../support/engines.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { newPerson, type Person } from '../support/person.ts'
import {
  chosen,
  MONTHLY,
  openSession,
  runJobs,
  runShop,
  sessionsOf,
  stepPath,
  subscriptionsOf,
} from '../support/stripe/shop.ts'

const TRIAL = { status: 'trialing', hadTrial: true, ...MONTHLY }

beforeEach(() => {
  plans.professional.trialDays = 14
})
afterEach(() => {
  plans.professional.trialDays = 0
})

const shown = (person: Person) => person.ask<Subscription>('/api/user/subscription')

describe.each(engines)('a free trial in a page of Stripe on %s', (engine) => {
  const shop = runShop({ engine })

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
    await chosen(person, MONTHLY)
    expect(openSession(shop, person).trial_days).toBe(0)
    await shop.send(shop.stripe.life.deleteCustomer(subscription?.customer ?? ''))
    await chosen(person, { ...MONTHLY, billing: 'annual' })
    expect(sessionsOf(shop, person).at(-1)?.trial_days).toBe(0)
    expect(await shown(person)).toMatchObject({ tier: 'free', hadTrial: true })
  })

  test('is only for plans that have one', async () => {
    const person = await newPerson(shop.tessera)
    await chosen(person, { tier: 'starter', billing: 'monthly' })
    expect(openSession(shop, person).trial_days).toBe(0)
  })

  test('is announced three days before its end, with the amount, and once', async () => {
    const person = await onTrial()
    const subjects = async (days: number) => {
      for (let day = 0; day < days * 2; day++) await runJobs(shop, DAY_MS / 2)
      await allSent(shop.tessera)
      return subjectsTo(shop.tessera, person.email)
    }
    expect(await subjects(10)).toEqual([])
    expect(await subjects(3)).toEqual([
      expect.stringMatching(/^Your free trial of Professional ends on \w+, \w+ \d+$/),
    ])
  })
})

describe.each(engines)('a free trial on our page on %s', (engine) => {
  const shop = runShop({ engine, environment: { CHECKOUT: 'embedded' } })

  const paymentAt = (person: Person, url: string) => person.ask<Payment>(stepPath(url, 'payment'))

  test('begins when the card is given, and until then another plan can be chosen', async () => {
    const person = await newPerson(shop.tessera)
    await chosen(person, MONTHLY)
    const url = await chosen(person, { ...MONTHLY, billing: 'annual' })
    expect(subscriptionsOf(shop, person).map(({ status }) => status)).toEqual([
      'canceled',
      'trialing',
    ])
    const asked = await paymentAt(person, url)
    expect(asked).toMatchObject({ amount: 0, trialDays: 14 })
    expect(asked.clientSecret).toMatch(/^seti_/)
    const [, subscription] = subscriptionsOf(shop, person)
    const id = subscription?.id ?? ''
    await shop.send(shop.stripe.life.change(id, {}))
    expect(await shown(person)).toMatchObject({ tier: 'free', status: 'incomplete' })
    expect(await chosen(person, { ...MONTHLY, billing: 'annual' })).toBe(url)

    await shop.send(shop.stripe.life.giveCard(id))
    expect(await shown(person)).toMatchObject({ ...TRIAL, billing: 'annual' })
    await shop.send(shop.stripe.life.renew(id))
    expect(await shown(person)).toMatchObject({ status: 'active', hadTrial: true })
  })

  test('that never got a card is no plan, and can be begun later', async () => {
    const person = await newPerson(shop.tessera)
    await chosen(person, MONTHLY)
    const [subscription] = subscriptionsOf(shop, person)
    await shop.send(shop.stripe.life.end(subscription?.id ?? ''))
    const free = await shown(person)
    expect(free).toMatchObject({ tier: 'free', status: 'active' })
    expect(free).not.toHaveProperty('hadTrial')
    expect(await paymentAt(person, await chosen(person, MONTHLY))).toMatchObject({ trialDays: 14 })
  })
})
