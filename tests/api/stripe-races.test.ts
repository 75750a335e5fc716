import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Choice } from '../../src/server/billing/provider.ts'
import { choices } from '../../src/server/billing/stripe/stripe-prices.ts'
import { locationOf } from '../../src/server/database/connect.ts'
import { engines } from '../support/engines.ts'
import { refusal } from '../support/refusal.ts'
import { type Service, startService } from '../support/service.ts'
import { times } from '../support/soak.ts'
import {
  chooser,
  MONTHLY,
  newPayer,
  openShop,
  type Payer,
  type Shop,
} from '../support/stripe/shop.ts'
import { later } from '../support/stripe/upsets.ts'

const AT_ONCE = times(10, 20)

describe.each(engines)('many payments started at once on %s', (engine) => {
  let shop: Shop
  let second: Service
  beforeAll(async () => {
    shop = await openShop({ engine })
    // Every answer takes another time, so that requests overtake each other.
    shop.stripe.upsets.add(/./, { kind: 'lag', until: () => later(Math.random() * 8) })
    const { tessera, environment } = shop
    second = await startService({
      dataDir: tessera.dataDir,
      location: locationOf(tessera.config),
      clock: tessera.clock,
      environment: { ...environment, PUBLIC_URL: tessera.config.publicUrl },
    })
  })
  afterAll(async () => {
    await second.stop()
    await shop.stop()
  })

  /** The addresses in the answers; refusals must have one of these causes. */
  async function atOnce(person: Payer, wanted: Choice[], origins: string[], causes: ErrorCode[]) {
    const responses = await Promise.all(
      wanted.map((choice, at) => person.choose(choice, origins[at % origins.length])),
    )
    const urls: string[] = []
    for (const response of responses) {
      if (response.ok) urls.push(((await response.json()) as { checkoutUrl: string }).checkoutUrl)
      else expect(causes).toContain((await refusal(response)).code)
    }
    return urls
  }

  const same = Array.from({ length: AT_ONCE }, () => MONTHLY)
  const mixed = Array.from({ length: AT_ONCE }, (_, at) => choices[at % choices.length] ?? MONTHLY)
  const processes: [string, () => string[]][] = [
    ['one process', () => [shop.tessera.origin]],
    ['two processes', () => [shop.tessera.origin, second.origin]],
  ]
  const rounds = Array.from({ length: times(1, 40) }, (_, round) => round + 1)

  describe.each(processes)('in %s', (_name, origins) => {
    test.each(rounds)('of the same plan open one page of one customer (round %i)', async () => {
      const person = await newPayer(shop)
      // Two processes may ask for the same customer at once: Stripe has one of them wait.
      const urls = await atOnce(person, same, origins(), ['payments_unavailable'])
      expect(new Set(urls)).toEqual(new Set([person.session.url]))
      expect(person.sessions()).toHaveLength(1)
      expect(person.customers).toHaveLength(1)
    })

    test.each(rounds)('of many plans leave one open at most (round %i)', async () => {
      const person = await newPayer(shop)
      const causes: ErrorCode[] = ['checkout_replaced', 'payments_unavailable']
      expect(await atOnce(person, mixed, origins(), causes)).not.toEqual([])
      expect(person.customers).toHaveLength(1)
      expect(person.sessions('open').length).toBeLessThanOrEqual(1)
      const url = await person.chosen()
      expect(person.session.url).toBe(url)
      await shop.send(person.pay())
      expect(await person.plan()).toMatchObject(MONTHLY)
      expect(person.subscriptions).toHaveLength(1)
    })

    test.each(rounds)('while one is being paid, lead to one subscription (round %i)', async () => {
      const { person } = await chooser(shop)
      const { session } = person
      let requests = 0
      const payAt = Math.floor(Math.random() * 30)
      shop.stripe.onRequest = () => {
        requests += 1
        if (requests > payAt && session.status === 'open') shop.life.pay(session.id)
      }
      const causes: ErrorCode[] = ['checkout_replaced', 'payments_unavailable']
      causes.push('payment_under_way', 'already_on_plan')
      await atOnce(person, mixed, origins(), causes)
      shop.stripe.onRequest = () => {}
      if (session.status === 'complete') expect(person.sessions('open')).toEqual([])
      for (const open of person.sessions('open')) shop.life.pay(open.id)
      expect(person.subscriptions).toHaveLength(1)
      expect(shop.stripe.mistakes()).toEqual([])
    })
  })
})
