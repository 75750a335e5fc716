import { describe, expect, test } from 'vitest'
import { oneEngine } from '../support/engines.ts'
import { post } from '../support/stripe/deliveries.ts'
import { ANNUAL, newPayer, openShop, runShop, WEBHOOK_SECRET } from '../support/stripe/shop.ts'
import { inTime, type Upset } from '../support/stripe/upsets.ts'

describe.each(oneEngine)('secrets of Stripe on %s', (engine) => {
  const shop = runShop({
    engine,
    environment: { CHECKOUT: 'embedded' },
    bounds: { timeoutMs: 2000, retries: 0 },
  })

  /**
   * Takes every way through billing, after a payment was started. Returns every answer to the
   * browser, except the form of that payment.
   */
  async function wholeRun(upset: Upset | undefined): Promise<string[]> {
    const person = await newPayer(shop)
    const form = `/api/checkout/${new URL(await person.chosen()).searchParams.get('session')}/payment`
    expect(await (await person.call(form)).text()).toContain(clientSecrets().at(-1))
    const lift = upset && shop.stripe.upsets.add(/./, upset)
    const responses = [await person.choose(), await person.choose(ANNUAL)]
    if (upset) responses.push(await person.call(form))
    const event = shop.life.settle(person.subscription.id)
    responses.push(await shop.send(event), await shop.send({ ...event, livemode: true }))
    responses.push(await post(shop.tessera.origin, JSON.stringify(event), {}))
    for (const path of ['/api/config', '/api/user/subscription', '/api/user/invoices']) {
      responses.push(await person.call(path))
    }
    for (const action of ['billing-portal', 'subscription/cancel', 'subscription/refresh']) {
      responses.push(await person.post(`/api/user/${action}`))
    }
    responses.push(await person.call('/api/checkout/none/payment'))
    lift?.()
    return Promise.all(responses.map((response) => response.text()))
  }

  const clientSecrets = () =>
    [...shop.books.invoices.values()].map(({ client_secret }) => client_secret)

  const FAULTS: [string, Upset][] = [
    ['Stripe fails', { kind: 'status', status: 500 }],
    ['Stripe asks to wait', { kind: 'status', status: 429 }],
    ['Stripe hangs up', { kind: 'reset', done: true }],
    ['Stripe never answers', { kind: 'hang' }],
  ]
  const cases: [string, Upset | undefined][] = [['all goes well', undefined], ...inTime(FAULTS)]
  test.each(cases)('are neither answered nor logged if %s', async (_case, upset) => {
    const said = [...(await wholeRun(upset)), ...shop.logged].join('\n')
    for (const secret of [shop.stripe.secretKey, WEBHOOK_SECRET, 'Bearer ', 'pi_in_']) {
      expect(said).not.toContain(secret)
    }
    for (const secret of clientSecrets()) expect(said).not.toContain(secret)
    // The texts that were searched are not empty.
    expect(said).toContain(upset ? 'a call to Stripe failed' : '"checkoutUrl"')
    expect(clientSecrets().length).toBeGreaterThan(0)
  })

  test('are not logged if the key is wrong', async () => {
    const other = await openShop({ engine, environment: { STRIPE_SECRET_KEY: 'sk_test_wrong' } })
    const person = await newPayer(other)
    const answer = await (await person.choose()).text()
    const said = [answer, ...other.logged].join('\n')
    expect(said).toContain('"statusCode":401')
    expect(said).not.toContain('sk_test_')
    await other.stop()
  })
})
