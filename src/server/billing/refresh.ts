import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { endCheckout, findCheckout } from './checkouts-store.ts'
import { beginRead, claimEffect, settleRead } from './customers-store.ts'
import { isEntitled } from './entitlements.ts'
import { recordEvent } from './events-store.ts'
import type { PaymentProvider, ProvidedSubscription } from './provider.ts'
import { decisiveSubscription, liveSubscription } from './standing.ts'
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
  /** Told after the commit which names lead elsewhere now. */
  announce: (keys: string[]) => void
}

const MINUTE_MS = 60_000

/** A read that failed is made again after that. */
const RETRY_MS = 10 * MINUTE_MS
/** The provider's clock and ours may differ by as much. */
const CLOCKS_APART_MS = MINUTE_MS
/** An event may tell of what a reading a moment later does not show yet: it is read once more. */
const SETTLE_MS = MINUTE_MS

/**
 * Reads an account's subscriptions from the provider and lets what it finds take effect. Reads are
 * numbered as they begin, and an older one that comes back late changes nothing: whatever happened
 * before the newest read began is in it, and whatever happens later brings an event of its own.
 * @param eventId the event that asks for it, which then has had its effect
 */
export async function refresh(deps: RefreshDeps, userId: string, eventId?: string): Promise<void> {
  const { db, provider, clock } = deps
  const key = { provider: provider.name, userId }
  const begun = await beginRead(db, { ...key, rereadAt: clock().getTime() + RETRY_MS })
  if (!begun) return
  const subscriptions = await provider.subscriptionsOf(begun.customerId)
  warnOfTwo(deps, userId, subscriptions)
  const keys = await transact(db, async (tx) => {
    const isNewest = await claimEffect(tx, { ...key, read: begun.read })
    if (eventId) await recordEvent(tx, eventId, clock())
    if (!isNewest) return []
    const next = clock().getTime() + (eventId ? SETTLE_MS : DAY_MS)
    await settleRead(tx, { ...key, read: begun.read, at: next })
    return apply(deps, tx, userId, subscriptions)
  })
  deps.announce(keys)
}

async function apply(
  { provider, clock, onPlanChanged }: RefreshDeps,
  tx: Tx,
  userId: string,
  subscriptions: ProvidedSubscription[],
): Promise<string[]> {
  if (await hasLed(tx, userId, subscriptions)) await endCheckout(tx, userId)
  const decisive = decisiveSubscription(subscriptions)
  if (await isGiven(tx, userId, decisive)) return []
  if (!decisive) {
    await removeSubscription(tx, userId, provider.name)
    return []
  }
  const row = {
    user_id: userId,
    provider: provider.name,
    subscription_id: decisive.id,
    tier: decisive.tier,
    billing: decisive.billing,
    status: decisive.status,
    current_period_end: decisive.currentPeriodEnd,
    ends_at_period_end: decisive.endsAtPeriodEnd ? 1 : 0,
    updated_at: clock().getTime(),
  }
  return saveSubscription(tx, row, onPlanChanged)
}

/** Whether the payment that the account has begun was made, were its subscription over by now. */
async function hasLed(tx: Tx, userId: string, all: ProvidedSubscription[]): Promise<boolean> {
  if (liveSubscription(all)) return true
  const checkout = await findCheckout(tx, userId)
  if (!checkout) return false
  const since = checkout.began_at - CLOCKS_APART_MS
  return all.some(({ status, createdAt }) => status === 'canceled' && createdAt >= since)
}

/** What the operator gave for nothing is not taken away by a payment that was not made. */
async function isGiven(
  tx: Tx,
  userId: string,
  decisive: ProvidedSubscription | undefined,
): Promise<boolean> {
  const row = await findSubscription(tx, userId)
  return row?.provider === null && isEntitled(row) && !(decisive && isEntitled(decisive))
}

/** We never make a second one; somebody may have, in the provider's own pages. */
function warnOfTwo({ log }: RefreshDeps, userId: string, all: ProvidedSubscription[]) {
  const live = all.filter((one) => liveSubscription([one]))
  if (live.length > 1) {
    log.error({ userId, subscriptions: live.map(({ id }) => id) }, 'an account pays twice')
  }
}
