import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Invoice } from '../../src/contract/billing/billing.ts'
import type { OrderPage } from '../../src/contract/billing/sandbox.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import {
  findSession,
  openSession,
  type SandboxSession,
} from '../../src/server/billing/sandbox/sandbox-store.ts'
import { buyerForEach, idOf } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

const NOW = '2026-01-31T12:00:00Z'

describe.each(oneEngineInCi)('test payments on %s', (engine) => {
  const logged: string[] = []
  const tessera = runTessera({
    engine,
    environment: BEHIND_PROXY,
    now: NOW,
    logTo: { write: (line) => logged.push(line) },
  })
  const buyer = buyerForEach(tessera)

  test('a paid plan counts at once, and leads back to the dashboard', async () => {
    const url = await buyer.choose('professional', 'annual')
    const id = idOf(url)
    expect(url).toBe(`${tessera.origin}/api/checkout/${id}`)
    expect(await buyer.page<OrderPage>(id)).toMatchObject({
      kind: 'order',
      from: null,
      to: { tier: 'professional', billing: 'annual' },
      due: 8388,
      backTo: `${tessera.origin}/subscription?tier=professional&billing=annual`,
      renewsAt: expect.stringMatching(/^2027-01-31/),
    })
    expect(await buyer.pay(id)).toBe(`${tessera.origin}/dashboard?payment=success`)
    expect(await buyer.subscription()).toMatchObject({
      tier: 'professional',
      status: 'active',
      qrCodeLimit: 10,
      billing: 'annual',
      currentPeriodEnd: expect.stringMatching(/^2027-01-31/),
    })
    const user = await buyer.person.ask('/api/auth/user')
    expect(user).toMatchObject({ subscriptionTier: 'professional' })
    expect(await buyer.person.ask('/api/user/invoices')).toEqual([
      {
        id: expect.any(String),
        number: 'TEST-0001',
        date: expect.stringMatching(/^2026-01/),
        amount: 8388,
        currency: 'usd',
        status: 'paid',
        url: expect.stringMatching(/\/api\/checkout\/cus_test_.*in_test_/),
      },
    ])
  })

  test('a declined card buys nothing, and another card can be tried', async () => {
    const id = idOf(await buyer.choose('starter', 'monthly'))
    await expectRefusal(buyer.act(id, 'pay', { card: 'declined' }), 'card_declined')
    expect(await buyer.subscription()).toMatchObject({ tier: 'free' })
    expect(await buyer.person.ask('/api/user/invoices')).toEqual([])
    await buyer.pay(id)
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter', status: 'active' })
  })

  test('the log has the payment, and no card', async () => {
    const id = idOf(await buyer.choose('starter', 'monthly'))
    const fields = { number: '4242 4242 4242 4242', expiry: '12/34' }
    await expectRefusal(buyer.act(id, 'pay', { card: 'gold', ...fields }), 'invalid_input')
    await buyer.act(id, 'pay', { card: 'pays', ...fields })
    expect(logged.join('')).toContain(`/api/checkout/${id}/page`)
    expect(logged.join('')).not.toMatch(/4242[ -]?4242|12\/34/)
  })

  test('ten presses of the button at once pay once', async () => {
    const id = idOf(await buyer.choose('unlimited', 'monthly'))
    const presses = Array.from({ length: 10 }, () => buyer.act(id, 'pay', { card: 'pays' }))
    expect(await tally(presses)).toEqual({ 200: 1, 404: 9 })
    expect(await buyer.person.ask<Invoice[]>('/api/user/invoices')).toHaveLength(1)
  })

  test('twenty choices at once open one payment, and lead to one subscription', async () => {
    const choices = ['starter', 'professional', 'unlimited'] as const
    const urls = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        buyer.choose(choices[turn % 3] ?? 'starter', 'annual').catch(() => ''),
      ),
    )
    const ids = [...new Set(urls.filter(Boolean).map(idOf))]
    const pages = await Promise.all(ids.map((id) => buyer.person.call(`/api/checkout/${id}/page`)))
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
    await Promise.all(ids.map((id) => buyer.act(id, 'pay', { card: 'pays' })))
    const rows = await tessera.database.db
      .selectFrom('sandbox_subscriptions as subscription')
      .innerJoin('sandbox_customers as customer', 'customer.id', 'subscription.customer_id')
      .select('subscription.id')
      .where('customer.workspace_id', '=', buyer.person.workspaceId)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('the same choice leads to the same payment, another one closes it', async () => {
    const first = await buyer.choose('starter', 'annual')
    expect(await buyer.choose('starter', 'annual')).toBe(first)
    const second = await buyer.choose('starter', 'monthly')
    expect(second).not.toBe(first)
    await expectRefusal(buyer.act(idOf(first), 'pay', { card: 'pays' }), 'checkout_not_found')
    await buyer.pay(idOf(second))
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter', billing: 'monthly' })
  })

  test('a payment is closed after it is made', async () => {
    const id = idOf(await buyer.choose('starter', 'annual'))
    await buyer.pay(id)
    await expectRefusal(buyer.act(id, 'pay', { card: 'pays' }), 'checkout_not_found')
    await expectRefusal(buyer.person.call(`/api/checkout/${id}/page`), 'checkout_not_found')
    expect((await buyer.person.call(`/api/checkout/${id}`)).status).toBe(404)
  })

  test('of two open payments only one is made', async () => {
    const id = idOf(await buyer.choose('starter', 'monthly'))
    const { db } = tessera.database
    const open = await findSession(db, id, new Date(0))
    const other = randomUUID()
    await openSession(db, { ...(open as SandboxSession), id: other })
    const pay = (session: string) => buyer.act(session, 'pay', { card: 'pays' })
    expect(await tally([pay(id), pay(other)])).toEqual({ 200: 1, 404: 1 })
    expect(await buyer.person.ask<Invoice[]>('/api/user/invoices')).toHaveLength(1)
  })

  test('the portal’s calls are refused for a payment', async () => {
    const id = idOf(await buyer.choose('starter', 'annual'))
    for (const [action, body] of [
      ['card', { card: 'pays' }],
      ['advance', { step: 'month' }],
      ['cancel'],
      ['resume'],
    ] as [string, object?][]) {
      await expectRefusal(buyer.act(id, action, body), 'checkout_not_found')
    }
  })

  test('a visitor is sent to sign in and back', async () => {
    const id = idOf(await buyer.choose('starter', 'annual'))
    const visitor = new Person(tessera, '')
    const page = await visitor.call(`/api/checkout/${id}`)
    expect(page.status).toBe(302)
    const back = encodeURIComponent(`/api/checkout/${id}`)
    expect(page.headers.get('location')).toBe(`/api/login?returnTo=${back}`)
  })

  test('the page is not cached, not indexed, and has a policy for scripts', async () => {
    const page = await buyer.person.call(
      `/api/checkout/${idOf(await buyer.choose('starter', 'annual'))}`,
    )
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await page.text()).toContain('<meta name="robots" content="noindex">')
  })

  test('a payment expires after a day, and its plan can be chosen again', async () => {
    const url = await buyer.choose('starter', 'annual')
    tessera.clock.advance(DAY_MS + 1)
    await expectRefusal(buyer.act(idOf(url), 'pay', { card: 'pays' }), 'checkout_not_found')
    const second = await buyer.choose('starter', 'annual')
    expect(second).not.toBe(url)
    await buyer.pay(idOf(second))
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter' })
  })
})

describe('without the sandbox', () => {
  const tessera = runTessera({ environment: { BILLING: 'off' } })
  const buyer = buyerForEach(tessera)

  test('its pages do not exist', async () => {
    const choice = { tier: 'starter', billing: 'annual' }
    await expectRefusal(buyer.person.post('/api/create-checkout-session', choice), 'billing_off')
    for (const path of ['/api/checkout/x', '/api/checkout/x/page']) {
      await expectRefusal(buyer.person.call(path), 'not_found')
    }
    await expectRefusal(buyer.act('x', 'pay', { card: 'pays' }), 'not_found')
  })
})
