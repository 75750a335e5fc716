import Stripe from 'stripe'
import { describe, expect, it, test } from 'vitest'
import { readSignedEvent } from '../../../src/server/billing/signed-event.ts'

const SECRET = 'whsec_a_secret_of_the_test'
const NOW = new Date('2026-06-15T12:00:00Z')
const SECONDS = NOW.getTime() / 1000

const event = (object: object, livemode: unknown = false) =>
  JSON.stringify({ id: 'evt_1', object: 'event', livemode, data: { object } })

function sign(payload: string, timestamp = SECONDS, secret = SECRET): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

const read = (payload: string, signature: string | undefined) =>
  readSignedEvent(Buffer.from(payload), signature, [SECRET], NOW)

const REFUSED = { code: 'bad_signature', status: 400 }

test('an event about a dispute names its payment', async () => {
  const payload = event({ object: 'dispute', id: 'du_1', charge: 'ch_1' })
  expect(await read(payload, sign(payload))).toMatchObject({ customerId: null, chargeId: 'ch_1' })
})

test.each([
  ['a customer', { object: 'customer', id: 'cus_1' }, 'cus_1'],
  ['an object with a customer id', { object: 'invoice', id: 'in_1', customer: 'cus_2' }, 'cus_2'],
  ['an object with the customer in it', { object: 'invoice', customer: { id: 'cus_3' } }, 'cus_3'],
  ['an object without one', { object: 'product', id: 'prod_1' }, null],
  ['an object that has lost it', { object: 'invoice', customer: null }, null],
])('an event about %s names its customer', async (_what, object, customerId) => {
  const payload = event(object)
  const signature = sign(payload)
  const named = { customerId, subscriptionId: null, chargeId: null }
  expect(await read(payload, signature)).toEqual({ id: 'evt_1', livemode: false, ...named })
})

test.each([
  ['a price', { id: 'price_1', type: 'price' }],
  ['the only object of its kind', { type: 'balance_settings' }],
  ['nothing', null],
])('a thin event about %s names no customer', async (_what, related_object) => {
  const thin = { id: 'evt_2', object: 'v2.core.event', livemode: false, related_object }
  const payload = JSON.stringify(thin)
  const { customerId, subscriptionId } = await read(payload, sign(payload))
  expect([customerId, subscriptionId]).toEqual([null, null])
})

describe('an event is refused', () => {
  const payload = event({ object: 'customer', id: 'cus_1' })

  it.each([
    ['without a signature', undefined],
    ['with an empty one', ''],
    ['with nonsense', 'nonsense'],
    ['with only a time', `t=${SECONDS}`],
    ['with an invalid time', sign(payload).replace(/^t=\d+/, 't=soon')],
    ['with another time than the signed one', sign(payload).replace(/^t=\d+/, `t=${SECONDS + 1}`)],
    ['with another signature', `${sign(payload).slice(0, -1)}x`],
    ['signed with another secret', sign(payload, SECONDS, 'whsec_another')],
    ['signed for another body', sign(`${payload} `)],
    ['from 301 seconds ago', sign(payload, SECONDS - 301)],
    ['from 301 seconds to come', sign(payload, SECONDS + 301)],
  ])('%s', async (_how, signature) => {
    await expect(read(payload, signature)).rejects.toMatchObject(REFUSED)
  })

  it.each([
    ['is no JSON', 'hello'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['is a number', '7'],
    ['has no data', '{"id":"evt_1","livemode":false}'],
    ['has no object', '{"id":"evt_1","livemode":false,"data":{"object":null}}'],
    [
      'has an id that no database takes',
      '{"id":"evt_\\u0000","livemode":false,"data":{"object":{}}}',
    ],
    ['has no id', '{"livemode":false,"data":{"object":{}}}'],
    ['is of no mode', event({}, 'yes')],
    ['is about a number', '{"id":"evt_1","livemode":false,"data":{"object":5}}'],
    ['is thin and of no mode', '{"object":"v2.core.event","id":"evt_1"}'],
  ])('whose body %s, even if it is signed', async (_what, body) => {
    await expect(read(body, sign(body))).rejects.toMatchObject(REFUSED)
  })
})

test.each([-300, 300])('an event %s seconds away is accepted', async (seconds) => {
  const payload = event({ object: 'customer', id: 'cus_1' })
  const taken = await read(payload, sign(payload, SECONDS + seconds))
  expect(taken.customerId).toBe('cus_1')
})
