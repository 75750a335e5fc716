import { randomUUID } from 'node:crypto'
import type { TestCard } from '#contract/sandbox.ts'
import { AppError } from '../../http/errors.ts'
import { charge, customerNow, type Turn, updateCustomer } from './course-steps.ts'
import { inTurn, type SandboxDeps } from './customer-turn.ts'
import { periodFrom, priceOf } from './proration.ts'
import { addEvent } from './sandbox-events.ts'
import { completeSession, type SandboxSession } from './sandbox-sessions.ts'
import { addSubscription, runningSubscription } from './sandbox-subscriptions.ts'
import { choiceOf } from './session-choice.ts'

/**
 * Pays a session with a card, which then begins a subscription: once, however often it is asked.
 * @throws AppError card_declined, after which it can be tried again; checkout_not_found
 */
export async function pay(
  deps: SandboxDeps,
  session: SandboxSession,
  card: TestCard,
): Promise<void> {
  await inTurn(deps, session.customer_id, async (turn) => {
    if (!(await completeSession(turn.tx, session.id, turn.serverNow))) {
      throw new AppError('checkout_not_found')
    }
    // Another payment has been made in the meantime.
    if (await runningSubscription(turn.tx, turn.customer.id)) {
      throw new AppError('checkout_not_found')
    }
    if (card === 'declined') throw new AppError('card_declined')
    await subscribe(turn, session)
    await updateCustomer(turn, { card })
    await addEvent(turn.tx, turn.customer.id, 'checkout.session.completed', turn.serverNow)
  })
}

async function subscribe(turn: Turn, session: SandboxSession): Promise<void> {
  const now = customerNow(turn)
  const choice = choiceOf(session)
  await addSubscription(turn.tx, {
    ...{ ...choice, ...periodFrom(now, choice) },
    ...{ id: `sub_test_${randomUUID()}`, customer_id: turn.customer.id, status: 'active' },
    ...{ ends_at_period_end: 0, failures: 0, failed_at: null, created_at: now },
  })
  await charge(turn, priceOf(choice), now, 'paid')
}
