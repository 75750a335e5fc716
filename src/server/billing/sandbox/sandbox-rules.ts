import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { DateTime } from 'luxon'
import { type BillingPeriod, chargeInCents, type PaidTier, plans } from '#contract/billing/plans.ts'
import type { SandboxAct, TestCard, TestClockStep } from '#contract/billing/sandbox.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Tables } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import type { Choice } from '../provider.ts'

/** A subscription of the sandbox. Its instants are by the test clock. */
export type TestPlan = Omit<
  Selectable<Tables['sandbox_subscriptions']>,
  'customer_id' | 'tier' | 'billing' | 'next_tier' | 'next_billing'
> &
  Choice & { next_tier: PaidTier | null; next_billing: BillingPeriod | null }

type Bill = Choice & { at: number; amount: number }

/** A customer with the plans, newest first, of which one at most is not over. `bills` were just paid. */
export type Books = Selectable<Tables['sandbox_customers']> & { plans: TestPlan[]; bills: Bill[] }

/** How far ahead a test clock can be: each step renews every period in between. */
const AHEAD_MAX_MS = 20 * 366 * DAY_MS

/** No plan waits for the next period. */
const NO_CHANGE = { next_tier: null, next_billing: null }

type Period = Pick<TestPlan, 'anchor_at' | 'period_start' | 'period_end'>

/** Months that one charge pays for. */
const MONTHS: Record<BillingPeriod, number> = { monthly: 1, annual: 12 }

const utc = (instant: number) => DateTime.fromMillis(instant, { zone: 'utc' })

/** Whether a card pays renewals: one that the bank asked about needs no second confirmation, as with Stripe. */
const paysAgain = (card: TestCard | null) => card === 'pays' || card === 'asks'

const running = ({ plans }: Books) => plans.find(({ status }) => status !== 'canceled')

/** The amount of one charge, in cents. */
export const priceOf = ({ tier, billing }: Choice) => chargeInCents(plans[tier], billing)

function withPlan(books: Books, plan: TestPlan, change: Partial<TestPlan>): Books {
  const changed = books.plans.map((one) => (one === plan ? { ...plan, ...change } : one))
  return { ...books, plans: changed }
}

function withBill(books: Books, { tier, billing }: Choice, at: number, amount: number): Books {
  return { ...books, bills: [...books.bills, { tier, billing, at, amount }] }
}

/**
 * The books after an act of their customer at the server's time; `order` is what its page is for.
 * @throws AppError card_declined, checkout_not_found, no_subscription, invalid_input
 */
export function afterAct(books: Books, act: SandboxAct, now: number, order?: PlanOrder): Books {
  const at = now + books.clock_offset
  switch (act.action) {
    case 'card':
      return withCard(books, act.card, at)
    case 'advance':
      return advanced(books, act.step, now)
    case 'pay':
      if (order?.kind === 'pay' && !act.card) throw new AppError('invalid_input', 'Choose a card.')
      return paid(act.card ? withCard(books, act.card, at) : books, at, order)
    default:
      return withEnd(books, act.action === 'cancel')
  }
}

type PlanOrder = Choice & { kind: 'pay' | 'change'; subscription_id: string | null }

function paid(books: Books, at: number, order?: PlanOrder): Books {
  if (!order) throw new AppError('checkout_not_found')
  return order.kind === 'pay' ? begun(books, order, at) : changedPlan(books, order, at)
}

function begun(books: Books, { tier, billing }: Choice, at: number): Books {
  // Another session was paid first.
  if (running(books)) throw new AppError('checkout_not_found')
  const plan: TestPlan = {
    tier,
    billing,
    ...periodFrom(at, { tier, billing }),
    ...NO_CHANGE,
    id: `sub_test_${randomUUID()}`,
    status: 'active',
    ends_at_period_end: 0,
    created_at: at,
  }
  return withBill({ ...books, plans: [plan, ...books.plans] }, plan, at, priceOf(plan))
}

/** A plan that was to end still ends. */
function changedPlan(books: Books, order: PlanOrder, at: number): Books {
  const { tier, billing } = order
  const current = changeable(books, order)
  const { due, waitsUntil } = changeCost(current, order, at)
  if (waitsUntil !== null) {
    return withPlan(books, current, { next_tier: tier, next_billing: billing })
  }
  if (due > 0 && !paysAgain(books.card)) throw new AppError('card_declined')
  const change = { tier, billing, ...periodFrom(at, order), ...NO_CHANGE }
  const changed = withPlan(books, current, change)
  return due > 0 ? withBill(changed, order, at, due) : changed
}

/**
 * The plan that a page is to change.
 * @throws AppError checkout_not_found if it is over, not paid, or not the customer's current one
 */
export function changeable(books: Books, order: Pick<PlanOrder, 'subscription_id'>): TestPlan {
  const plan = running(books)
  if (plan?.id !== order.subscription_id || plan?.status !== 'active') {
    throw new AppError('checkout_not_found')
  }
  return plan
}

