import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setUpCatalogue } from '../../scripts/stripe/stripe-catalogue.ts'
import { setUpEndpoint } from '../../scripts/stripe/stripe-endpoint.ts'
import { setUpPortal } from '../../scripts/stripe/stripe-portal-settings.ts'
import { taxRenewals } from '../../scripts/stripe/stripe-tax-renewals.ts'
import { stripeOf } from '../../src/server/billing/stripe/stripe-client.ts'
import { choiceOf, choices, lookupKey } from '../../src/server/billing/stripe/stripe-prices.ts'
import { runScript } from '../support/script.ts'
import { type StandIn, startStandIn } from '../support/stripe/stand-in.ts'

describe('npm run stripe:setup', () => {
  let stripe: StandIn
  beforeEach(async () => {
    stripe = await startStandIn()
  })
  afterEach(async () => {
    expect(stripe.mistakes()).toEqual([])
    await stripe.stop()
  })

  /** Runs the script itself. */
  async function run(more: Record<string, string> = {}): Promise<string> {
    const environment = {
      PUBLIC_URL: 'https://qr.example.com',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_API_BASE: stripe.origin,
      ...more,
    }
    return (await runScript('stripe-setup', { dataDir: '', environment })).stdout
  }

  /** Does the work of the script without its process; returns its output. */
  async function setUp(
    now = new Date(),
    tax?: 'exclusive' | 'inclusive',
    hasBothSecrets = true,
  ): Promise<string> {
    const sdk = await stripeOf({ secretKey: stripe.secretKey, apiBase: stripe.origin })
    const said: string[] = []
    const say = (line: string) => said.push(line)
    await setUpPortal(sdk, await setUpCatalogue(sdk, say, tax), say)
    if (tax) await taxRenewals(sdk, say)
    const [publicUrl, apiVersion] = ['https://qr.example.com', Stripe.API_VERSION]
    await setUpEndpoint({ stripe: sdk, publicUrl, apiVersion, say, now, hasBothSecrets })
    return said.join('\n')
  }

  const writes = () => stripe.calls.filter(({ method }) => method !== 'GET').length
  const priceOf = (key: string) =>
    [...stripe.books.prices.values()].find(({ lookup_key }) => lookup_key === key)

  test('makes products, prices, the portal and the webhook, and says the secret', async () => {
    const said = await run()
    expect(choices.map((choice) => priceOf(lookupKey(choice))?.unit_amount)).toEqual([
      499, 4788, 849, 8388, 1399, 14388,
    ])
    for (const choice of choices) {
      expect(choiceOf({ metadata: { ...choice }, lookup_key: null })).toEqual(choice)
      expect(priceOf(lookupKey(choice))?.metadata).toEqual(choice)
    }
    const [portal] = stripe.books.configurations.values()
    const offered = portal?.features.subscription_update?.products?.flatMap(({ prices }) => prices)
    expect(offered?.toSorted()).toEqual([...stripe.books.prices.keys()].sort())
    expect(portal?.features).toMatchObject({
      customer_update: { enabled: true, allowed_updates: ['name', 'email', 'address', 'tax_id'] },
      subscription_cancel: { cancellation_reason: { enabled: true } },
      subscription_update: {
        proration_behavior: 'always_invoice',
        schedule_at_period_end: {
          conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
        },
      },
    })
    const [endpoint, ...others] = stripe.books.endpoints.values()
    expect(others).toEqual([])
    expect(endpoint?.enabled_events).toContain('subscription_schedule.released')
    expect(endpoint?.url).toBe('https://qr.example.com/api/billing/webhook')
    expect(said).toContain(`STRIPE_WEBHOOK_SECRET=${endpoint?.secret}`)
    expect(said).not.toContain(stripe.secretKey)
    expect(said).toContain('with STRIPE_MAILS=off turn these off')
  })

  test('run again, it changes nothing and says no secret', async () => {
    await setUp()
    const before = writes()
    const said = await run({ STRIPE_WEBHOOK_SECRET: 'whsec_known', STRIPE_MAILS: 'on' })
    expect(said).toContain('with STRIPE_MAILS=on turn these on')
    expect(writes()).toBe(before)
    expect(said).not.toContain('whsec_')
  })

  test('a price that differs from the catalogue is replaced, and kept for its subscribers', async () => {
    await setUp()
    const old = priceOf('tessera_starter_monthly')
    Object.assign(old ?? {}, { unit_amount: 399 })
    expect(await setUp()).toContain('price tessera_starter_monthly: replaced, 499 cents')
    expect(old).toMatchObject({ active: false, lookup_key: null })
    expect(choiceOf(old ?? { metadata: {}, lookup_key: null })).toEqual({
      tier: 'starter',
      billing: 'monthly',
    })
    const next = priceOf('tessera_starter_monthly')
    expect(next).toMatchObject({ unit_amount: 499, active: true })
    const offered = JSON.stringify([...stripe.books.configurations.values()])
    expect(offered).toContain(next?.id)
    expect(offered).not.toContain(old?.id)
    expect(stripe.books.configurations.size).toBe(1)
  })

  test('with tax, prices say whether they contain it, and other prices replace them', async () => {
    await setUp()
    expect(await run({ TAX: 'stripe' })).toContain('tax is exclusive from now on')
    const price = priceOf('tessera_starter_monthly')
    expect(price?.tax_behavior).toBe('exclusive')
    const before = writes()
    await setUp(new Date(), 'exclusive')
    expect(writes()).toBe(before)
    expect(await setUp(new Date(), 'inclusive')).toContain('tessera_starter_monthly: replaced')
    expect(price).toMatchObject({ active: false, tax_behavior: 'exclusive' })
    expect(priceOf('tessera_starter_monthly')?.tax_behavior).toBe('inclusive')
  })

  test('with tax, plans renew with it if Stripe can compute it; the others are listed', async () => {
    await setUp()
    const { books } = stripe
    const price = priceOf('tessera_starter_monthly')
    if (!price) throw new Error('there is no price')
    const home = { country: 'US', postal_code: '62701' }
    const begin = (address?: typeof home, bought = price) => {
      const stamp = books.stamp('customer', 'cus')
      const person = { email: 'ada@example.com', name: 'Ada', metadata: {} }
      books.customers.set(stamp.id, { ...stamp, ...person, ...(address && { address }) })
      return Object.assign(books.begin(stamp.id, bought, {}), { status: 'active' })
    }
    const taxed = begin(home)
    const abroad = begin({ ...home, country: 'CA' })
    const rated = begin(home)
    for (const item of rated.items.data) item.tax_rates = [{ id: 'txr_1' }]
    const nowhere = begin()
    const former = begin(home, { ...price })
    const planned = begin(home)
    planned.schedule = 'sub_sched_1'
    begin(home).status = 'canceled'
    const said = await setUp(new Date(), 'exclusive')
    for (const one of [taxed, abroad]) expect(one.automatic_tax.enabled).toBe(true)
    expect(said).toContain('tax: 2 subscriptions renew with it from now on')
    for (const [{ id, automatic_tax }, reason] of [
      [nowhere, 'Stripe does not know where the customer is'],
      [former, 'its former price does not say whether it contains tax'],
      [planned, 'a change of its plan is scheduled'],
      [rated, 'it has tax rates of its own'],
    ] as const) {
      expect(said).toContain(`subscription ${id}: renews without tax: ${reason}`)
      expect(automatic_tax.enabled).toBe(false)
    }
    expect(await setUp(new Date(), 'exclusive')).toContain('tax: 0 subscriptions')
  })

  test('changes made by hand are corrected, and an endpoint that Stripe disabled is enabled', async () => {
    await setUp()
    const [product] = stripe.books.products.values()
    const [endpoint] = stripe.books.endpoints.values()
    Object.assign(product ?? {}, { name: 'Something', active: false })
    Object.assign(endpoint ?? {}, { enabled_events: ['invoice.paid'], status: 'disabled' })
    Object.assign(priceOf('tessera_unlimited_annual') ?? {}, { metadata: {} })
    expect(await setUp()).toContain('was disabled, and is enabled again')
    expect(endpoint?.status).toBe('enabled')
    expect(product).toMatchObject({ name: 'Tessera Starter', active: true })
    expect(endpoint?.enabled_events).toContain('customer.subscription.deleted')
    expect(priceOf('tessera_unlimited_annual')?.metadata).toMatchObject({ tier: 'unlimited' })
    const before = writes()
    await setUp()
    expect(writes()).toBe(before)
  })

  test.each(['2025-03-31.basil', null])(
    'an endpoint with the API version %s is replaced, and counts for a day more',
    async (api_version) => {
      await setUp()
      const [former] = stripe.books.endpoints.values()
      Object.assign(former ?? {}, { api_version })
      const said = await run({ STRIPE_WEBHOOK_SECRET: 'whsec_known' })
      const [, made] = stripe.books.endpoints.values()
      expect(made).toMatchObject({ url: former?.url, api_version: Stripe.API_VERSION })
      expect(said).toContain(`the former one has the API version ${api_version ?? 'of'}`)
      expect(said).toContain(
        `STRIPE_WEBHOOK_SECRET=${made?.secret}\nPut the former secret behind it`,
      )
      expect(await setUp()).toContain('the former one stays until')
      const [tomorrow, later] = [25, 50].map((hours) => new Date(Date.now() + hours * 3_600_000))
      expect(await setUp(tomorrow, undefined, false)).toContain('has one secret, not two')
      // An endpoint that was made by hand after that stays for its day too.
      Object.assign(former ?? {}, { created: (former?.created ?? 0) + 20 * 3600 })
      expect(await setUp(tomorrow)).toContain('the former one stays until')
      expect(stripe.books.endpoints.size).toBe(2)
      expect(await setUp(later)).toContain('the former one removed')
      expect([...stripe.books.endpoints.values()]).toEqual([made])
    },
  )

  test('for a server that Stripe cannot reach it makes no webhook, and says how to try payments out', async () => {
    const said = await run({ PUBLIC_URL: 'http://localhost:3000' })
    expect(stripe.books.endpoints.size).toBe(0)
    expect(said).toContain('stripe listen --forward-to http://localhost:3000/api/billing/webhook')
  })

  test.each([
    ['without a key', { STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY is required'],
    ['with a key of another kind', { STRIPE_SECRET_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY is set'],
    ['with an invalid address', { PUBLIC_URL: 'example' }, 'PUBLIC_URL is "example"'],
  ])('%s it says what is wrong and does nothing', async (_case, environment, message) => {
    await expect(run(environment)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
    expect(stripe.calls).toEqual([])
  })
})
