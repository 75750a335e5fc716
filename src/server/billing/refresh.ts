import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { Tier } from '#contract/billing/plans.ts'
import type { PlanNews } from '#contract/integrations/webhook-events.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import { type Actor, serverFor, transactAs } from '../actor.ts'
import { CLOCKS_APART_MS, type Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { noteMode } from '../database/payment-mode.ts'
import type { Db, Tx } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import type { Job } from '../jobs.ts'
import { endCheckout, findCheckout } from './checkouts-store.ts'
import { beginRead, claimEffect, dueCustomers } from './customers-store.ts'
import {
  currentSubscription,
  hasBegun,
  isEntitled,
  liveSubscription,
  tierNow,
  UNPAID,
} from './entitlements.ts'
import { sweepEvents } from './event-inbox.ts'
import { saveRecords } from './payment-records-store.ts'
import {
  KeyRefused,
  type PaymentProvider,
  type PaymentRecord,
  type ProvidedSubscription,
} from './provider.ts'
import {
  endTestSubscriptions,
  findSubscription,
  type OnPlanChanged,
  removeSubscription,
  type SubscriptionRow,
  saveSubscription,
} from './subscriptions-store.ts'
import type { PaidInvoice } from './types.ts'

/** The parts that a change of a plan needs */
export type PlanDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** Writes to the account's history that another plan counts. */
  recordPlan: (tx: Tx, workspaceId: WorkspaceId, tier: Tier) => Promise<void>
  /** Writes the event of another plan, in the transaction. */
  publishPlan: (tx: Tx, workspaceId: WorkspaceId, plan: PlanNews) => Promise<void>
}

export type RefreshDeps = PlanDeps & {
  provider: PaymentProvider
  onPlanChanged: OnPlanChanged
  /** Announces, after the commit, the short links that have another target now. */
  announce: (keys: string[]) => void
  /** Mails receipts for invoices that have had none. It does not throw. */
  mailReceipts: (workspaceId: WorkspaceId, invoices: PaidInvoice[]) => Promise<void>
}

/** A read that failed is made again after that. It is longer than the calls of a read can take. */
const RETRY_MS = MINUTE_MS
/** A read right after an event may not show its change yet: it is made once more after this. */
export const SETTLE_MS = MINUTE_MS

/**
 * Reads an account's subscriptions from the provider and applies them. Reads are numbered as they
 * begin, and an older one that comes back late changes nothing: the newest read has seen every change
 * before it began, and every later change brings an event of its own.
 * @param againMs when the account is read next, if this read is the newest and succeeds
 */
export async function refresh(
  deps: RefreshDeps,
  actor: Actor,
  againMs: number = DAY_MS,
): Promise<void> {
  const { db, provider, clock } = deps
  const { workspaceId } = actor
  const key = { provider: provider.name, workspaceId }
  const started = await beginRead(db, { ...key, rereadAt: clock().getTime() + RETRY_MS })
  if (!started) return
  const { customerId } = started
  const [subscriptions, payments, paid] = await Promise.all([
    provider.subscriptionsOf(customerId),
    orNone(provider.recordsOf?.(customerId)),
    orNone(provider.paidInvoicesOf?.(customerId)),
  ])
  warnOfTwo(deps, workspaceId, subscriptions)
  const isOpenBeside =
    liveSubscription(subscriptions) && (await hasOpenPayment(db, workspaceId, subscriptions))
  const keys = await transactAs(db, actor, async (tx) => {
    const now = clock().getTime()
    const trialAt = subscriptions.some((one) => one.hadTrial) ? now : null
    const read = { ...key, ...started, next: now + againMs, trialAt }
    if (!(await claimEffect(tx, read))) return undefined
    if (provider.mode) await noteMode(tx, provider.mode, clock())
    await recordPayments(tx, key, subscriptions, payments)
    return apply(deps, tx, workspaceId, subscriptions)
  })
  // A later read has taken effect, or the customer was the former owner's.
  if (!keys) return
  deps.announce(keys)
  if (isOpenBeside) await closeAll(deps, customerId)
  await deps.mailReceipts(workspaceId, paid)
}

async function hasOpenPayment(db: Db, workspaceId: WorkspaceId, all: ProvidedSubscription[]) {
  return !all.every(hasBegun) || (await findCheckout(db, workspaceId)) !== undefined
}

/** Closes the payments that are open beside a plan: paying one would be a second plan. */
async function closeAll({ provider, log }: RefreshDeps, customerId: string): Promise<void> {
  try {
    await provider.closeCheckouts(customerId)
  } catch (error) {
    log.warn({ err: error, customerId }, 'a payment beside a plan is still open')
  }
}

