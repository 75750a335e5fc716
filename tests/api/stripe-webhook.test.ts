import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { rereadAt } from '../../src/server/billing/customers-store.ts'
import { EventInbox } from '../../src/server/billing/event-inbox.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { expectRefusal } from '../support/refusal.ts'
import { post, signature } from '../support/stripe/deliveries.ts'
import {
  chooser,
  MONTHLY,
  payer,
  runJobs,
  runShop,
  subscriber,
  WEBHOOK_SECRET,
} from '../support/stripe/shop.ts'
import { inTime, type Upset } from '../support/stripe/upsets.ts'

const NEW_SECRET = 'whsec_new'

describe.each(engines)("Stripe's events on %s", (engine) => {
  // While one endpoint replaces another, the secrets of both count. Most events here have the former one's.
  const shop = runShop({
    engine,
    environment: { STRIPE_WEBHOOK_SECRET: `${NEW_SECRET},${WEBHOOK_SECRET}` },
    bounds: { timeoutMs: 2000, retries: 0 },
  })

  const now = () => shop.tessera.clock.now().getTime()
  const signed = (body: string, webhookSecret = WEBHOOK_SECRET) => ({
    'content-type': 'application/json',
    'stripe-signature': signature(body, { webhookSecret, at: now() }),
  })
  const reads = () => shop.stripe.calls.filter(({ path }) => path === '/v1/subscriptions').length

  test('a payment takes effect, and its custom path is open', async () => {
    const { person, event } = await payer(shop)
    const code = await person.code()
    expect(code.expiresAt).not.toBeNull()
    expect((await shop.send(event)).status).toBe(200)
    expect(await person.plan()).toMatchObject({
      ...MONTHLY,
      status: 'active',
      qrCodeLimit: 10,
    })
    const changed = await person.change(code.id, { vanityUrl: `menu-${person.id.slice(0, 8)}` })
    expect(changed.expiresAt).toBeNull()
  })

  if (!oneEngineInCi.includes(engine)) return

  // Every other kind of forged signature and of signed body: signed-event.test.ts.
  test.each([
    ['is altered', (text: string) => ({ body: `${text} `, headers: signed(text) })],
    ['has no signature', (text: string) => ({ body: text, headers: {} })],
  ])('an event that %s is refused', async (_case, forge) => {
    const { person, event } = await payer(shop)
    const before = reads()
    const { body, headers } = forge(JSON.stringify(event))
    await expectRefusal(post(shop.tessera.origin, body, headers), 'bad_signature')
    expect(reads()).toBe(before)
    expect(await person.plan()).toMatchObject({ tier: 'free' })
  })

  test('a body of more than a megabyte is refused', async () => {
    const body = JSON.stringify({ filler: 'x'.repeat(1024 * 1024) })
    await expectRefusal(post(shop.tessera.origin, body, signed(body)), 'body_too_large')
  })

  test.each(['text/plain', 'application/xml', undefined])(
    'an event of type %s that the new endpoint has signed counts',
    async (type) => {
      const { person, event } = await payer(shop)
      const text = JSON.stringify(event)
      const headers = {
        'stripe-signature': signed(text, NEW_SECRET)['stripe-signature'],
        ...(type ? { 'content-type': type } : {}),
      }
      const response = await post(shop.tessera.origin, new TextEncoder().encode(text), headers)
      expect(response.status).toBe(200)
      expect(await person.plan()).toMatchObject(MONTHLY)
    },
  )

  test('an event of live mode is ignored with a test key', async () => {
    const { person, event } = await payer(shop)
    const response = await shop.send({ ...event, livemode: true })
    expect(response.status).toBe(200)
    expect(await person.plan()).toMatchObject({ tier: 'free' })
  })

  test('an event about an unknown customer, or none, is accepted and changes nothing', async () => {
    const before = reads()
    for (const customer of ['cus_stranger', 7, ['cus_1'], 'cus_\u0000', null]) {
      const event = shop.life.event('invoice.paid', { object: 'invoice', customer })
      expect((await shop.send(event)).status).toBe(200)
    }
    expect(reads()).toBe(before)
  })

  test('an event that comes again is read once', async () => {
    const { person, event } = await subscriber(shop)
    const before = reads()
    expect((await shop.send(event)).status).toBe(200)
    expect(reads()).toBe(before)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test("an event's own content is not believed", async () => {
    const { person, subscription } = await subscriber(shop)
    const lie = { ...subscription, status: 'canceled' }
    await shop.send(shop.life.event('customer.subscription.deleted', lie))
    expect(await person.plan()).toMatchObject({ status: 'active' })
  })

  test('a subscription to another product of the same Stripe account is not ours', async () => {
    const { person, subscription } = await subscriber(shop)
    for (const item of subscription.items.data) {
      item.price = { ...item.price, id: 'price_mugs', lookup_key: null, metadata: {} }
    }
    await shop.send(shop.life.change(subscription.id, {}))
    expect(await person.plan()).toMatchObject({ tier: 'free' })
    expect(shop.logged.join()).toContain('none of our prices')
  })

  const FAULTS: [string, Upset][] = [
    ['asks to wait', { kind: 'status', status: 429 }],
    ['fails', { kind: 'status', status: 500 }],
    ['hangs up', { kind: 'reset', done: false }],
    ['never answers', { kind: 'hang' }],
  ]
  test.each(inTime(FAULTS))('if Stripe %s, the state is read again', async (_case, upset) => {
    const { person, event } = await payer(shop)
    const lift = shop.stripe.upsets.add(/^GET \/v1\/subscriptions/, upset)
    expect((await shop.send(event)).status).toBe(200)
    expect(await person.plan()).toMatchObject({ tier: 'free' })
    lift()
    await runJobs(shop, 2 * MINUTE_MS)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('an event is answered while Stripe is still being asked, and is not lost with that read', async () => {
    const { person, event } = await payer(shop)
    const answer = Promise.withResolvers<void>()
    const slow: Upset = { kind: 'lag', until: () => answer.promise }
    shop.stripe.upsets.add(/^GET \/v1\/subscriptions/, slow, 1)
    expect((await shop.post(event)).status).toBe(200)
    expect(await person.plan()).toMatchObject({ tier: 'free' })
    await runJobs(shop, 2 * MINUTE_MS)
    expect(await person.plan()).toMatchObject(MONTHLY)
    answer.resolve()
    await shop.tessera.app.paymentsIdle()
  })

  test('an event whose process ends while it reads is applied by a job', async () => {
    const { person, subscription } = await payer(shop)
    const { database, clock, app } = shop.tessera
    const inbox = new EventInbox({
      db: database.db,
      clock: clock.now,
      log: app.server.log,
      provider: 'stripe',
      refresh: () => new Promise(() => {}),
    })
    const ids = { customerId: subscription.customer, subscriptionId: null, chargeId: null }
    await inbox.take({ id: `evt_${person.id}`, ...ids })
    // A payment that is begun later does not put the read off.
    const later = {
      provider: 'stripe',
      workspaceId: person.workspaceId,
      at: now() + 30 * MINUTE_MS,
    }
    await rereadAt(database.db, later)
    await runJobs(shop, 2 * MINUTE_MS)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('an account that Stripe refuses holds up no other, and a refused key ends the run', async () => {
    const [first, second] = [await payer(shop), await payer(shop)]
    const { upsets } = shop.stripe
    /** Runs the jobs with these two accounts as the first that are due. */
    const run = async () => {
      for (const [at, { person }] of [first, second].entries()) {
        await rereadAt(shop.tessera.database.db, {
          provider: 'stripe',
          workspaceId: person.workspaceId,
          at,
        })
      }
      await runJobs(shop, 2 * MINUTE_MS)
    }
    const lift = upsets.add(/./, { kind: 'status', status: 401 })
    const before = reads()
    await run()
    expect(reads()).toBe(before + 1)
    lift()
    const ofFirst = new RegExp(`^GET /v1/subscriptions.*${first.subscription.customer}`)
    upsets.add(ofFirst, { kind: 'status', status: 400 })
    await run()
    expect(await second.person.plan()).toMatchObject(MONTHLY)
  })

  test.each(['customer', 'checkout.session'])(
    'a thin event about a %s or a plan takes effect',
    async (type) => {
      const { person, subscription } = await payer(shop)
      const { life } = shop
      const [session] = person.sessions()
      const id = type === 'customer' ? subscription.customer : session?.id
      await shop.send(life.thinEvent({ id, type }))
      expect(await person.plan()).toMatchObject(MONTHLY)
      life.end(subscription.id)
      await shop.send(life.thinEvent({ id: subscription.id, type: 'subscription' }))
      expect(await person.plan()).toMatchObject({ status: 'canceled' })
    },
  )

  test('a payment whose event is lost shows within the hour', async () => {
    const { person } = await payer(shop)
    expect(await person.plan()).toMatchObject({ tier: 'free' })
    await runJobs(shop, 31 * MINUTE_MS)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })

  test('an end whose event is lost shows within a day', async () => {
    const { person, subscription } = await subscriber(shop)
    await runJobs(shop, 2 * MINUTE_MS)
    shop.life.end(subscription.id)
    await runJobs(shop, 25 * 60 * MINUTE_MS)
    // All accounts are due by then, and each run reads some of them.
    for (let run = 0; run < 5; run++) await runJobs(shop, MINUTE_MS)
    expect(await person.plan()).toMatchObject({ status: 'canceled' })
  })

  test('a change that a read right after an event does not show is found a minute later', async () => {
    const { person } = await chooser(shop)
    const { customer } = person
    await shop.send(shop.life.event('invoice.paid', { customer }))
    person.pay()
    await runJobs(shop, 2 * MINUTE_MS)
    expect(await person.plan()).toMatchObject(MONTHLY)
  })
})
