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
  readSignedEvent(Buffer.from(payload), signature, SECRET, NOW)

const REFUSED = { code: 'bad_signature', status: 400 }

test.each([
  ['a customer', { object: 'customer', id: 'cus_1' }, 'cus_1'],
  ['what has a customer', { object: 'invoice', id: 'in_1', customer: 'cus_2' }, 'cus_2'],
  ['what has the customer in it', { object: 'invoice', customer: { id: 'cus_3' } }, 'cus_3'],
  ['what has none', { object: 'product', id: 'prod_1' }, null],
  ['what has none any more', { object: 'invoice', customer: null }, null],
])('an event about %s says whom it is about', async (_what, object, customerId) => {
  const payload = event(object)
  const signature = sign(payload)
  expect(await read(payload, signature)).toEqual({ id: 'evt_1', livemode: false, customerId })
})

describe('an event is refused', () => {
  const payload = event({ object: 'customer', id: 'cus_1' })

  it.each([
    ['without a signature', undefined],
    ['with an empty one', ''],
    ['with nonsense', 'nonsense'],
    ['with a time alone', `t=${SECONDS}`],
    ['with a time that is none', sign(payload).replace(/^t=\d+/, 't=soon')],
    ['with another time than was signed', sign(payload).replace(/^t=\d+/, `t=${SECONDS + 1}`)],
    ['with another signature', `${sign(payload).slice(0, -1)}x`],
    ['with the signature of another', sign(payload, SECONDS, 'whsec_another')],
    ['with that of another body', sign(`${payload} `)],
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
    ['has no id', '{"livemode":false,"data":{"object":{}}}'],
    ['is of no mode', event({}, 'yes')],
    ['is about a number', '{"id":"evt_1","livemode":false,"data":{"object":5}}'],
    ['is of another kind', '{"object":"v2.core.event","id":"evt_1"}'],
  ])('whose body %s, whoever signed it', async (_what, body) => {
    await expect(read(body, sign(body))).rejects.toMatchObject(REFUSED)
  })
})

test.each([-300, 300])('an event %s seconds away is taken', async (seconds) => {
  const payload = event({ object: 'customer', id: 'cus_1' })
  const taken = await read(payload, sign(payload, SECONDS + seconds))
  expect(taken.customerId).toBe('cus_1')
})
