import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { Tier } from '#contract/plans.ts'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { endCheckout, findCheckout } from './checkouts-store.ts'
import { currentSubscription, liveSubscription } from './current-subscription.ts'
import { beginRead, claimEffect, settleRead } from './customers-store.ts'
import { isEntitled } from './entitlements.ts'
import { recordEvent } from './events-store.ts'
import { type PlanNews, planNews } from './plan-news.ts'
import type { PaymentProvider, ProvidedSubscription } from './provider.ts'
import {
  findSubscription,
  type OnPlanChanged,
  removeSubscription,
  saveSubscription,
} from './subscriptions-store.ts'

export type RefreshDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  provider: PaymentProvider
  onPlanChanged: OnPlanChanged
  /** Writes down that another plan counts for the account. */
  recordPlan: (tx: Tx, userId: string, tier: Tier) => Promise<void>
  /** Writes down, in the transaction, what an account's plan is now, if that is something else. */
  publishPlan: (tx: Tx, userId: string, plan: PlanNews) => Promise<void>
  /** Told after the commit which short links have another target now. */
  announce: (keys: string[]) => void
}

/** A read that failed is made again after that. */
const RETRY_MS = 10 * MINUTE_MS
/** How far the provider's clock and ours may differ. */
const CLOCKS_APART_MS = MINUTE_MS
/** A read right after an event may not show its change yet: it is made once more after this. */
const SETTLE_MS = MINUTE_MS

/**
 * Reads an account's subscriptions from the provider and applies them. Reads are numbered as they
 * begin, and an older one that comes back late changes nothing: the newest read has seen every change
 * before it began, and every later change brings an event of its own.
 * @param eventId the event that asks for the read, which is recorded as handled
 */
export async function refresh(deps: RefreshDeps, userId: string, eventId?: string): Promise<void> {
  const { db, provider, clock } = deps
  const key = { provider: provider.name, userId }
  const started = await beginRead(db, { ...key, rereadAt: clock().getTime() + RETRY_MS })
  if (!started) return
  const subscriptions = await provider.subscriptionsOf(started.customerId)
  warnOfTwo(deps, userId, subscriptions)
  const keys = await transact(db, async (tx) => {
    const isNewest = await claimEffect(tx, { ...key, read: started.read })
    if (eventId) await recordEvent(tx, eventId, clock())
    if (!isNewest) return []
    const next = clock().getTime() + (eventId ? SETTLE_MS : DAY_MS)
    await settleRead(tx, { ...key, read: started.read, at: next })
    return applyAndRecord(deps, tx, userId, subscriptions)
  })
  deps.announce(keys)
}

async function applyAndRecord(
  deps: RefreshDeps,
  tx: Tx,
  userId: string,
  subscriptions: ProvidedSubscription[],
): Promise<string[]> {
  const before = planNews(await findSubscription(tx, userId))
  const keys = await apply(deps, tx, userId, subscriptions)
  const after = planNews(await findSubscription(tx, userId))
  if (after.tier !== before.tier) await deps.recordPlan(tx, userId, after.tier)
  if (!isDeepStrictEqual(after, before)) await deps.publishPlan(tx, userId, after)
  return keys
}

async function apply(
  { provider, clock, onPlanChanged }: RefreshDeps,
  tx: Tx,
  userId: string,
  subscriptions: ProvidedSubscription[],
): Promise<string[]> {
  if (await isPaid(tx, userId, subscriptions)) await endCheckout(tx, userId)
  const current = currentSubscription(subscriptions)
  if (await keepsGivenPlan(tx, userId, current)) return []
  if (!current) {
    await removeSubscription(tx, userId, provider.name)
    return []
  }
  const row = {
    user_id: userId,
    provider: provider.name,
    subscription_id: current.id,
    tier: current.tier,
    billing: current.billing,
    status: current.status,
    current_period_end: current.currentPeriodEnd,
    ends_at_period_end: current.endsAtPeriodEnd ? 1 : 0,
    updated_at: clock().getTime(),
  }
  return saveSubscription(tx, row, onPlanChanged)
}

/** Whether the payment that the account began was made, even if its subscription is over by now. */
async function isPaid(tx: Tx, userId: string, all: ProvidedSubscription[]): Promise<boolean> {
  if (liveSubscription(all)) return true
  const checkout = await findCheckout(tx, userId)
  if (!checkout) return false
  const since = checkout.began_at - CLOCKS_APART_MS
  return all.some(({ status, createdAt }) => status === 'canceled' && createdAt >= since)
}

/** A plan that the operator gave is not taken away by a payment that was not made. */
async function keepsGivenPlan(
  tx: Tx,
  userId: string,
  current: ProvidedSubscription | undefined,
): Promise<boolean> {
  const row = await findSubscription(tx, userId)
  return row?.provider === null && isEntitled(row) && !(current && isEntitled(current))
}

/** We never make a second subscription, but one can be made in the provider's own pages. */
function warnOfTwo({ log }: RefreshDeps, userId: string, all: ProvidedSubscription[]) {
  const live = all.filter((one) => liveSubscription([one]))
  if (live.length > 1) {
    log.error({ userId, subscriptions: live.map(({ id }) => id) }, 'an account pays twice')
  }
}
