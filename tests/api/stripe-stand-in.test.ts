import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../src/server/billing/stripe/stripe-client.ts'
import { type StandIn, startStandIn } from '../support/stripe/stand-in.ts'
import { later } from '../support/stripe/upsets.ts'

const FORM = 'application/x-www-form-urlencoded'

/* The other tests are worth what the stand-in refuses. */
describe('the stand-in of Stripe', () => {
  let stripe: StandIn
  let sdk: Stripe
  beforeAll(async () => {
    stripe = await startStandIn()
    const settings = { ...addressOf(stripe.origin), telemetry: false, maxNetworkRetries: 0 }
    sdk = new Stripe(stripe.secretKey, settings)
  })
  afterAll(() => stripe.stop())

  const ada = { email: 'ada@example.com', name: 'Ada', metadata: { user_id: '1' } }

  test('refuses a key with other parameters', async () => {
    const options = { idempotencyKey: 'other' }
    await sdk.customers.create(ada, options)
    await expect(sdk.customers.create({ ...ada, name: 'Eve' }, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    })
  })

  test('refuses a key whose request is under way', async () => {
    const options = { idempotencyKey: 'under way' }
    const lift = stripe.upsets.add(/./, { kind: 'lag', until: () => later(300) }, 1)
    const first = sdk.customers.create(ada, options)
    await later(50)
    const second = sdk.customers.create(ada, options)
    await expect(second).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    expect((await first).id).toMatch(/^cus_/)
    lift()
  })

  const send = (path: string, body: string | undefined, headers: Record<string, string> = {}) =>
    fetch(stripe.origin + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${stripe.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'content-type': FORM,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })

  const CUSTOMER = 'email=a%40example.com&name=A&metadata[user_id]=1'

  test.each([
    ['no key', 401, '/v1/customers', CUSTOMER, { authorization: '' }],
    ['another version', 400, '/v1/customers', CUSTOMER, { 'stripe-version': '2020-08-27' }],
    ['JSON', 400, '/v1/customers', '{}', { 'content-type': 'application/json' }],
    ['a parameter missing', 400, '/v1/customers', 'name=A', {}],
    ['a parameter that is none', 400, '/v1/customers', `${CUSTOMER}&colour=red`, {}],
    ['a name that is none', 400, '/v1/customers', `${CUSTOMER}&a[b=1`, {}],
    ['a value that is none', 400, '/v1/subscriptions?status=asleep', undefined, {}],
    ['a customer who is not there', 400, '/v1/subscriptions?customer=cus_0', undefined, {}],
    ['an object that is not there', 404, '/v1/subscriptions/sub_0', undefined, {}],
    ['an address that is none', 404, '/v1/nothing', undefined, {}],
  ])('refuses %s', async (_case, status, path, body, headers) => {
    const before = stripe.books.customers.size
    const response = await send(path, body, headers as Record<string, string>)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(stripe.books.customers.size).toBe(before)
  })
})