/** No plan waits for what cannot be read, as with a key that may not: the next read has it. */
async function orNone<T>(reading: Promise<T[]> | undefined): Promise<T[]> {
  try {
    return (await reading) ?? []
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function recordPayments(
  tx: Tx,
  { provider, workspaceId }: { provider: string; workspaceId: WorkspaceId },
  subscriptions: ProvidedSubscription[],
  payments: PaymentRecord[],
): Promise<void> {
  const cancellations = subscriptions.flatMap(({ cancellation }) => cancellation ?? [])
  const records = [...payments, ...cancellations]
  const read = [...payments, ...subscriptions].map(({ id }) => id)
  await saveRecords(tx, { workspace_id: workspaceId, provider }, { records, read })
}

function planNews(row: SubscriptionRow | undefined): PlanNews {
  const end = row?.current_period_end ?? null
  return {
    tier: tierNow(row),
    plan: row?.tier ?? 'free',
    status: row?.status ?? 'active',
    billing: row?.billing ?? null,
    currentPeriodEnd: end === null ? null : new Date(end).toISOString(),
    endsAtPeriodEnd: row?.ends_at_period_end === 1,
  }
}

/** Makes a change of a plan, and says so where it is another one then. Answers what the change answers. */
export async function changePlan<T>(
  { recordPlan, publishPlan }: PlanDeps,
  tx: Tx,
  workspaceId: WorkspaceId,
  change: (before: SubscriptionRow | undefined) => Promise<T>,
): Promise<T> {
  const before = await findSubscription(tx, workspaceId)
  const changed = await change(before)
  const former = planNews(before)
  const news = planNews(await findSubscription(tx, workspaceId))
  if (news.tier !== former.tier) await recordPlan(tx, workspaceId, news.tier)
  if (!isDeepStrictEqual(news, former)) await publishPlan(tx, workspaceId, news)
  return changed
}

/** Writes the subscription that counts, and what it changes. Answers the names to announce after the commit. */
async function apply(
  deps: RefreshDeps,
  tx: Tx,
  workspaceId: WorkspaceId,
  subscriptions: ProvidedSubscription[],
): Promise<string[]> {
  if (await isPaid(tx, workspaceId, subscriptions)) await endCheckout(tx, workspaceId)
  const { provider, clock, onPlanChanged } = deps
  const current = currentSubscription(subscriptions)
  return changePlan(deps, tx, workspaceId, async (before) => {
    if (keepsGivenPlan(before, current)) return []
    if (!current) {
      await removeSubscription(tx, workspaceId, provider.name)
      return []
    }
    const row = {
      workspace_id: workspaceId,
      provider: provider.name,
      subscription_id: current.id,
      tier: current.tier,
      billing: current.billing,
      status: current.status,
      current_period_end: paidDay(before, current),
      ended_at: current.endedAt,
      ends_at_period_end: current.endsAtPeriodEnd ? 1 : 0,
      next_tier: current.next?.tier ?? null,
      next_billing: current.next?.billing ?? null,
      next_at: current.next?.at ?? null,
      updated_at: clock().getTime(),
      discount: current.discount ? JSON.stringify(current.discount) : null,
    }
    return saveSubscription(tx, row, onPlanChanged)
  })
}

/**
 * Keeps the first day of several unpaid periods, also after the end, unless a later one was paid. The bill of
 * a year in place of months takes nothing from a month that is paid.
 */
function paidDay(
  before: SubscriptionRow | undefined,
  { id, status, billing, isUnpaid, paidUntil, endedAt }: ProvidedSubscription,
): number | null {
  if (before?.subscription_id !== id) return paidUntil
  if (!UNPAID.includes(before.status)) {
    const isNewYear = isUnpaid && endedAt === null && before.billing !== billing
    return isNewYear ? Math.max(before.current_period_end ?? 0, paidUntil ?? 0) : paidUntil
  }
  if (!isUnpaid && !UNPAID.includes(status)) return paidUntil
  const days = [before.current_period_end ?? paidUntil, isUnpaid ? endedAt : paidUntil]
  const known = days.filter((day) => day !== null)
  return known.length > 0 ? Math.min(...known) : null
}

/** Whether the payment that the account began was made, even if its subscription has ended since. */
async function isPaid(
  tx: Tx,
  workspaceId: WorkspaceId,
  all: ProvidedSubscription[],
): Promise<boolean> {
  if (liveSubscription(all)) return true
  const checkout = await findCheckout(tx, workspaceId)
  if (!checkout) return false
  const since = checkout.began_at - CLOCKS_APART_MS
  return all.some(({ status, createdAt }) => status === 'canceled' && createdAt >= since)
}

/**
 * A plan that the operator gave, or that a former owner has paid, is not taken away by a payment that was not
 * made.
 */
export function keepsGivenPlan(
  row: SubscriptionRow | undefined,
  current: ProvidedSubscription | undefined,
): boolean {
  const isGiven = row?.subscription_id === null && isEntitled(row)
  return isGiven && !(current && isEntitled(current))
}

/** We never make a second subscription, but one can be made in the provider's own pages. */
function warnOfTwo({ log }: RefreshDeps, workspaceId: WorkspaceId, all: ProvidedSubscription[]) {
  const live = all.filter((one) => liveSubscription([one]))
  if (live.length > 1) {
    log.error({ workspaceId, subscriptions: live.map(({ id }) => id) }, 'an account pays twice')
  }
}

/** Accounts read in one run: with a run each minute, 28,800 a day. */
const ACCOUNTS_A_RUN = 20

/** Makes up for lost webhooks: reads every account from the provider once a day, or when it is due. */
export function reconciliation(deps: RefreshDeps): Job[] {
  const { db, clock, provider } = deps
  const jobs: Job[] = [
    { name: 'reconcile-subscriptions', everyMs: MINUTE_MS, run: () => reconcile(deps) },
    { name: 'sweep-billing-events', everyMs: HOUR_MS, run: () => sweepEvents(db, clock()) },
  ]
  if (provider.name !== 'stripe') return jobs
  const run = () => endTestSubscriptions(db, clock())
  return [...jobs, { name: 'end-test-subscriptions', everyMs: HOUR_MS, run }]
}

async function reconcile(deps: RefreshDeps): Promise<void> {
  const { db, clock, log, provider } = deps
  const due = { provider: provider.name, now: clock(), limit: ACCOUNTS_A_RUN }
  for (const workspaceId of await dueCustomers(db, due)) {
    try {
      await refresh(deps, serverFor(workspaceId))
    } catch (error) {
      log.warn({ err: error, workspaceId }, 'an account could not be reconciled')
      // The account is due again later; the others wait too, unless the provider refuses this one.
      const isRefused = error instanceof AppError && error.code === 'payment_refused'
      if (!isRefused || error instanceof KeyRefused) return
    }
  }
}
