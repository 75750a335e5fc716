import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/contract/time.ts'
import { setMark } from '../../src/server/database/service-marks.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { type Person, prove } from '../support/person.ts'
import type { Charge } from '../support/stripe/objects.ts'
import { ordersOf } from '../support/stripe/orders.ts'
import {
  MONTHLY,
  type Payer,
  payer,
  runJobs,
  runShop,
  type Shop,
  subscriber,
} from '../support/stripe/shop.ts'

async function receiptsTo({ tessera }: Shop, { email }: Person) {
  await allSent(tessera)
  const mails = await mailsTo(tessera, email)
  return mails.filter(({ subject }) => subject?.startsWith('Your receipt'))
}

describe.each(oneEngineInCi)('payments at Stripe on %s', (engine) => {
  const shop = runShop({ engine, bounds: { timeoutMs: 2000, retries: 0 } })

  /** The records of a person, by the query of docs/operations.md. */
  async function recordsOf({ id }: Person): Promise<string[]> {
    const records = shop.tessera.database.db.selectFrom('payment_records as r')
    const rows = await records
      .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
      .innerJoin('users as u', 'u.id', 'w.owner_id')
      .select(['r.kind', 'r.amount', 'r.currency', 'r.status', 'r.reason', 'r.comment'])
      .where('u.id', '=', id)
      .orderBy('r.kind')
      .execute()
    return rows.map(
      ({ kind, ...rest }) => `${kind}: ${Object.values(rest).filter(Boolean).join(', ')}`,
    )
  }

  function chargesOf({ customer }: Payer): Charge[] {
    return [...shop.books.charges.values()].filter((one) => one.customer === customer)
  }

  // Four of the 24 orders; the last event of each is lost.
  const orders = ordersOf(4).filter((_order, at) => at % 6 === 0)
  test.each(orders)(
    'are kept for the operator in any order of events (%i, %i, %i, %i)',
    async (...order) => {
      const { person, subscription } = await subscriber(shop)
      const code = await person.code()
      const { life, books } = shop
      const [charge] = chargesOf(person)
      if (!charge) throw new Error('nothing was paid')
      const dispute = () => [...books.disputes.values()].find((one) => one.charge === charge.id)
      const steps = [
        () => life.refund(charge, 300),
        () => life.settleRefund(charge.refunds[0], 'succeeded'),
        () => life.dispute(charge),
        () => life.closeDispute(dispute(), 'lost'),
      ]
      const events: object[] = []
      for (const step of order.slice(0, -1)) {
        for (const happen of steps.slice(events.length, step + 1)) events.push(happen())
        for (let times = 0; times < 2; times++) await shop.send(events[step] ?? {})
      }
      for (const happen of steps.slice(events.length)) happen()
      life.change(subscription.id, {
        canceled_at: books.seconds(),
        cancellation_details: { feedback: 'too_expensive', comment: 'Too dear', reason: null },
      })
      await runJobs(shop, 25 * HOUR_MS)
      expect(await recordsOf(person)).toEqual([
        'cancellation: active, too_expensive, Too dear',
        'dispute: 849, usd, lost, fraudulent',
        'payment: 849, usd, succeeded',
        'refund: 300, usd, succeeded, requested_by_customer',
      ])
      expect(await leadsTo(shop.tessera, code.shortCode)).toBe(code.url)
    },
  )

  test('a dispute shows with its event, and a cancellation that is undone goes', async () => {
    const { person } = await subscriber(shop)
    const kinds = async () => (await recordsOf(person)).map((record) => record.split(':')[0])
    await person.make('/api/user/subscription/cancel')
    expect(await kinds()).toEqual(['cancellation', 'payment'])
    await person.make('/api/user/subscription/resume')
    expect(await kinds()).toEqual(['payment'])
    const [charge] = chargesOf(person)
    if (charge) await shop.send(shop.life.dispute(charge))
    expect(await kinds()).toEqual(['dispute', 'payment'])
  })

  test('of an account the newest hundred are kept, and a plan waits for none of them', async () => {
    const { person, event } = await payer(shop)
    shop.stripe.upsets.add(/^GET \/v1\/charges/, { kind: 'status', status: 500 }, 1)
    await shop.send(event)
    expect(await person.plan()).toMatchObject(MONTHLY)
    expect(await recordsOf(person)).toEqual([])
    expect(await receiptsTo(shop, person)).toHaveLength(1)
    const [charge] = chargesOf(person)
    for (let paid = 0; charge && paid < 60; paid++) {
      const other = { ...charge, id: `${charge.id}${paid}`, refunds: [] }
      shop.books.charges.set(other.id, other)
      shop.life.refund(other, 1)
    }
    await runJobs(shop, 25 * HOUR_MS)
    expect(await recordsOf(person)).toHaveLength(100)
  })

  test('each is mailed a receipt once, whatever becomes of its event', async () => {
    const { person, event, subscription } = await payer(shop)
    await prove(person)
    await Promise.all([shop.send(event), shop.send(event)])
    const [receipt, ...others] = await receiptsTo(shop, person)
    expect(others).toEqual([])
    const invoice = shop.books.invoices.get(subscription.latest_invoice)
    expect(receipt?.subject).toBe('Your receipt from Tessera: $8.49')
    expect(receipt?.text).toContain(`Invoice: ${invoice?.number}`)
    expect(receipt?.text).toContain(invoice?.hosted_invoice_url)
    shop.tessera.clock.advance(30 * 24 * HOUR_MS)
    shop.life.renew(subscription.id)
    await runJobs(shop, 25 * HOUR_MS)
    await runJobs(shop, 25 * HOUR_MS)
    expect(await receiptsTo(shop, person)).toHaveLength(2)
  })

  test('a bill of nothing has no receipt, and a stranger’s mail no link to the invoice', async () => {
    const { person, subscription } = await subscriber(shop)
    const [receipt] = await receiptsTo(shop, person)
    expect(receipt?.text).not.toContain('invoice.stripe.test')
    const { books, life } = shop
    books.charge(Object.assign(books.bill(subscription), { amount_due: 0 }))
    await shop.send(life.change(subscription.id, {}))
    expect(await receiptsTo(shop, person)).toHaveLength(1)
  })

  test('what was paid before receipts were mailed has none', async () => {
    const at = shop.tessera.clock.now().getTime() + HOUR_MS
    await setMark(shop.tessera.database.db, 'receipts', { at, value: '' })
    const { person } = await subscriber(shop)
    expect(await receiptsTo(shop, person)).toEqual([])
    expect(await recordsOf(person)).toHaveLength(1)
  })
})

describe('with STRIPE_MAILS=on', () => {
  const shop = runShop({ engine: 'sqlite', environment: { STRIPE_MAILS: 'on' } })

  test('neither receipts nor failed payments are mailed by us', async () => {
    const { person, subscription } = await subscriber(shop)
    const { created, id } = subscription
    await shop.send(shop.life.change(id, { status: 'past_due' }))
    const subjects = async () => {
      for (let hour = 0; hour < 24; hour += 8) await runJobs(shop, 8 * HOUR_MS)
      await allSent(shop.tessera)
      return subjectsTo(shop.tessera, person.email)
    }
    expect(await subjects()).toEqual([])
    await shop.send(shop.life.change(id, { cancel_at: created + 5 * 24 * 3600 }))
    expect(await subjects()).toEqual([expect.stringMatching(/^Your Professional plan ends on /)])
  })
})
