import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { events as eventSchemas } from '../../scripts/api-document/events.ts'
import type { HistoryEntry } from '../../src/contract/accounts/account-settings.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { Tag } from '../../src/contract/codes/tags.ts'
import { type EventType, webhookTypes } from '../../src/contract/integrations/webhook-values.ts'
import type {
  Delivery,
  DeliveryList,
  MadeWebhook,
  Webhook,
  WebhookList,
  WebhookSecret,
  WholeDelivery,
} from '../../src/contract/integrations/webhooks.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { updateWhere } from '../../src/server/database/rows.ts'
import { transact } from '../../src/server/database/transact.ts'
import { leaseEnd } from '../../src/server/jobs.ts'
import {
  changeEndpoint,
  leaveEndpoint,
  settleEndpoint,
  takeEndpoint,
  wakeEndpoints,
} from '../../src/server/webhooks/endpoints-store.ts'
import { addEvents } from '../../src/server/webhooks/events-store.ts'
import { Buyer } from '../support/buyer.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { mailTo, subjectsTo } from '../support/mailbox.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolForEach, newPerson, type Person, prove, subscribe } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { times } from '../support/soak.ts'
import { runTessera, startAnother, startTessera, tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'

/** Codes whose events two processes send */
const CREATED = times(30, 60)
const CHANGED = times(3, 8)
/** Makes codes that are named by their numbers, in one call. */
const makeMany = (person: Person, length: number) => {
  const rows = Array.from({ length }, (_, n) => ({ name: `${n}`, url: 'https://example.com/' }))
  return person.make('/api/qr-codes/bulk', { rows })
}
const ALLOWED = { WEBHOOK_ALLOW: '127.0.0.1', BILLING: 'sandbox' }

describe.each(engines)('webhooks on %s', (engine) => {
  const tessera = runTessera({ engine, environment: ALLOWED })
  const ada = enrolForEach(tessera, 'unlimited')
  let receiver: WebhookReceiver

  beforeEach(async () => {
    receiver = await WebhookReceiver.start()
  })
  afterEach(() => {
    for (const { type, timestamp, data } of receiver.received) {
      eventSchemas[type as EventType].parse({ type, timestamp, data })
    }
    return receiver.stop()
  })

  async function added(types: readonly string[] = webhookTypes): Promise<MadeWebhook> {
    const webhook = await ada.make<MadeWebhook>('/api/webhooks', { url: receiver.url, types })
    receiver.secrets.push(webhook.secret)
    return webhook
  }
  const deliveriesOf = async ({ id }: { id: string }) =>
    (await ada.ask<DeliveryList>(`/api/webhooks/${id}/deliveries`)).items
  const stateOf = async ({ id }: { id: string }) => {
    const { webhooks } = await ada.ask<WebhookList>('/api/webhooks')
    return webhooks.find((each) => each.id === id) as Webhook
  }

  /** One round of the jobs, and all that it makes the service send. */
  async function runs() {
    await tessera.app.jobs.runDue()
    await tessera.app.webhooksIdle()
  }

  test('send each change of a code with its time and version, signed', async () => {
    const { secret } = await added()
    const code = await ada.code({ name: 'Menu' })
    tessera.clock.advance(MINUTE_MS)
    await ada.change(code.id, { name: 'Carte' })
    tessera.clock.advance(MINUTE_MS)
    await ada.remove(code.id)
    tessera.clock.advance(MINUTE_MS)
    await ada.make(`/api/qr-codes/${code.id}/restore`)

    const events = (await receiver.events(4)).toSorted((one, other) =>
      one.timestamp.localeCompare(other.timestamp),
    )
    expect(
      events.map(({ type, data, signedBy }) => [type, data.id, data.name, data.version, signedBy]),
    ).toEqual([
      ['code.created', code.id, 'Menu', 2, [secret]],
      ['code.updated', code.id, 'Carte', 3, [secret]],
      ['code.deleted', code.id, 'Carte', 3, [secret]],
      ['code.created', code.id, 'Carte', 3, [secret]],
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(4)
  })

  test('leave out what a password protects, and say that there are rules', async () => {
    await added(['code.created'])
    const rules = [{ languages: ['pl'], variants: [{ url: 'https://example.com/pl', share: 100 }] }]
    const code = await ada.code({ rules, fallbackUrl: 'https://example.com/', password: 'sesame' })
    await runs()
    const [event] = receiver.received
    const shown = [{ languages: ['pl'], variants: [{ url: '' }] }]
    const data = { id: code.id, hasPassword: true, url: '', fallbackUrl: null, rules: shown }
    expect(event).toMatchObject({ data })
  })

  test('send one event of a tag that is renamed or deleted, however many codes have it', async () => {
    const code = await ada.code({ tags: ['Spring'] })
    await ada.code({ tags: ['Spring'] })
    const [tag] = await ada.ask<Tag[]>('/api/tags')
    await added()
    const path = `/api/tags/${tag?.id}`
    await ada.amend(path, { name: 'Spring', colour: tag?.colour })
    await ada.amend(path, { name: 'Summer' })
    await ada.ask(path, { method: 'DELETE' })
    const events = await receiver.events(2)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['tag.updated', { ...tag, name: 'Summer', codes: 2, formerName: 'Spring' }],
      ['tag.deleted', { ...tag, name: 'Summer', codes: 2 }],
    ])
    expect((await ada.ask<QrCode>(`/api/qr-codes/${code.id}`)).version).toBe(code.version + 2)
  })

  test('events that failed while a receiver was down come with the first one that it takes', async () => {
    await added(['code.created'])
    receiver.answer = () => 503
    await ada.code({ name: 'Before' })
    for (let minutes = 0; minutes < 80; minutes += 10) {
      await runs()
      tessera.clock.advance(10 * MINUTE_MS)
    }
    receiver.answer = () => 204
    await ada.code({ name: 'After' })
    const names = (await receiver.events(2)).map(({ data }) => data.name)
    expect(names).toEqual(['After', 'Before'])
  })

  test('batches that two processes send at once and that both fail count as one failure', async () => {
    const { id } = await added(['code.created'])
    const { db } = tessera.database
    await db.deleteFrom('webhook_endpoints').where('id', '!=', id).execute()
    const later = new Date(tessera.clock.now().getTime() + DAY_MS)
    const take = async () => {
      await wakeEndpoints(db, [id], later)
      const taken = await takeEndpoint(db, [], later)
      return taken ?? expect.unreachable('No endpoint is due')
    }
    const both = [await take(), await take()]
    const failed = { fails: 1, failing_since: later.getTime(), rest_until: null }
    const counted = await Promise.all(both.map((each) => settleEndpoint(db, each, failed)))
    expect(counted.toSorted()).toEqual([false, true])
    // One that has failed is asked by one process at a time.
    expect((await take()).fails).toBe(1)
    await wakeEndpoints(db, [id], later)
    expect(await takeEndpoint(db, [], later)).toBeUndefined()
  })

  test('an event that is written while a sender takes its webhook is sent', async () => {
    const { id } = await added(['code.created'])
    const { db } = tessera.database
    const at = tessera.clock.now()
    await changeEndpoint(db, id, { due_at: at.getTime() })
    let sending: Promise<void> | undefined
    await transact(db, async (tx) => {
      const type = 'webhook.test' as const
      await addEvents(
        tx,
        { workspaceId: ada.workspaceId, type, endpoints: [id] },
        [{ message: 'Menu' }],
        at,
      )
      tessera.clock.advance(MINUTE_MS)
      sending = runs()
      // Time in which the sender finds nothing, or waits for this transaction.
      await setTimeout(300)
    })
    await sending
    tessera.clock.advance(MINUTE_MS)
    await runs()
    expect((await receiver.events(1))[0]?.data).toEqual({ message: 'Menu' })
  })

  test('an event is not missed by a sender that had its webhook for a whole minute', async () => {
    const { id } = await added(['code.created'])
    const { db } = tessera.database
    const end = new Date(leaseEnd(tessera.clock.now()))
    const own = db.updateTable('webhook_endpoints').where('id', '=', id)
    const held = await own.set({ due_at: end.getTime() }).returningAll().executeTakeFirstOrThrow()
    const event = { workspaceId: ada.workspaceId, type: 'webhook.test' as const, endpoints: [id] }
    await transact(db, (tx) => addEvents(tx, event, [{ message: 'Menu' }], end))
    await leaveEndpoint(db, held, null)
    tessera.clock.advance(2 * MINUTE_MS)
    await runs()
    expect((await receiver.events(1))[0]?.data).toEqual({ message: 'Menu' })
  })

  test('events that a killed process had in hand are sent by another one a minute later', async () => {
    const { id } = await added(['code.created'])
    await ada.code()
    await receiver.events(1)
    await tessera.app.webhooksIdle()
    const { db } = tessera.database
    const until = tessera.clock.now().getTime() + MINUTE_MS
    const waiting = { state: 'waiting', attempts: 0, next_at: until } as const
    await updateWhere(db, 'webhook_deliveries', { endpoint_id: id }).set(waiting).execute()
    await changeEndpoint(db, id, { due_at: until })
    await runs()
    expect(receiver.received).toHaveLength(1)
    tessera.clock.advance(MINUTE_MS)
    await runs()
    expect(await receiver.events(2)).toHaveLength(2)
  })

  // The rest has statements that are alike on every engine.
  if (!oneEngineInCi.includes(engine)) return

  test('a secret is shown to its owner, and for a day the one before signs too', async () => {
    const webhook = await added(['code.created'])
    const path = `/api/webhooks/${webhook.id}/secret`
    expect(await ada.ask(path)).toEqual({ secret: webhook.secret, formerUntil: null })
    const { secret } = await ada.make<WebhookSecret>(path)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    receiver.secrets.push(secret)
    await ada.code()
    expect((await receiver.events(1))[0]?.signedBy).toEqual([webhook.secret, secret])

    tessera.clock.advance(DAY_MS)
    expect(await ada.ask(path)).toEqual({ secret, formerUntil: null })
    await ada.code()
    expect((await receiver.events(2))[1]?.signedBy).toEqual([secret])
  })

  test('deliveries are listed with their answers, and sent again by hand with their ids', async () => {
    const webhook = await added()
    const sent = await ada.make<Delivery>(`/api/webhooks/${webhook.id}/test`)
    const [first] = await receiver.events(1)
    expect(first).toMatchObject({
      id: sent.eventId,
      type: 'webhook.test',
      signedBy: [webhook.secret],
    })
    await eventually(async () => (await deliveriesOf(webhook))[0]?.state === 'delivered')
    const [listed] = await deliveriesOf(webhook)
    expect(listed).toMatchObject({
      id: sent.id,
      eventId: first?.id,
      attempts: 1,
      status: 204,
      answer: '',
    })
    const path = `/api/webhooks/deliveries/${listed?.id}`
    const whole = await ada.ask<WholeDelivery>(path)
    expect(JSON.parse(whole.payload)).toMatchObject({ type: 'webhook.test' })

    const { id } = await ada.make<Delivery>(`${path}/resend`)
    const [, again] = await receiver.events(2)
    expect(again?.id).toBe(first?.id)
    await eventually(async () => (await deliveriesOf(webhook)).length === 2)
    expect((await deliveriesOf(webhook))[0]?.id).toBe(id)
  })

  test('a receiver that is down for an hour gets every event once when it is back', async () => {
    const { secret } = await added(['code.created', 'code.updated', 'code.deleted'])
    receiver.answer = () => 503
    const codes = [await ada.code(), await ada.code(), await ada.code()]
    for (const name of ['Two', 'Three']) {
      for (const { id } of codes) await ada.change(id, { name })
    }
    for (let minutes = 0; minutes < 60; minutes += 10) {
      tessera.clock.advance(10 * MINUTE_MS)
      await runs()
    }
    expect(receiver.received).toEqual([])
    expect(receiver.tried.length).toBeLessThan(20)
    receiver.answer = () => 204
    await ada.delete(`/api/qr-codes/${codes[0]?.id}`)
    await eventually(async () => {
      tessera.clock.advance(10 * MINUTE_MS)
      await runs()
      return receiver.received.length >= 10
    })
    const events = await receiver.events(10)
    expect(new Set(events.map(({ id }) => id)).size).toBe(10)
    expect(events.every(({ signedBy }) => signedBy.includes(secret))).toBe(true)
    for (const [index, { id }] of codes.entries()) {
      const own = events.filter(({ data }) => data.id === id)
      expect(own.map(({ type, data }) => `${type} ${data.version}`).sort()).toEqual([
        'code.created 2',
        ...(index === 0 ? ['code.deleted 4'] : []),
        'code.updated 3',
        'code.updated 4',
      ])
    }
  })

  test.each([2, 50])('an outage of %i s delays 50 changes by at most 30 s', async (seconds) => {
    await added(['code.updated'])
    const { id } = await ada.code()
    await runs()
    receiver.answer = () => 503
    for (let change = 1; change <= 50; change++) {
      await ada.change(id, { name: `Menu ${change}` })
      await tessera.app.webhooksIdle()
      tessera.clock.advance((seconds / 50) * 1_000)
    }
    receiver.answer = () => 204
    tessera.clock.advance(29_000)
    await runs()
    const names = (await receiver.events(50)).map(({ data }) => data.name)
    expect(new Set(names).size).toBe(50)
  })

  test('a test goes at once to a receiver that asked for a pause, and what waits goes after it', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = () => 503
    receiver.headers = { 'retry-after': '3600' }
    await ada.code()
    await runs()
    for (const name of ['One', 'Two']) await ada.code({ name })
    await runs()
    expect(receiver.tried).toHaveLength(1)
    receiver.answer = () => 204
    await ada.make(`/api/webhooks/${webhook.id}/test`)
    const types = (await receiver.events(3)).map(({ type }) => type)
    expect(types).toEqual(['webhook.test', 'code.created', 'code.created'])
  })

  test('a program with a key adds a webhook and changes it, and its owner hears of each address', async () => {
    await prove(ada)
    const robot = await newProgram(ada, { name: 'Till' })
    const body = { url: receiver.url, types: ['code.created'] }
    const made = await robot.make<MadeWebhook>('/api/webhooks', body)
    receiver.secrets.push(made.secret)
    await robot.code()
    expect((await receiver.events(1))[0]?.signedBy).toEqual([made.secret])
    const mail = await mailTo(tessera, ada.email, 'An API key added a webhook')
    expect(mail.replaceAll('\u2060', '')).toContain(receiver.url)
    expect(mail).toContain('“Till”')

    const path = `/api/webhooks/${made.id}`
    // It is on.
    expect(await robot.amend(path, { isOn: true })).toMatchObject({ isOn: true })
    await robot.amend(path, { isOn: false })
    await robot.amend(path, { url: `${receiver.url}/moved` })
    await mailTo(tessera, ada.email, 'An API key changed a webhook’s address')
    await ada.amend(path, { url: receiver.url })
    await robot.ask(path, { method: 'DELETE' })
    const subjects = await subjectsTo(tessera, ada.email)
    expect(subjects.filter((subject) => subject?.includes('webhook'))).toHaveLength(2)

    const history = await ada.ask<HistoryEntry[]>('/api/account/history')
    const own = history.filter(({ event }) => event.startsWith('webhook'))
    expect(own.filter(({ device }) => device === 'API key “Till”')).toHaveLength(4)
  })

  test('a program that only reads sees webhooks and deliveries, and no secret', async () => {
    const webhook = await added(['code.created'])
    await ada.code()
    await receiver.events(1)
    const reader = await newProgram(ada, { scope: 'read' })
    const [path, list] = [`/api/webhooks/${webhook.id}`, await reader.call('/api/webhooks')]
    expect(await list.text()).not.toContain(webhook.secret)
    const { items } = await reader.ask<DeliveryList>(`${path}/deliveries`)
    expect(items).toMatchObject([{ type: 'code.created' }])
    await expectRefusal(reader.call(`${path}/secret`), 'key_read_only')
    await expectRefusal(reader.call(`${path}/test`, { method: 'POST' }), 'key_read_only')
  })

  test('an event that a receiver does not take holds up no other', async () => {
    const webhook = await added(['code.created', 'code.updated'])
    const code = await ada.code({ name: 'Menu' })
    await receiver.events(1)
    receiver.answer = ({ data }) => (data.name === 'Poison' ? 500 : 204)
    await ada.change(code.id, { name: 'Poison' })
    await eventually(async () => (await deliveriesOf(webhook))[0]?.attempts === 1)
    await ada.change(code.id, { name: 'Cured' })
    expect((await receiver.events(2))[1]?.data.name).toBe('Cured')
    receiver.answer = () => 204
    tessera.clock.advance(MINUTE_MS)
    await runs()
    expect((await receiver.events(3))[2]?.data).toMatchObject({ name: 'Poison', version: 3 })
  })

  test('a burst that fails at once counts as one failure', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = () => 503
    await makeMany(ada, 20)
    await eventually(async () => (await deliveriesOf(webhook)).some(({ attempts }) => attempts > 0))
    // The whole batch has failed.
    await runs()
    receiver.answer = () => 204
    tessera.clock.advance(30_000)
    await runs()
    expect(await receiver.events(20)).toHaveLength(20)
  })

  test('a burst of which one event fails is not a failure of the receiver', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = ({ data }) => (data.name === '1' ? 503 : 204)
    await makeMany(ada, 3)
    await eventually(async () => {
      const deliveries = await deliveriesOf(webhook)
      return deliveries.length === 3 && deliveries.every(({ attempts }) => attempts > 0)
    })
    await runs()
    expect(await stateOf(webhook)).toMatchObject({ waiting: 1, failingSince: null })
  })

  test('a receiver that asks for a pause gets it, at most an hour', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = () => 429
    receiver.headers = { 'retry-after': '1200' }
    await ada.code()
    await eventually(async () => (await deliveriesOf(webhook))[0]?.attempts === 1)
    tessera.clock.advance(15 * MINUTE_MS)
    await ada.code()
    await runs()
    expect(receiver.tried).toHaveLength(1)
    receiver.headers = { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }
    tessera.clock.advance(5 * MINUTE_MS)
    await runs()
    expect(receiver.tried).toHaveLength(2)
    receiver.answer = () => 204
    receiver.headers = {}
    tessera.clock.advance(59 * MINUTE_MS)
    await runs()
    expect(receiver.tried).toHaveLength(2)
    tessera.clock.advance(MINUTE_MS)
    await runs()
    expect(await receiver.events(2)).toHaveLength(2)
  })

  test('waiting events go to a new address at once', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = () => 500
    const { id } = await ada.code({ name: 'Menu', tags: ['Spring'] })
    await eventually(async () => (await deliveriesOf(webhook))[0]?.attempts === 1)
    const moved = await WebhookReceiver.start()
    const body = { url: moved.url, types: ['code.created', 'code.updated'] }
    expect(await ada.amend(`/api/webhooks/${webhook.id}`, body)).toMatchObject({
      ...body,
      failingSince: null,
    })
    await moved.events(1)
    // A tag's new name would be an event of each of its codes: none is sent.
    const [tag] = await ada.ask<{ id: string }[]>('/api/tags')
    await ada.amend(`/api/tags/${tag?.id}`, { name: 'Summer' })
    await ada.change(id, { name: 'Carte' })
    const [, updated] = await moved.events(2)
    expect(updated).toMatchObject({ data: { name: 'Carte', tags: ['Summer'], version: 4 } })
    await moved.stop()
  })

  test('after three days without a good answer a webhook is switched off and its owner is mailed', async () => {
    const webhook = await added(['code.created'])
    receiver.answer = () => 302
    await ada.code()
    await eventually(async () => (await stateOf(webhook)).failingSince !== null)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ state: 'waiting', status: 302 })
    await eventually(async () => {
      tessera.clock.advance(6 * HOUR_MS)
      await runs()
      return !(await stateOf(webhook)).isOn
    })
    expect(await stateOf(webhook)).toMatchObject({ offWhy: 'failing', waiting: expect.any(Number) })
    expect(receiver.received).toEqual([])
    expect(await mailTo(tessera, ada.email, 'Your webhook is off')).toContain(
      '/profile?settings=webhooks',
    )
    const failed = receiver.tried.length
    expect(failed).toBeLessThanOrEqual(11)
    await ada.code()
    await expectRefusal(ada.post(`/api/webhooks/${webhook.id}/test`), 'webhook_off')

    receiver.answer = () => 204
    await ada.amend(`/api/webhooks/${webhook.id}`, { isOn: true })
    await ada.code({ name: 'After' })
    const names = async () => receiver.received.map(({ data }) => data.name)
    await eventually(async () => (await names()).includes('After'))
  })

  test('scans are sent in one event, from the moment on at which a webhook asks for them', async () => {
    const [menu, poster] = [await ada.code(), await ada.code()]
    const scan = (code: { id: string }, visitor: string, more = {}) => {
      const at = tessera.clock.now().getTime()
      return recordPast(tessera.database.location, [{ code_id: code.id, at, visitor, ...more }])
    }
    await scan(menu, 'too early')
    tessera.clock.advance(MINUTE_MS)
    const { secret } = await added(['code.scanned'])
    await scan(menu, 'a', { city: 'Berlin', branch: 'k3jq8x2a' })
    await scan(menu, 'b')
    await scan(poster, 'a')
    await scan(poster, 'a robot', { class: 'bot' })
    const other = await newPerson(tessera)
    await scan(await other.code(), 'a')
    tessera.clock.advance(MINUTE_MS)
    await runs()
    const [event] = await receiver.events(1)
    expect(event).toMatchObject({ type: 'code.scanned', signedBy: [secret] })
    expect(event?.data).toMatchObject({
      total: 3,
      byCode: [
        { codeId: menu.id, version: menu.version, scans: 2 },
        { codeId: poster.id, version: poster.version, scans: 1 },
      ],
      scans: [
        { codeId: menu.id, country: 'DE', city: 'Berlin', branch: 'k3jq8x2a', isFirst: true },
        { codeId: menu.id },
        { codeId: poster.id },
      ],
    })
    await runs()
    await scan(poster, 'c')
    tessera.clock.advance(MINUTE_MS)
    await runs()
    expect((await receiver.events(2))[1]?.data.total).toBe(1)
  })

  test('a scan of a redirect is sent without a job', async () => {
    await added(['code.scanned'])
    const { shortCode, id } = await ada.code()
    await visit(`${tessera.origin}/qr/${shortCode}`)
    const [event] = await receiver.events(1)
    expect(event?.data).toMatchObject({ total: 1, byCode: [{ codeId: id, version: 2, scans: 1 }] })
  })

  test('a code that stops working is sent, and so is another plan', async () => {
    await added(['code.expired', 'subscription.updated'])
    await runs()
    const code = await ada.code()
    const expires_at = tessera.clock.now().getTime() + HOUR_MS
    const own = tessera.database.db.updateTable('codes').where('id', '=', code.id)
    await own.set({ expires_at }).execute()
    tessera.clock.advance(2 * HOUR_MS)
    await runs()
    expect((await receiver.events(1))[0]).toMatchObject({
      type: 'code.expired',
      data: { id: code.id, expiresAt: expect.any(String) },
    })
    await new Buyer(ada).buy('starter', 'monthly')
    const [, plan] = await receiver.events(2)
    expect(plan).toMatchObject({
      type: 'subscription.updated',
      data: { tier: 'starter', plan: 'starter', status: 'active', billing: 'monthly' },
    })
  })

  test('a webhook rests while the plan does, and goes on with it', async () => {
    const webhook = await added(['code.updated'])
    const code = await ada.code()
    await subscribe(ada, 'unlimited', 'canceled')
    await ada.change(code.id, { name: 'In between' })
    tessera.clock.advance(HOUR_MS)
    await runs()
    expect(await stateOf(webhook)).toMatchObject({ isOn: true, waiting: 1, failingSince: null })
    const body = { url: receiver.url, types: ['code.created'] }
    await expectRefusal(ada.post('/api/webhooks', body), 'webhooks_not_in_plan')
    await subscribe(ada, 'unlimited')
    tessera.clock.advance(HOUR_MS)
    await runs()
    expect((await receiver.events(1))[0]?.data.name).toBe('In between')
  })
})

