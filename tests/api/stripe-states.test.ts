import { describe, expect, test } from 'vitest'
import { INVOICES_MAX, invoice } from '../../src/contract/billing/billing.ts'
import { z } from '../../src/contract/zod.ts'
import { refuseOtherMode } from '../../src/server/database/payment-mode.ts'
import { setMark } from '../../src/server/database/service-marks.ts'
import { checkDatabase } from '../../src/server/doctor/database-checks.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { subscribe } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { MONTHLY, newPayer, runJobs, runShop, subscriber } from '../support/stripe/shop.ts'

const DAY_S = 24 * 3600

describe.each(oneEngineInCi)('a subscription of Stripe on %s', (engine) => {
  const shop = runShop({ engine })

  // Without its first payment a subscription never was the account's plan.
  test.each([
    ['trialing', MONTHLY.tier, 'trialing', true],
    ['active', MONTHLY.tier, 'active', true],
    ['past_due', MONTHLY.tier, 'past_due', true],
    ['unpaid', MONTHLY.tier, 'unpaid', false],
    ['paused', MONTHLY.tier, 'paused', false],
    ['canceled', MONTHLY.tier, 'canceled', false],
    ['incomplete', 'free', 'active', false],
    ['incomplete_expired', 'free', 'active', false],
    ['unheard_of', MONTHLY.tier, 'unheard_of', false],
  ])('%s', async (state, bought, status, isOpen) => {
    const { person, subscription } = await subscriber(shop)
    const code = await person.code()
    await shop.send(shop.life.change(subscription.id, { status: state }))
    const shown = await person.plan()
    const tier = isOpen ? bought : 'free'
    expect(shown).toMatchObject({ tier, status, qrCodeLimit: isOpen ? 10 : 3 })
    expect(shown.previousTier ?? tier).toBe(bought)
    expect(shown.billing === null).toBe(bought === 'free')
    expect(shown.unpaid).toBe(/past_due|unpaid/.test(state) || undefined)
    expect(shown.currentPeriodEnd !== null).toBe(isOpen)
    const wanted = { subscriptionTier: isOpen ? MONTHLY.tier : 'free' }
    expect(await person.ask('/api/auth/user')).toMatchObject(wanted)
    const body = { vanityUrl: `menu-${person.id.slice(0, 13)}` }
    const change = await person.call(`/api/qr-codes/${code.id}`, { method: 'PATCH', body })
    expect(change.status).toBe(isOpen ? 200 : 403)
  })

  test('counts in place of a plan that the operator gave', async () => {
    const { person, subscription } = await subscriber(shop)
    await subscribe(person, 'starter')
    await shop.send(shop.life.renew(subscription.id))
    expect(await person.plan()).toMatchObject({ tier: MONTHLY.tier })
  })

  test.each([
    ['active', (id: string) => shop.life.change(id, {})],
    ['past_due', (id: string) => shop.life.failRenewal(id)],
    ['trialing', (id: string) => shop.life.change(id, { status: 'trialing' })],
  ])(
    'a plan that is %s can be canceled at the end of its period, and resumed',
    async (status, happen) => {
      const { person, subscription } = await subscriber(shop)
      const { currentPeriodEnd } = await person.plan()
      await shop.send(happen(subscription.id))
      // A renewal that failed begins a period that is not paid.
      const canceling = { status: 'canceling', qrCodeLimit: 10, currentPeriodEnd }
      expect(await person.make('/api/user/subscription/cancel')).toMatchObject(canceling)
      expect(await person.plan()).toMatchObject(canceling)
      expect(subscription).toMatchObject({ status, cancel_at_period_end: true })
      const resumed = await person.make('/api/user/subscription/resume')
      expect(resumed).toMatchObject({ status, currentPeriodEnd })
      expect(subscription).toMatchObject({ cancel_at_period_end: false, cancel_at: null })
    },
  )

  test('a day after the next renewal does not stop that renewal, until the plan is canceled', async () => {
    const { person, subscription } = await subscriber(shop)
    const end = subscription.items.data[0]?.current_period_end ?? 0
    const cancel_at = end + 40 * DAY_S
    await shop.send(shop.life.change(subscription.id, { cancel_at }))
    const currentPeriodEnd = new Date(end * 1000).toISOString()
    const shown = await person.plan()
    expect(shown).toMatchObject({ status: 'active', currentPeriodEnd })
    await person.make('/api/user/subscription/resume')
    expect(subscription.cancel_at).toBe(cancel_at)
    const canceled = await person.make('/api/user/subscription/cancel')
    expect(canceled).toMatchObject({ status: 'canceling' })
    expect(subscription.cancel_at).toBe(end)
  })

  test('a day that is set in the portal counts as an end too, and can be removed', async () => {
    const { person, subscription } = await subscriber(shop)
    const cancel_at = subscription.created + 5 * DAY_S
    await shop.send(shop.life.change(subscription.id, { cancel_at }))
    expect(await person.plan()).toMatchObject({
      status: 'canceling',
      currentPeriodEnd: new Date(cancel_at * 1000).toISOString(),
    })
    await person.make('/api/user/subscription/cancel')
    expect(subscription).toMatchObject({ cancel_at, cancel_at_period_end: false })
    expect(await person.make('/api/user/subscription/resume')).toMatchObject({
      status: 'active',
    })
    expect(subscription.cancel_at).toBeNull()
  })

  test.each([
    ['failed too', 'failRenewal', 60],
    ['was paid', 'renew', 0],
  ] as const)(
    'a plan ends on the day until when it was paid, if a renewal failed and the next %s unheard',
    async (_case, happen, daysBefore) => {
      const { person, subscription } = await subscriber(shop)
      const { id, created } = subscription
      const current_period_end = created - 60 * DAY_S
      Object.assign(subscription.items.data[0] ?? {}, { current_period_end })
      await shop.send(shop.life.failRenewal(id))
      shop.life[happen](id)
      shop.life.end(id)
      const currentPeriodEnd = new Date((created - daysBefore * DAY_S) * 1000).toISOString()
      const shown = await person.make('/api/user/subscription/cancel')
      expect(shown).toMatchObject({ status: 'canceled', currentPeriodEnd })
      await expectRefusal(person.post('/api/user/subscription/cancel'), 'no_subscription')
    },
  )

  test('of two subscriptions the better one counts, and the log says so', async () => {
    const { person, subscription } = await subscriber(shop)
    const { books, life } = shop
    const price = life.priceOf({ tier: 'unlimited', billing: 'annual' })
    const other = books.begin(subscription.customer, price, {})
    await shop.send(life.settle(other.id))
    expect(await person.plan()).toMatchObject({ tier: 'unlimited' })
    expect(shop.logged.join()).toContain('an account pays twice')
    await shop.send(life.end(other.id))
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('invoices are listed, the newest first and a bounded number of them', async () => {
    const { person, subscription } = await subscriber(shop)
    for (let month = 0; month < INVOICES_MAX; month++) shop.life.renew(subscription.id)
    const list = z.array(invoice).parse(await person.ask('/api/user/invoices'))
    expect(list).toHaveLength(INVOICES_MAX)
    expect(list[0]).toMatchObject({
      id: subscription.latest_invoice,
      amount: 849,
      currency: 'usd',
      status: 'paid',
    })
    expect(await (await newPayer(shop)).ask('/api/user/invoices')).toEqual([])
  })

  test('invoices show what was charged or is due, and neither drafts nor void ones', async () => {
    const { person, subscription } = await subscriber(shop)
    const { books, life } = shop
    life.renew(subscription.id)
    // Credit paid a part of the second, and some of the third is paid.
    Object.assign([...books.invoices.values()].at(-1) ?? {}, { amount_due: 349, amount_paid: 349 })
    Object.assign(books.bill(subscription), { amount_paid: 400, amount_remaining: 449 })
    for (const status of ['draft', 'void'] as const) books.bill(subscription).status = status
    const list = z.array(invoice).parse(await person.ask('/api/user/invoices'))
    const shown = list.map(({ amount, status }) => `${status} ${amount}`)
    expect(shown).toEqual(['open 449', 'paid 349', 'paid 849'])
  })

  test('the portal is for customers only', async () => {
    const { person, subscription } = await subscriber(shop)
    const { portalUrl } = await person.make<{ portalUrl: string }>('/api/user/billing-portal')
    const portal = [...shop.books.portals.values()].find(({ url }) => url === portalUrl)
    expect(portal).toMatchObject({ customer: subscription.customer })
    // Its settings are made again: those that were read before are refused.
    const { configurations } = shop.books
    for (const one of [...configurations.values()]) {
      configurations.set('bpc_next', { ...one, id: 'bpc_next' })
      one.active = false
    }
    expect(await person.make('/api/user/billing-portal')).toHaveProperty('portalUrl')
    const stranger = await newPayer(shop)
    await expectRefusal(stranger.post('/api/user/billing-portal'), 'no_subscription')
  })

  test('a deleted customer has no invoices and no portal', async () => {
    const { person, subscription } = await subscriber(shop)
    shop.life.deleteCustomer(subscription.customer)
    expect(await person.ask('/api/user/invoices')).toEqual([])
    await expectRefusal(person.post('/api/user/billing-portal'), 'no_subscription')
  })

  test('a month that is paid stays paid if the bill of a year in its place fails, also in later reads', async () => {
    const { person, subscription } = await subscriber(shop)
    const { currentPeriodEnd } = await person.plan()
    shop.tessera.clock.advance(10 * DAY_S * 1000)
    const { books, life } = shop
    const event = life.changePlan(subscription.id, { ...MONTHLY, billing: 'annual' })
    for (const item of subscription.items.data) {
      item.current_period_start = books.seconds()
      item.current_period_end = books.seconds() + 365 * DAY_S
    }
    subscription.status = 'past_due'
    books.bill(subscription).billing_reason = 'subscription_update'
    for (let reads = 0; reads < 2; reads++) {
      await shop.send(event)
      const shown = { billing: 'annual', status: 'past_due', currentPeriodEnd }
      expect(await person.plan()).toMatchObject(shown)
      Object.assign(event, { id: `${event.id}_again` })
    }
  })

  test('a customer that the key does not know keeps the plan, and no account forgets it', async () => {
    const { person, event, subscription } = await subscriber(shop)
    const { customer } = person
    const known = shop.books.customers.get(customer)
    shop.books.customers.delete(customer)
    await shop.send(event)
    await runJobs(shop, 25 * 3_600_000)
    expect(await person.plan()).toMatchObject(MONTHLY)
    await expectRefusal(person.post('/api/user/billing-portal'), 'payment_refused')
    await expectRefusal(person.choose(), 'payment_refused')
    await expectRefusal(person.call('/api/user/invoices'), 'payment_refused')
    expect(shop.logged.join('')).toContain(`No such customer: '${customer}'`)
    if (known) shop.books.customers.set(customer, known)
    shop.tessera.clock.advance(60_000)
    await shop.send(shop.life.change(subscription.id, {}))
    await runJobs(shop, 25 * 3_600_000)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('the database refuses keys of another mode than its customers', async () => {
    await subscriber(shop)
    const { config, database } = shop.tessera
    const stripe = config.stripe && { ...config.stripe, mode: 'live' as const }
    await expect(refuseOtherMode(database.db, { ...config, stripe })).rejects.toThrow('a live key')
    expect(await refuseOtherMode(database.db, config)).toBeUndefined()
    await setMark(database.db, 'payments', { at: 0, value: 'live' })
    await expect(refuseOtherMode(database.db, config)).rejects.toThrow('a test key')
    await subscriber(shop)
    const clock = shop.tessera.clock.now
    const found = await checkDatabase({
      config,
      database,
      clock,
      newestScan: async () => undefined,
    })
    expect(found.map((one) => one.found).join()).toContain('not of the mode of this database')
    await setMark(database.db, 'payments', { at: 0, value: 'test' })
  })
})
