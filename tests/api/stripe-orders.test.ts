import { describe, expect, test } from 'vitest'
import { subscription } from '../../src/contract/billing.ts'
import { Dice } from '../../src/server/demo/dice.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { newPerson, type Person } from '../support/person.ts'
import { everyNth, seed, times } from '../support/soak.ts'
import type { StripeEvent } from '../support/stripe/objects.ts'
import { ordersOf } from '../support/stripe/orders.ts'
import { chosen, customersOf, MONTHLY, openSession, runShop } from '../support/stripe/shop.ts'
import { later } from '../support/stripe/upsets.ts'

const ANNUAL = { tier: 'unlimited', billing: 'annual' } as const
const ENDED = { tier: 'free', previousTier: ANNUAL.tier, billing: ANNUAL.billing } as const

const orders = ordersOf(6)
/** A sixth in a soak, a fixed sample in CI. With 73 the last event has another place in each order. */
const sample = everyNth(orders, times(73, 6))
const AT_A_TIME = 10
/** The first order of each test. */
const portions = sample.map((_order, at) => at).filter((at) => at % AT_A_TIME === 0)

/** Stripe repeats an event until it is accepted. */
const TRIES = 30

describe.each(engines)('six events of a subscription on %s', (engine) => {
  const dice = new Dice(String(seed))
  const shop = runShop({ engine })
  let failures = 0

  /** Resolved for a customer when all of its events have been sent. */
  const allSent = new Map<string, PromiseWithResolvers<void>>()

  /** Every fifth read fails; half of the others come back after all events have been sent. */
  function badWeather(): () => void {
    return shop.stripe.upsets.add(/^GET \/v1\/subscriptions\?/, (request) => {
      const chance = dice.next()
      if (chance < 0.2) failures += 1
      if (chance < 0.1) return { kind: 'status', status: 429 }
      if (chance < 0.2) return { kind: 'status', status: 500, retry: false }
      const customer = /customer=(\w+)/.exec(request)?.[1] ?? ''
      const sent = chance < 0.6 ? allSent.get(customer)?.promise : undefined
      return {
        kind: 'lag',
        until: async () => {
          await sent
          if (sent) await later(dice.between(0, 150))
        },
      }
    })
  }

  /** The changes of a person's subscription, in order. */
  async function steps(person: Person): Promise<(() => StripeEvent)[]> {
    const { life, books } = shop.stripe
    await chosen(person, MONTHLY)
    const session = openSession(shop, person)
    const id = () => books.sessions.get(session.id)?.subscription ?? ''
    return [
      () => life.begin(session.id),
      () => life.pay(session.id),
      () => life.failRenewal(id()),
      () => life.renew(id()),
      () => life.changePlan(id(), ANNUAL),
      () => life.end(id()),
    ]
  }

  /** Delivers an event until it is accepted. */
  async function insist(event: StripeEvent): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { status } = await shop.send(event)
      if (status === 200) return
      expect(status).toBe(503)
      if (tries === TRIES) throw new Error(`${event.type} was refused ${tries} times`)
      await later(dice.between(0, 20))
    }
  }

  function readsOf(person: Person): number {
    const [customer] = customersOf(shop, person)
    return shop.stripe.calls.filter(({ query }) =>
      query.includes(`customer=${customer}&status=all`),
    ).length
  }

  /** Sends the events in the given order, each twice, and none before its change has happened. */
  async function play(person: Person, order: number[], all: (() => StripeEvent)[]) {
    const events: StripeEvent[] = []
    const deliveries: Promise<void>[] = []
    const sent = Promise.withResolvers<void>()
    allSent.set(customersOf(shop, person)[0] ?? '', sent)
    for (const step of order) {
      for (const happen of all.slice(events.length, step + 1)) events.push(happen())
      const event = events[step] as StripeEvent
      const before = readsOf(person)
      deliveries.push(insist(event), insist(event))
      // The next step waits until this one is being read; otherwise one read would show both.
      await eventually(() => readsOf(person) > before)
    }
    sent.resolve()
    await Promise.all(deliveries)
    return subscription.parse(await person.ask('/api/user/subscription'))
  }

  describe.each([
    ['that ends', 6, { ...ENDED, status: 'canceled', qrCodeLimit: 3 }],
    ['that runs on', 5, { ...ANNUAL, status: 'active', qrCodeLimit: -1 }],
  ])('of a plan %s', (_case, length, end) => {
    test.each(portions)(
      'end in the state at Stripe, in any order (from order %i)',
      async (from) => {
        const plays = await Promise.all(
          sample.slice(from, from + AT_A_TIME).map(async (whole) => {
            const order = whole.filter((step) => step < length)
            const person = await newPerson(shop.tessera)
            return { order, person, all: (await steps(person)).slice(0, length) }
          }),
        )
        const failuresBefore = failures
        const lift = badWeather()
        await Promise.all(
          plays.map(async ({ order, person, all }) => {
            expect(await play(person, order, all), `order ${order}`).toMatchObject(end)
          }),
        )
        lift()
        expect(failures).toBeGreaterThan(failuresBefore)
        expect(shop.stripe.mistakes()).toEqual([])
      },
    )
  })
})