test('addresses that could never be reached are refused at once', async () => {
  const tessera = await tesseraForTest()
  const ada = await newPerson(tessera, 'unlimited')
  const mapped = ['[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::127.0.0.1]']
  for (const host of ['127.1', 'localhost', '[::]', '100.64.0.1', '[ff02::1]', ...mapped]) {
    const body = { url: `https://${host}/`, types: ['code.created'] }
    const { fields } = await refusal(await ada.post('/api/webhooks', body))
    const said = 'Webhooks can only go to servers on the public internet'
    expect([host, fields?.url]).toEqual([host, said])
  }
  for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://u:p@example.com/']) {
    const { status } = await ada.post('/api/webhooks', { url, types: ['code.created'] })
    expect([url, status]).toEqual([url, 422])
  }
})

test('addresses around the server are refused when the connection is made', async () => {
  const inside = await WebhookReceiver.start()
  const { port } = new URL(inside.url)
  const tessera = await tesseraForTest({ environment: { WEBHOOK_ALLOW: '192.0.2.1' } })
  const ada = await newPerson(tessera, 'unlimited')
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433']
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const body = { url: `${scheme}://${host}:${port}/`, types: ['code.created'] }
      const { id } = await ada.make<MadeWebhook>('/api/webhooks', body)
      await ada.make(`/api/webhooks/${id}/test`)
      const path = `/api/webhooks/${id}/deliveries`
      await eventually(async () => (await ada.ask<DeliveryList>(path)).items[0]?.attempts === 1)
      const { items } = await ada.ask<DeliveryList>(path)
      expect([body.url, items[0]?.status, items[0]?.answer]).toEqual([
        ...[body.url, null, 'The address isn’t on the public internet'],
      ])
      await ada.ask(`/api/webhooks/${id}`, { method: 'DELETE' })
    }
  }
  expect(inside.tried).toEqual([])
  await inside.stop()
})

