import { describe, expect, test } from 'vitest'
import type { Invoice } from '../../src/contract/billing/billing.ts'
import type { OrderPage, PortalPage } from '../../src/contract/billing/sandbox.ts'
import { type Buyer, buyerForEach, idOf, newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const on = (day: string) => expect.stringMatching(new RegExp(`^${day}`))

/** Days and amounts of the paid invoices, newest first. */
async function invoicesOf({ person }: Buyer): Promise<string[]> {
  const invoices = await person.ask<Invoice[]>('/api/user/invoices')
  expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['paid']))
  return invoices.map(({ date, amount }) => `${date.slice(0, 10)} ${amount}`)
}

describe.each(oneEngineInCi)('subscriptions in the sandbox on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, now: '2026-01-31T12:00:00Z' })
  const buyer = buyerForEach(tessera)

  test('a higher plan costs the difference, which is shown before', async () => {
    await buyer.buy('starter', 'annual')
    const id = idOf(await buyer.choose('unlimited', 'annual'))
    expect(await buyer.page<OrderPage>(id)).toMatchObject({
      kind: 'order',
      from: { tier: 'starter', billing: 'annual' },
      to: { tier: 'unlimited', billing: 'annual' },
      price: 14_388,
      due: 9_600,
      renewsAt: on('2027-01-31'),
      backTo: `${tessera.origin}/subscription?tier=unlimited&billing=annual`,
    })
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter' })
    const returnTo = `${tessera.origin}/profile?payment=changed&tier=unlimited&billing=annual`
    expect(await buyer.confirm(id)).toBe(returnTo)
    expect(await buyer.subscription()).toMatchObject({ tier: 'unlimited', qrCodeLimit: -1 })
    expect(await invoicesOf(buyer)).toEqual(['2026-01-31 9600', '2026-01-31 4788'])
    const [invoice] = await buyer.person.ask<Invoice[]>('/api/user/invoices')
    const portal = idOf(invoice?.url ?? '')
    const page = await buyer.page<PortalPage>(portal)
    expect(page.invoices[0]).toEqual({ ...invoice, plan: { tier: 'unlimited', billing: 'annual' } })
    const stranger = await newBuyer(tessera)
    await expectRefusal(stranger.act(portal, 'cancel'), 'checkout_not_found')
    await expectRefusal(buyer.act(id, 'pay'), 'checkout_not_found')
  })

  test('a lower plan waits for the end of the paid period, and can be called off until then', async () => {
    await buyer.buy('unlimited', 'monthly')
    const chooseLower = async () => {
      const id = idOf(await buyer.choose('starter', 'monthly'))
      const cost = { due: 0, isLater: true, renewsAt: on('2026-02-28') }
      expect(await buyer.page<OrderPage>(id)).toMatchObject(cost)
      await buyer.confirm(id)
    }
    await chooseLower()
    const next = { tier: 'starter', billing: 'monthly', at: on('2026-02-28') }
    expect(await buyer.subscription()).toMatchObject({ tier: 'unlimited', next })
    const kept = await buyer.person.make<object>('/api/user/subscription/keep')
    expect(kept).not.toHaveProperty('next')
    await chooseLower()
    const { subscription } = await buyer.page<PortalPage>(await buyer.portal())
    expect(subscription).toMatchObject({ tier: 'unlimited', next: { tier: 'starter' } })
    await buyer.advance('period')
    const after = await buyer.subscription()
    expect(after).toMatchObject({ tier: 'starter', status: 'active' })
    expect(after).not.toHaveProperty('next')
    expect(await invoicesOf(buyer)).toEqual(['2026-02-28 499', '2026-01-31 1399'])
  })

  test('months in place of a year begin after the year, unless a higher plan comes first', async () => {
    await buyer.buy('starter', 'annual')
    for (const choice of ['starter', 'unlimited'] as const) {
      const id = idOf(await buyer.choose(choice, choice === 'starter' ? 'monthly' : 'annual'))
      await buyer.confirm(id)
    }
    await buyer.advance('period')
    expect(await buyer.subscription()).toMatchObject({ tier: 'unlimited', billing: 'annual' })
    const id = idOf(await buyer.choose('unlimited', 'monthly'))
    await buyer.confirm(id)
    await buyer.advance('period', 'month')
    expect(await buyer.subscription()).toMatchObject({ currentPeriodEnd: on('2028-03-31') })
    const amounts = (await invoicesOf(buyer)).slice(0, 2)
    expect(amounts).toEqual(['2028-02-29 1399', '2028-01-31 1399'])
  })

  test('a change from months to years begins a year', async () => {
    await buyer.buy('starter', 'monthly')
    await buyer.advance('month')
    const id = idOf(await buyer.choose('starter', 'annual'))
    await buyer.confirm(id)
    expect(await buyer.subscription()).toMatchObject({
      tier: 'starter',
      billing: 'annual',
      currentPeriodEnd: on('2027-02-28'),
    })
  })

  test('several presses of the button change and charge once', async () => {
    await buyer.buy('starter', 'annual')
    const id = idOf(await buyer.choose('professional', 'annual'))
    const answers = await Promise.all(Array.from({ length: 5 }, () => buyer.act(id, 'pay')))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await invoicesOf(buyer)).toHaveLength(2)
  })

  test('a card that fails later does not pay a change, and another one does', async () => {
    await buyer.buy('starter', 'annual', 'fails_later')
    const id = idOf(await buyer.choose('professional', 'annual'))
    await expectRefusal(buyer.act(id, 'pay'), 'card_declined')
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter' })
    await expectRefusal(buyer.act(id, 'pay', { card: 'declined' }), 'card_declined')
    await buyer.confirm(id, 'pays')
    expect(await buyer.subscription()).toMatchObject({ tier: 'professional' })
  })

  test('a canceled plan stays to the end of its period, and a resumed one renews', async () => {
    await buyer.buy('professional', 'monthly')
    const id = await buyer.portal()
    await buyer.act(id, 'cancel')
    expect(await buyer.subscription()).toMatchObject({ status: 'canceling', qrCodeLimit: 10 })
    await buyer.act(id, 'resume')
    expect(await buyer.subscription()).toMatchObject({ status: 'active' })
    await buyer.advance('period')
    const renewed = { status: 'active', currentPeriodEnd: on('2026-03-31') }
    expect(await buyer.subscription()).toMatchObject(renewed)
    await buyer.act(id, 'cancel')
    await buyer.advance('period')
    expect(await buyer.subscription()).toMatchObject({ status: 'canceled', qrCodeLimit: 3 })
    await expectRefusal(buyer.act(id, 'resume'), 'no_subscription')
    expect((await refusal(await buyer.act(id, 'advance', { step: 'period' }))).status).toBe(409)
    await buyer.buy('starter', 'annual')
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter', status: 'active' })
  })

  test('a plan that is chosen after a cancel ends all the same', async () => {
    await buyer.buy('starter', 'monthly')
    await buyer.act(await buyer.portal(), 'cancel')
    const id = idOf(await buyer.choose('unlimited', 'monthly'))
    expect(await buyer.page<OrderPage>(id)).toMatchObject({ endsAtPeriodEnd: true })
    await buyer.act(id, 'pay')
    expect(await buyer.subscription()).toMatchObject({ tier: 'unlimited', status: 'canceling' })
  })

  test('a year by the test clock renews every month of it, in order', async () => {
    await buyer.buy('starter', 'monthly')
    const page = await buyer.advance('year')
    expect(page).toMatchObject({ now: on('2027-01-31') })
    expect(await buyer.subscription()).toMatchObject({ currentPeriodEnd: on('2027-02-28') })
    const days = (await invoicesOf(buyer)).map((line) => line.slice(0, 10))
    expect(days).toHaveLength(13)
    expect(days.slice(0, 3)).toEqual(['2027-01-31', '2026-12-31', '2026-11-30'])
    expect(days).toEqual(days.toSorted().reverse())
  })

  test('a card that fails at the renewal leaves the plan for one more period', async () => {
    await buyer.buy('professional', 'monthly', 'fails_later')
    const { subscription } = await buyer.advance('period')
    expect(subscription).toMatchObject({ status: 'past_due', periodEnd: on('2026-03-31') })
    expect(await buyer.subscription()).toMatchObject({ status: 'past_due', qrCodeLimit: 10 })
    await buyer.advance('period')
    expect(await buyer.subscription()).toMatchObject({ status: 'canceled', qrCodeLimit: 3 })
    expect(await invoicesOf(buyer)).toEqual(['2026-01-31 849'])
  })

  test('a card that pays, once the bank has asked too, makes an unpaid renewal at once', async () => {
    await buyer.buy('professional', 'annual', 'fails_later')
    await buyer.advance('period')
    const url = await buyer.choose('unlimited', 'annual')
    expect(await buyer.page<PortalPage>(idOf(url))).toMatchObject({ kind: 'portal' })
    await buyer.act(idOf(url), 'card', { card: 'asks' })
    expect(await buyer.subscription()).toMatchObject({ status: 'active' })
    expect((await invoicesOf(buyer))[0]).toBe('2027-01-31 8388')
    await buyer.advance('year')
    expect(await buyer.subscription()).toMatchObject({ currentPeriodEnd: on('2029-01-31') })
  })

  test('a replaced card fails at the next renewal', async () => {
    await buyer.buy('starter', 'monthly')
    await buyer.act(await buyer.portal(), 'card', { card: 'fails_later' })
    await buyer.advance('month')
    expect(await buyer.subscription()).toMatchObject({ status: 'past_due' })
  })

  test('the test clock stops at twenty years', async () => {
    await buyer.buy('starter', 'annual')
    await buyer.advance(...Array.from({ length: 20 }, () => 'year' as const))
    await expectRefusal(
      buyer.act(await buyer.portal(), 'advance', { step: 'year' }),
      'invalid_input',
    )
  })
})
