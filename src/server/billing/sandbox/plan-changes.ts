import { AppError } from '../../http/errors.ts'
import { customerNow, type Turn, updateCustomer } from './course-steps.ts'
import { inTurn, type SandboxDeps } from './customer-turn.ts'
import { type Proration, prorate } from './proration.ts'
import { addEvent } from './sandbox-events.ts'
import { addInvoice } from './sandbox-invoices.ts'
import { completeSession, type SandboxSession } from './sandbox-sessions.ts'
import {
  changeSubscription,
  runningSubscription,
  type SandboxSubscription,
} from './sandbox-subscriptions.ts'
import { choiceOf } from './session-choice.ts'

/**
 * Changes the plan that a session was opened for, once.
 * @throws AppError card_declined, checkout_not_found
 */
export async function confirmChange(deps: SandboxDeps, session: SandboxSession): Promise<void> {
  await inTurn(deps, session.customer_id, async (turn) => {
    if (!(await completeSession(turn.tx, session.id, turn.serverNow))) {
      throw new AppError('checkout_not_found')
    }
    const running = await runningSubscription(turn.tx, turn.customer.id)
    const subscription = changeable(session, running)
    const now = customerNow(turn)
    const cost = prorate(subscription, choiceOf(session), now, turn.customer.credit)
    if (cost.due > 0 && turn.customer.card !== 'pays') throw new AppError('card_declined')
    await change(turn, subscription, session, cost)
  })
}

/**
 * The subscription that a session is to change.
 * @throws AppError checkout_not_found where that is not the one that goes on, or is not paid
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

/** Who chooses another plan goes on: an end that was set before is none any more. */
async function change(
  turn: Turn,
  { id }: SandboxSubscription,
  session: SandboxSession,
  { due, creditLeft, period }: Proration,
): Promise<void> {
  const { tx, customer, serverNow } = turn
  const at = customerNow(turn)
  await changeSubscription(tx, id, { ...choiceOf(session), ...period, ends_at_period_end: 0 })
  await addInvoice(tx, customer.id, { at, amount: due, status: 'paid' })
  await updateCustomer(turn, { credit: creditLeft })
  await addEvent(tx, customer.id, 'customer.subscription.updated', serverNow)
}