test('if too many events wait for a receiver, only the oldest scan events are dropped', async () => {
  const receiver = await WebhookReceiver.start()
  const tessera = await tesseraForTest({ environment: ALLOWED, sending: { waitingMax: 5 } })
  const ada = await newPerson(tessera, 'unlimited')
  const body = { url: receiver.url, types: ['code.scanned', 'code.updated'] }
  const { id } = await ada.make<MadeWebhook>('/api/webhooks', body)
  receiver.answer = () => 500
  const code = await ada.code()
  const later = async (milliseconds: number) => {
    tessera.clock.advance(milliseconds)
    await tessera.app.jobs.runDue()
    await tessera.app.webhooksIdle()
  }
  const scans = async (count: number) => {
    for (let scan = 0; scan < count; scan++) {
      const at = tessera.clock.now().getTime()
      await recordPast(tessera.database.location, [{ code_id: code.id, at, visitor: `${at}` }])
      await later(MINUTE_MS)
    }
  }
  const inState = async (wanted: string) => {
    const { items } = await ada.ask<DeliveryList>(`/api/webhooks/${id}/deliveries`)
    return items.filter(({ state }) => state === wanted)
  }
  await scans(8)
  await ada.change(code.id, { name: 'A' })
  await later(MINUTE_MS)
  const types = async () => (await inState('waiting')).map(({ type }) => type)
  expect(await types()).toEqual(['code.updated', ...Array(4).fill('code.scanned')])
  expect(await inState('dropped')).toHaveLength(4)
  for (const name of ['B', 'C', 'D', 'E', 'F']) await ada.change(code.id, { name })
  await later(MINUTE_MS)
  expect(await types()).toEqual(Array(6).fill('code.updated'))
  receiver.answer = () => 204
  await eventually(async () => {
    await later(10 * MINUTE_MS)
    return receiver.received.length === 6
  })
  await receiver.stop()
})

