import type { Tx } from '../../database/schema.ts'
import { afterCredit, priceOf } from './proration.ts'
import { nextStepAt, type Step, takeStep } from './renewal.ts'
import { changeCustomer, type SandboxCustomer } from './sandbox-customers.ts'
import { addEvent, type EventType } from './sandbox-events.ts'
import { addInvoice, closeInvoices } from './sandbox-invoices.ts'
import {
  changeSubscription,
  runningSubscription,
  type SandboxSubscription,
} from './sandbox-subscriptions.ts'

/** One customer's turn: its transaction, what is known of them, and the server's time. */
export type Turn = { tx: Tx; customer: SandboxCustomer; serverNow: Date }

/** The time by the customer's test clock. */
export function customerNow({ customer, serverNow }: Turn): number {
  return serverNow.getTime() + customer.clock_offset
}

/** Changes the customer of this turn, for what follows in it too. */
export async function updateCustomer(
  { tx, customer }: Turn,
  change: Parameters<typeof changeCustomer>[2],
): Promise<void> {
  await changeCustomer(tx, customer.id, change)
  Object.assign(customer, change)
}

/** Takes every step that is due, in order. */
export async function catchUp(turn: Turn): Promise<void> {
  for (;;) {
    const subscription = await runningSubscription(turn.tx, turn.customer.id)
    const at = subscription && nextStepAt(subscription)
    if (!subscription || !at || at > customerNow(turn)) return
    await stepOn(turn, subscription, at)
  }
}

/** Takes a subscription's next step, at an instant of the test clock. */
export async function stepOn(
  turn: Turn,
  subscription: SandboxSubscription,
  at: number,
): Promise<void> {
  const { tx, customer, serverNow } = turn
  const isRenewal = subscription.status === 'active'
  const { due } = afterCredit(priceOf(subscription), customer.credit)
  const pays = customer.card === 'pays' || (isRenewal && due === 0)
  const { step, course } = takeStep(subscription, pays)
  await changeSubscription(tx, subscription.id, course)
  await invoiceStep(turn, step, priceOf(subscription), at)
  await addEvent(tx, customer.id, EVENTS[step], serverNow)
}

const EVENTS: Record<Step, EventType> = {
  renewed: 'invoice.paid',
  unpaid: 'invoice.payment_failed',
  paid: 'invoice.paid',
  still_unpaid: 'invoice.payment_failed',
  given_up: 'customer.subscription.deleted',
  ended: 'customer.subscription.deleted',
}

async function invoiceStep(turn: Turn, step: Step, price: number, at: number): Promise<void> {
  const { tx, customer } = turn
  if (step === 'renewed') await charge(turn, price, at, 'paid')
  if (step === 'unpaid') await charge(turn, price, at, 'open')
  if (step === 'paid') await closeInvoices(tx, customer.id, 'paid')
  if (step === 'given_up') await closeInvoices(tx, customer.id, 'uncollectible')
}

/** Writes an invoice of what is left of an amount after the customer's credit, which is used up. */
export async function charge(
  turn: Turn,
  amount: number,
  at: number,
  status: 'paid' | 'open',
): Promise<void> {
  const { due, creditLeft } = afterCredit(amount, turn.customer.credit)
  await addInvoice(turn.tx, turn.customer.id, { at, amount: due, status })
  await updateCustomer(turn, { credit: creditLeft })
}
