import { randomUUID } from 'node:crypto'
import type { TestCard, TestClockStep } from '#contract/sandbox.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Actor, transactAs } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { addEvent, type SandboxEvents } from './sandbox-events.ts'
import {
  changeCost,
  clockAfter,
  NO_CHANGE,
  paysAgain,
  periodFrom,
  priceOf,
  renewal,
} from './sandbox-rules.ts'
import { choiceOf, completeSession, type SandboxSession } from './sandbox-sessions.ts'
import {
  addInvoice,
  addSubscription,
  changeCustomer,
  changeSubscription,
  lockCustomer,
  runningSubscription,
  type SandboxCustomer,
  type SandboxSubscription,
} from './sandbox-store.ts'

export type SandboxDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  events: SandboxEvents
  /** The owner on a page of the sandbox. The billing room and its jobs act as at another server. */
  actor?: Actor | undefined
}

/** One customer's turn: its transaction, the locked customer, and the server's time. */
type Turn = { tx: Tx; customer: SandboxCustomer; serverNow: Date }

/** How far ahead a test clock can be: each step renews every period in between. */
const AHEAD_MAX_MS = 20 * 366 * DAY_MS

/** The time by the customer's test clock. */
const nowOf = ({ customer, serverNow }: Turn) => serverNow.getTime() + customer.clock_offset

/** Makes the renewals that are due for a customer. */
export function catchUpWithTime(deps: SandboxDeps, customerId: string): Promise<void> {
  return inTurn(deps, customerId, async () => {})
}

/**
 * Pays a session with a card, which begins a subscription: once, however often it is asked.
 * @throws AppError card_declined, after which another card can be tried; checkout_not_found
 */
export function pay(deps: SandboxDeps, session: SandboxSession, card: TestCard): Promise<void> {
  return inTurn(deps, session.customer_id, async (turn) => {
    const { tx, customer } = turn
    await completeSession(tx, session.id, turn.serverNow)
    // Another session was paid first.
    if (await runningSubscription(tx, customer.id)) throw new AppError('checkout_not_found')
    if (card === 'declined') throw new AppError('card_declined')
    const at = nowOf(turn)
    const choice = choiceOf(session)
    await addSubscription(tx, {
      ...choice,
      ...periodFrom(at, choice),
      id: `sub_test_${randomUUID()}`,
      customer_id: customer.id,
      ...NO_CHANGE,
      status: 'active',
      ends_at_period_end: 0,
      created_at: at,
    })
    await addInvoice(tx, customer.id, { ...choice, at, amount: priceOf(choice) })
    await changeCustomer(tx, customer.id, { card })
  })
}

/**
 * Changes the plan that a session was opened for, once: now, or when the paid period ends. A plan that was
 * to end still ends.
 * @throws AppError card_declined, checkout_not_found
 */
export function confirmChange(deps: SandboxDeps, session: SandboxSession): Promise<void> {
  return inTurn(deps, session.customer_id, async (turn) => {
    const { tx, customer } = turn
    await completeSession(tx, session.id, turn.serverNow)
    const current = changeable(session, await runningSubscription(tx, customer.id))
    const at = nowOf(turn)
    const choice = choiceOf(session)
    const { due, waitsUntil } = changeCost(current, choice, at)
    if (waitsUntil !== null) {
      const next = { next_tier: choice.tier, next_billing: choice.billing }
      return changeSubscription(tx, current.id, next)
    }
    if (due > 0 && !paysAgain(customer.card)) throw new AppError('card_declined')
    const change = { ...choice, ...periodFrom(at, choice), ...NO_CHANGE }
    await changeSubscription(tx, current.id, change)
    if (due > 0) await addInvoice(tx, customer.id, { ...choice, at, amount: due })
  })
}

/**
 * The subscription that a session is to change.
 * @throws AppError checkout_not_found if it is over, not paid, or not the customer's current one
 */
export function changeable(
  session: SandboxSession,
  running: SandboxSubscription | undefined,
): SandboxSubscription {
  if (running?.id !== session.subscription_id || running?.status !== 'active') {
    throw new AppError('checkout_not_found')
  }
  return running
}

