import type { TestCard, TestClockStep } from '#contract/sandbox.ts'
import { AppError } from '../../http/errors.ts'
import { catchUp, customerNow, stepOn, updateCustomer } from './course-steps.ts'
import { inTurn, type SandboxDeps } from './customer-turn.ts'
import { clockAfter } from './periods.ts'
import { addEvent } from './sandbox-events.ts'
import { changeSubscription, runningSubscription } from './sandbox-subscriptions.ts'

/** How far a test clock can be ahead: beyond that a year would be too many to be worth it. */
const AHEAD_MAX_MS = 20 * 366 * 24 * 60 * 60 * 1000

/**
 * Lets the customer's subscription end with its period, or go on after all.
 * @throws AppError no_subscription
 */
export async function setEnding(
  deps: SandboxDeps,
  customerId: string,
  ending: boolean,
): Promise<void> {
  await inTurn(deps, customerId, async ({ tx, serverNow }) => {
    const subscription = await runningSubscription(tx, customerId)
    if (!subscription) throw new AppError('no_subscription')
    await changeSubscription(tx, subscription.id, { ends_at_period_end: ending ? 1 : 0 })
    await addEvent(tx, customerId, 'customer.subscription.updated', serverNow)
  })
}

/**
 * Puts another card in the place of the customer's; one that pays pays what is open at once.
 * @throws AppError card_declined
 */
export async function replaceCard(
  deps: SandboxDeps,
  customerId: string,
  card: TestCard,
): Promise<void> {
  if (card === 'declined') throw new AppError('card_declined')
  await inTurn(deps, customerId, async (turn) => {
    await updateCustomer(turn, { card })
    await addEvent(turn.tx, customerId, 'customer.updated', turn.serverNow)
    const subscription = await runningSubscription(turn.tx, customerId)
    if (card === 'pays' && subscription?.status === 'past_due') {
      await stepOn(turn, subscription, customerNow(turn))
    }
  })
}

/**
 * Moves the customer's test clock; whatever becomes due by that happens, in order.
 * @throws AppError no_subscription for the end of a period where there is none; invalid_input
 */
export async function advance(
  deps: SandboxDeps,
  customerId: string,
  step: TestClockStep,
): Promise<void> {
  await inTurn(deps, customerId, async (turn) => {
    const now = customerNow(turn)
    const subscription = await runningSubscription(turn.tx, customerId)
    if (step === 'period' && !subscription) throw new AppError('no_subscription')
    const then = clockAfter(now, step, subscription?.period_end ?? now)
    const clock_offset = turn.customer.clock_offset + then - now
    if (clock_offset > AHEAD_MAX_MS) {
      throw new AppError('invalid_input', 'The test clock cannot go further than 20 years ahead.')
    }
    await updateCustomer(turn, { clock_offset })
    await catchUp(turn)
  })
}