test.each(engines)(
  'two processes on one %s never send one event at once, and none twice',
  async (engine) => {
    const receiver = await WebhookReceiver.start()
    const first = await startTessera({ engine, environment: ALLOWED })
    const { clock, origin } = first
    const second = await startAnother(first, {
      clock,
      environment: { ...ALLOWED, PUBLIC_URL: origin },
    })
    const ada = await newPerson(first, 'unlimited')
    const body = { url: receiver.url, types: ['code.created', 'code.updated'] }
    const { secret } = await ada.make<MadeWebhook>('/api/webhooks', body)
    receiver.secrets.push(secret)
    await makeMany(ada, CREATED)
    const codes = await ada.ask<{ id: string }[]>('/api/qr-codes')
    const both = [first, second]
    for (const [index, { id }] of codes.slice(0, CHANGED).entries()) {
      await ada.change(id, { name: `Changed ${index}` })
      await Promise.all(both.map(({ app }) => app.jobs.runDue()))
      clock.advance(MINUTE_MS)
    }
    const events = await receiver.events(CREATED + CHANGED)
    expect(new Set(events.map(({ id }) => id)).size).toBe(CREATED + CHANGED)
    expect(receiver.tried.length).toBe(CREATED + CHANGED)
    expect(Math.max(...receiver.mostUnderWay.values())).toBe(1)
    for (const { id } of codes.slice(0, CHANGED)) {
      const own = events.filter(({ data }) => data.id === id)
      expect(own.map(({ type }) => type).sort()).toEqual(['code.created', 'code.updated'])
    }
    await second.stop()
    await first.stop()
    await receiver.stop()
  },
)