/**
 * Cancels the customer's subscription at the end of its period, or lets it renew after all; undefined
 * leaves that. The change that waits is called off.
 * @throws AppError no_subscription
 */
export function setCancelAtPeriodEnd(
  deps: SandboxDeps,
  customerId: string,
  cancel?: boolean,
): Promise<void> {
  return inTurn(deps, customerId, async ({ tx }) => {
    const subscription = await runningSubscription(tx, customerId)
    if (!subscription) throw new AppError('no_subscription')
    const ends_at_period_end = Number(cancel ?? subscription.ends_at_period_end)
    await changeSubscription(tx, subscription.id, { ends_at_period_end, ...NO_CHANGE })
  })
}

/**
 * Replaces the customer's card. One that pays makes an unpaid renewal at once.
 * @throws AppError card_declined
 */
export async function replaceCard(
  deps: SandboxDeps,
  customerId: string,
  card: TestCard,
): Promise<void> {
  if (card === 'declined') throw new AppError('card_declined')
  await inTurn(deps, customerId, async (turn) => {
    const { tx } = turn
    await changeCustomer(tx, customerId, { card })
    const subscription = await runningSubscription(tx, customerId)
    if (!paysAgain(card) || subscription?.status !== 'past_due') return
    await changeSubscription(tx, subscription.id, { status: 'active' })
    const amount = priceOf(subscription)
    await addInvoice(tx, customerId, { ...subscription, at: nowOf(turn), amount })
  })
}

/**
 * Moves the customer's test clock; renewals that fall due happen in order.
 * @throws AppError no_subscription for the end of a period where there is none; invalid_input
 */
export function advance(deps: SandboxDeps, customerId: string, step: TestClockStep): Promise<void> {
  return inTurn(deps, customerId, async (turn) => {
    const { tx, customer } = turn
    const now = nowOf(turn)
    const subscription = await runningSubscription(tx, customerId)
    if (step === 'period' && !subscription) throw new AppError('no_subscription')
    const then = clockAfter(now, step, subscription?.period_end ?? now)
    const clock_offset = customer.clock_offset + then - now
    if (clock_offset > AHEAD_MAX_MS) {
      throw new AppError('invalid_input', 'The test clock can go up to 20 years ahead.')
    }
    await changeCustomer(tx, customerId, { clock_offset })
    await catchUp({ ...turn, customer: { ...customer, clock_offset } })
  })
}

/**
 * Changes one customer at a time, after the renewals that were due before. The event of the change is
 * recorded with it, and delivered after the commit.
 */
async function inTurn(
  { db, clock, events, actor }: SandboxDeps,
  customerId: string,
  work: (turn: Turn) => Promise<void>,
): Promise<void> {
  await transactAs(db, actor, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) throw new AppError('checkout_not_found')
    const turn = { tx, customer, serverNow: clock() }
    await catchUp(turn)
    await work(turn)
    await addEvent(tx, customerId, turn.serverNow)
  })
  await events.deliver(customerId)
}

/** Renews what is due, in order. */
async function catchUp(turn: Turn): Promise<void> {
  for (;;) {
    const subscription = await runningSubscription(turn.tx, turn.customer.id)
    if (!subscription || subscription.period_end > nowOf(turn)) return
    await endPeriod(turn, subscription)
  }
}

/** Renews a subscription, or ends it: as it was canceled, or because this period was not paid. */
async function endPeriod({ tx, customer }: Turn, subscription: SandboxSubscription) {
  const { id, status, ends_at_period_end, period_end: at } = subscription
  if (status === 'past_due' || ends_at_period_end) {
    return changeSubscription(tx, id, { status: 'canceled' })
  }
  const isPaid = paysAgain(customer.card)
  const renewed = renewal(subscription, isPaid)
  await changeSubscription(tx, id, renewed)
  if (!isPaid) return
  await addInvoice(tx, customer.id, { ...renewed, at, amount: priceOf(renewed) })
}
