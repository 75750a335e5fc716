import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import type { Choice } from '../../src/server/billing/provider.ts'
import { choices } from '../../src/server/billing/stripe/stripe-prices.ts'
import { locationOf } from '../../src/server/database/connect.ts'
import { engines } from '../support/engines.ts'
import { newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { type Service, startService } from '../support/service.ts'
import { times } from '../support/soak.ts'
import {
  choose,
  chosen,
  customersOf,
  MONTHLY,
  openSession,
  openShop,
  type Shop,
  sessionsOf,
  subscriptionsOf,
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
  async function atOnce(person: Person, wanted: Choice[], origins: string[], causes: ErrorCode[]) {
    const responses = await Promise.all(
      wanted.map((choice, at) => choose(person, choice, origins[at % origins.length])),
    )
    const urls: string[] = []
    for (const response of responses) {
      if (response.ok) urls.push(((await response.json()) as { checkoutUrl: string }).checkoutUrl)
      else expect(causes).toContain((await refusal(response)).code)
    }
    expect(urls.length).toBeGreaterThan(0)
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
      const person = await newPerson(shop.tessera)
      // Two processes may ask for the same customer at once: Stripe has one of them wait.
      const urls = await atOnce(person, same, origins(), ['payments_unavailable'])
      expect(new Set(urls)).toEqual(new Set([openSession(shop, person).url]))
      expect(sessionsOf(shop, person)).toHaveLength(1)
      expect(customersOf(shop, person)).toHaveLength(1)
    })

    test.each(rounds)('of many plans leave one open at most (round %i)', async () => {
      const person = await newPerson(shop.tessera)
      await atOnce(person, mixed, origins(), ['checkout_replaced', 'payments_unavailable'])
      expect(customersOf(shop, person)).toHaveLength(1)
      expect(sessionsOf(shop, person, 'open').length).toBeLessThanOrEqual(1)
      const url = await chosen(person, MONTHLY)
      expect(openSession(shop, person).url).toBe(url)
      await shop.send(shop.stripe.life.pay(openSession(shop, person).id))
      expect(await person.ask('/api/user/subscription')).toMatchObject(MONTHLY)
      expect(subscriptionsOf(shop, person)).toHaveLength(1)
    })

    test.each(rounds)('while one is being paid, lead to one subscription (round %i)', async () => {
      const person = await newPerson(shop.tessera)
      await chosen(person, MONTHLY)
      const session = openSession(shop, person)
      let requests = 0
      const payAt = Math.floor(Math.random() * 30)
      shop.stripe.onRequest = () => {
        requests += 1
        if (requests > payAt && session.status === 'open') shop.stripe.life.pay(session.id)
      }
      const causes: ErrorCode[] = ['checkout_replaced', 'payments_unavailable', 'payment_under_way']
      const responses = await Promise.all(
        mixed.map((choice, at) => choose(person, choice, origins()[at % origins().length])),
      )
      shop.stripe.onRequest = () => {}
      for (const response of responses) {
        if (!response.ok)
          expect([...causes, 'already_on_plan']).toContain((await refusal(response)).code)
      }
      if (session.status === 'complete') expect(sessionsOf(shop, person, 'open')).toEqual([])
      for (const open of sessionsOf(shop, person, 'open')) shop.stripe.life.pay(open.id)
      expect(subscriptionsOf(shop, person)).toHaveLength(1)
      expect(shop.stripe.mistakes()).toEqual([])
    })
  })
})
