import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkspaceEntry } from '../../src/contract/accounts/accounts.ts'
import { chargeInCents, plans } from '../../src/contract/billing/plans.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import {
  MONTHLY,
  newPayer,
  runJobs,
  runShop,
  STARTER,
  stepPath,
  subscriber,
} from '../support/stripe/shop.ts'

const TRIAL = { status: 'trialing', hadTrial: true, ...MONTHLY }

beforeEach(() => {
  plans.professional.trialDays = 14
})
afterEach(() => {
  plans.professional.trialDays = 0
})

describe.each(oneEngineInCi)('a free trial on %s', (engine) => {
  // Also beside payments on our page, where it would begin before a card is given.
  const shop = runShop({ engine, environment: { CHECKOUT: 'embedded', TAX: 'stripe' } })

  test('is a plan at once, and there is one an account, even for a new customer', async () => {
    const { person } = await subscriber(shop)
    expect(await person.plan()).toMatchObject(TRIAL)
    const { id, customer } = person.subscription
    await shop.send(shop.life.end(id))
    expect(await person.chosen()).toContain('step=pay')
    await shop.send(shop.life.deleteCustomer(customer))
    expect(await person.chosen({ ...MONTHLY, billing: 'annual' })).toContain('step=pay')
    expect(await person.plan()).toMatchObject({ tier: 'free', hadTrial: true })
  })

  test('is only for plans that have one, and for an account’s first plan', async () => {
    const person = await newPayer(shop)
    expect(await person.chosen(STARTER)).toContain('step=pay')
    const { books, life } = shop
    books.end(books.begin(person.customer, life.priceOf(STARTER), {}))
    expect(await person.chosen()).toContain('step=pay')
  })

  test('is once for an owner, not once a workspace', async () => {
    const { person } = await subscriber(shop)
    const { id } = await person.make<WorkspaceEntry>('/api/workspaces', { name: 'Second' })
    const there = Object.assign(person.elsewhere(person.cookie), { at: id })
    expect(await there.plan()).toMatchObject({ tier: 'free', hadTrial: true, qrCodeLimit: 0 })
    const path = '/api/create-checkout-session'
    const { checkoutUrl } = await there.make<{ checkoutUrl: string }>(path, MONTHLY)
    expect(checkoutUrl).toMatch(new RegExp(`step=pay&session=[-0-9a-f]+&workspace=${id}$`))
    // A call about the payment names no workspace.
    const asked = await person.ask(stepPath(checkoutUrl, 'payment'))
    expect(asked).toMatchObject({ ...MONTHLY, needsAddress: true })
  })

  test('is announced three days before its end, with the amount of the plan that follows, and once', async () => {
    const { person } = await subscriber(shop)
    const { life } = shop
    await shop.send(life.plan(person.subscription.id, life.priceOf(STARTER)))
    const subjects = async (days: number) => {
      // Mails go out by day: one of three times of a day is by day at any time that this test runs.
      for (let part = 0; part < days * 3; part++) await runJobs(shop, DAY_MS / 3)
      await allSent(shop.tessera)
      return subjectsTo(shop.tessera, person.email)
    }
    expect(await subjects(10)).toEqual([])
    const wanted = [expect.stringMatching(/^Your free trial of Professional ends on \w+, \w+ \d+$/)]
    expect(await subjects(3)).toEqual(wanted)
    const [mail] = await mailsTo(shop.tessera, person.email)
    const price = chargeInCents(plans.starter, 'monthly') / 100
    expect(mail?.text).toContain(`Then we charge $${price.toFixed(2)} for Starter`)
  })
})
