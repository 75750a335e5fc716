import type { InjectOptions } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/contract/time.ts'
import { buyerForEach, idOf, newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera, type Tessera } from '../support/tessera.ts'

const WEBHOOK = '/api/billing/webhook'

type Sent = { payload: string; headers: Record<string, string> }

describe.each(oneEngineInCi)('events of the sandbox on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, now: '2026-01-31T12:00:00Z' })
  const buyer = buyerForEach(tessera)
  let sent: Sent[]
  /** Whether the webhook can be reached. */
  let isUp: boolean
  beforeAll(() => listen(tessera))
  beforeEach(() => {
    sent = []
    isUp = true
  })

  /** Records what the sandbox sends to the webhook. */
  function listen({ app }: Tessera) {
    const inject = app.server.inject.bind(app.server)
    const listening = (event: InjectOptions) => {
      if (!isUp) return Promise.reject(new Error('the webhook cannot be reached'))
      sent.push(event as Sent)
      return inject(event)
    }
    Object.assign(app.server, { inject: listening })
  }

  test('each change brings one event, signed, about its customer', async () => {
    await buyer.buy('starter', 'monthly', 'fails_later')
    await buyer.act(await buyer.portal(), 'cancel')
    await buyer.act(await buyer.portal(), 'resume')
    await buyer.advance('month')
    await buyer.act(await buyer.portal(), 'card', { card: 'pays' })
    const events = sent.map(({ payload }) => JSON.parse(payload))
    // At least once: on a busy machine the job may find an event that is under way.
    expect(new Set(events.map(({ id }) => id)).size).toBe(5)
    expect(new Set(events.map(({ data }) => data.object.customer)).size).toBe(1)
    expect(JSON.stringify(events)).not.toMatch(
      /pays|fails_later|4242424242424242|"(4242|0341)"|@example/,
    )
  })

  test('an event that was altered is refused', async () => {
    await buyer.buy('starter', 'monthly')
    const [{ payload, headers } = { payload: '', headers: {} }] = sent
    const body = payload.replace('evt_test_', 'evt_fake_')
    await expectRefusal(
      fetch(tessera.origin + WEBHOOK, { method: 'POST', headers, body }),
      'bad_signature',
    )
  })

  test('an event that could not be delivered is delivered later', async () => {
    isUp = false
    await buyer.pay(idOf(await buyer.choose('starter', 'annual')))
    expect(await buyer.subscription()).toMatchObject({ tier: 'free' })
    isUp = true
    await tessera.app.jobs.runDue()
    expect(sent).toHaveLength(1)
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter' })
    tessera.clock.advance(HOUR_MS)
    await tessera.app.jobs.runDue()
    expect(sent).toHaveLength(1)
  })

  test('time alone renews a paid plan, and ends an unpaid one', async () => {
    const [good, bad] = [await newBuyer(tessera), await newBuyer(tessera)]
    await good.buy('starter', 'monthly')
    await bad.buy('starter', 'monthly', 'fails_later')
    await tessera.app.jobs.runDue()
    expect(await bad.subscription()).toMatchObject({ status: 'active' })
    tessera.clock.set('2026-02-28T18:00:00Z')
    await tessera.app.jobs.runDue()
    expect(await bad.subscription()).toMatchObject({ status: 'past_due' })
    expect(await good.subscription()).toMatchObject({
      status: 'active',
      currentPeriodEnd: expect.stringMatching(/^2026-03-31/),
    })
    tessera.clock.set('2026-03-31T18:00:00Z')
    await tessera.app.jobs.runDue()
    expect(await bad.subscription()).toMatchObject({ status: 'canceled', qrCodeLimit: 3 })
  })
})
