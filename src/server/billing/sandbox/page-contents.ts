import type { Invoice } from '#contract/billing.ts'
import type { ChangePage, PayPage, PortalPage, SandboxPage } from '#contract/sandbox.ts'
import { changeable } from './plan-changes.ts'
import { afterCredit, periodFrom, priceOf, prorate } from './proration.ts'
import { nextStepAt } from './renewal.ts'
import type { SandboxCustomer } from './sandbox-customers.ts'
import type { SandboxSession } from './sandbox-sessions.ts'
import type { SandboxSubscription } from './sandbox-subscriptions.ts'
import { choiceOf } from './session-choice.ts'

/** All that the sandbox knows of a customer; the newest subscription comes first. */
export type Account = {
  customer: SandboxCustomer
  subscriptions: SandboxSubscription[]
  invoices: Invoice[]
  serverNow: Date
}

const iso = (instant: number) => new Date(instant).toISOString()

/** What a session's page shows. @throws AppError checkout_not_found where there is nothing left to change */
export function pageContents(session: SandboxSession, account: Account): SandboxPage {
  const now = account.serverNow.getTime() + account.customer.clock_offset
  if (session.kind === 'pay') return payPage(session, account, now)
  return session.kind === 'change'
    ? changePage(session, account, now)
    : portalPage(session, account, now)
}

const common = ({ id, back_url }: SandboxSession) => ({ id, backTo: back_url })

function payPage(session: SandboxSession, { customer }: Account, now: number): PayPage {
  const choice = choiceOf(session)
  const price = priceOf(choice)
  return {
    ...{ ...common(session), kind: 'pay', ...choice, price },
    due: afterCredit(price, customer.credit).due,
    renewsAt: iso(periodFrom(now, choice).period_end),
  }
}

function changePage(session: SandboxSession, account: Account, now: number): ChangePage {
  const running = account.subscriptions.find(({ status }) => status !== 'canceled')
  const { tier, billing, ...paid } = changeable(session, running)
  const to = choiceOf(session)
  const { period, ...cost } = prorate({ ...paid, tier, billing }, to, now, account.customer.credit)
  return {
    ...{ ...common(session), kind: 'change', from: { tier, billing }, to, price: priceOf(to) },
    ...{ ...cost, renewsAt: iso(period.period_end) },
  }
}

function portalPage(session: SandboxSession, account: Account, now: number): PortalPage {
  const { customer, subscriptions, invoices } = account
  const newest = subscriptions[0]
  return {
    ...{ ...common(session), kind: 'portal', card: customer.card, credit: customer.credit },
    ...{ invoices, now: iso(now), isAhead: customer.clock_offset > 0 },
    subscription: newest ? portalSubscription(newest) : null,
  }
}

function portalSubscription(row: SandboxSubscription): PortalPage['subscription'] {
  const { tier, billing, status } = row
  const attempt = status === 'past_due' ? nextStepAt(row) : null
  return {
    ...{
      tier,
      billing,
      status,
      price: priceOf(row),
      endsAtPeriodEnd: row.ends_at_period_end === 1,
    },
    periodEnd: iso(row.period_end),
    nextAttempt: attempt === null ? null : iso(attempt),
  }
}