/**
 * A plan that ends with its period, or renews after all; undefined leaves that. A change that waits is
 * called off.
 */
export function withEnd(books: Books, ends?: boolean): Books {
  const plan = running(books)
  if (!plan) throw new AppError('no_subscription')
  const ends_at_period_end = Number(ends ?? plan.ends_at_period_end)
  return withPlan(books, plan, { ends_at_period_end, ...NO_CHANGE })
}

/** Another card, which makes an unpaid renewal at once if it can. */
function withCard(books: Books, card: TestCard, at: number): Books {
  if (card === 'declined') throw new AppError('card_declined')
  const replaced = { ...books, card }
  const plan = running(books)
  if (!paysAgain(card) || plan?.status !== 'past_due') return replaced
  return withBill(withPlan(replaced, plan, { status: 'active' }), plan, at, priceOf(plan))
}

/** The test clock goes on; renewals that fall due happen in order. */
function advanced(books: Books, step: TestClockStep, now: number): Books {
  const plan = running(books)
  if (step === 'period' && !plan) throw new AppError('no_subscription')
  const at = now + books.clock_offset
  const clock_offset = clockAfter(at, step, plan?.period_end ?? at) - now
  if (clock_offset > AHEAD_MAX_MS) {
    throw new AppError('invalid_input', 'The test clock can go up to 20 years ahead.')
  }
  return caughtUp({ ...books, clock_offset }, now)
}

/** Where the test clock stands after a step; `periodEnd` is that of the plan. */
export function clockAfter(now: number, step: TestClockStep, periodEnd: number): number {
  if (step === 'period') return Math.max(now, periodEnd)
  return utc(now)
    .plus(step === 'month' ? { months: 1 } : { years: 1 })
    .toMillis()
}

/** Renews what is due, in order. */
export function caughtUp(books: Books, now: number): Books {
  const plan = running(books)
  if (!plan || plan.period_end > now + books.clock_offset) return books
  return caughtUp(periodEnded(books, plan), now)
}

/** Renews a plan, or ends it: as it was canceled, or because this period was not paid. */
function periodEnded(books: Books, plan: TestPlan): Books {
  if (plan.status === 'past_due' || plan.ends_at_period_end) {
    return withPlan(books, plan, { status: 'canceled' })
  }
  const isPaid = paysAgain(books.card)
  const change = renewal(plan, isPaid)
  const renewed = withPlan(books, plan, change)
  return isPaid ? withBill(renewed, change, plan.period_end, priceOf(change)) : renewed
}

/** A renewed plan, or the one that waited for its end. The new period begins even if it is not paid, as with Stripe. */
export function renewal({ anchor_at, period_end, ...plan }: TestPlan, isPaid: boolean) {
  const [tier, billing] = [plan.next_tier ?? plan.tier, plan.next_billing ?? plan.billing]
  return {
    tier,
    billing,
    ...NO_CHANGE,
    status: isPaid ? ('active' as const) : ('past_due' as const),
    period_start: period_end,
    period_end: periodEndAfter(anchor_at, billing, period_end),
  }
}

/** A period that begins now. */
export function periodFrom(now: number, { billing }: Choice): Period {
  return { anchor_at: now, period_start: now, period_end: periodEndAfter(now, billing, now) }
}

/**
 * The first end of a period after an instant. Counted from the anchor, not from the last end: a plan
 * that begins on January 31 is paid to February 28, and then to March 31.
 */
export function periodEndAfter(anchor: number, billing: BillingPeriod, after: number): number {
  const months = MONTHS[billing]
  const gone = utc(after).diff(utc(anchor), 'months').months
  for (let periods = Math.max(1, Math.floor(gone / months)); ; periods++) {
    const end = utc(anchor)
      .plus({ months: months * periods })
      .toMillis()
    if (end > after) return end
  }
}

/** A price that falls, or a year that becomes months, waits for the end of the paid period, as with Stripe. */
function isLater(current: Choice, choice: Choice): boolean {
  if (choice.billing !== current.billing) return choice.billing === 'monthly'
  return priceOf(choice) < priceOf(current)
}

/**
 * The cost of a change of plan now, in cents, and the end of the paid period if it waits for that. At once it
 * begins a period of the new plan: its price, less the unused part of the old period, is due.
 */
export function changeCost(
  current: Choice & Period,
  choice: Choice,
  now: number,
): { due: number; waitsUntil: number | null } {
  const { period_start, period_end } = current
  if (isLater(current, choice)) return { due: 0, waitsUntil: period_end }
  const share = (period_end - now) / (period_end - period_start)
  const unused = Math.round(priceOf(current) * Math.min(1, Math.max(0, share)))
  return { due: priceOf(choice) - unused, waitsUntil: null }
}
