import type Stripe from 'stripe'
import { serverFor } from '../../src/server/actor.ts'
import { accountOf } from '../../src/server/billing/account-of.ts'
import {
  bindCustomer,
  findCustomer,
  replaceCustomer,
} from '../../src/server/billing/customers-store.ts'
import { currentSubscription, liveSubscription } from '../../src/server/billing/entitlements.ts'
import type { ProvidedSubscription } from '../../src/server/billing/provider.ts'
import { keepsGivenPlan, type RefreshDeps, refresh } from '../../src/server/billing/refresh.ts'
import { isMissing } from '../../src/server/billing/stripe/stripe-client.ts'
import { findSubscription } from '../../src/server/billing/subscriptions-store.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { ownersOf } from '../../src/server/memberships.ts'
import type { Say } from './stripe-catalogue.ts'

const provider = 'stripe'

export type RelinkDeps = { stripe: Stripe; refreshing: RefreshDeps; isDry: boolean; say: Say }

type Outcome = 'bound' | 'beside another' | 'without an account' | 'plans changed'

/** A customer whose account is there, and the customer that the account has now */
type Candidate = {
  id: string
  workspaceId: WorkspaceId
  isRunning: boolean
  bound: string | undefined
}

/**
 * Binds Stripe's customers to their accounts, and brings each account's plan in line. It writes nothing to
 * Stripe and can be repeated. It holds one page of customers, and in a dry run also what it would have bound.
 */
export async function relink(deps: RelinkDeps): Promise<void> {
  const counts = { bound: 0, 'beside another': 0, 'without an account': 0, 'plans changed': 0 }
  const wouldBind = new Map<string, string>()
  let customers = 0
  for await (const customer of deps.stripe.customers.list({ limit: 100 })) {
    customers++
    for (const outcome of await relinkCustomer(deps, customer, wouldBind)) counts[outcome]++
  }
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
  deps.say(`${customers} customers at Stripe: ${parts.join(', ')}`)
  if (deps.isDry) deps.say('Nothing was written')
}

async function relinkCustomer(
  deps: RelinkDeps,
  { id, email, metadata }: Stripe.Customer,
  wouldBind: Map<string, string>,
): Promise<Outcome[]> {
  const { refreshing, isDry, say } = deps
  const { db } = refreshing
  // The name is from before people worked together.
  const workspaceId = metadata.user_id as WorkspaceId | undefined
  const subscriptions = await refreshing.provider.subscriptionsOf(id)
  // The Stripe account may have customers of other shops.
  if (workspaceId === undefined && subscriptions.length === 0) return []
  const isRunning = liveSubscription(subscriptions) !== undefined
  const named = `${id} ${email ?? ''}, ${isRunning ? 'with' : 'without'} a running subscription`
  if (workspaceId === undefined || !(await ownersOf(db, [workspaceId])).has(workspaceId)) {
    say(`${named}: without an account`)
    return ['without an account']
  }
  const known = await findCustomer(db, provider, workspaceId)
  const bound = wouldBind.get(workspaceId) ?? known?.customer_id
  const candidate = { id, workspaceId, isRunning, bound }
  if (bound !== id && !(await mayBind(deps, candidate))) {
    say(`${named}: beside ${bound ?? 'another'} of account ${workspaceId}`)
    return ['beside another']
  }
  const outcomes: Outcome[] = []
  if (bound !== id) {
    if (isDry) wouldBind.set(workspaceId, id)
    else await bind(deps, candidate)
    say(`${named}: bound to account ${workspaceId}${bound ? ` in place of ${bound}` : ''}`)
    outcomes.push('bound')
  }
  if (await bringInLine(deps, workspaceId, subscriptions)) outcomes.push('plans changed')
  return outcomes
}

/** A customer whose subscription runs comes before one without, and any before a deleted one. */
async function mayBind(
  { stripe, refreshing: { db, provider: payments } }: RelinkDeps,
  { id, isRunning, bound }: Candidate,
): Promise<boolean> {
  if (await accountOf(db, 'customers', { provider, id })) return false
  if (bound === undefined || (await isGone(stripe, bound))) return true
  return isRunning && !liveSubscription(await payments.subscriptionsOf(bound))
}

async function isGone(stripe: Stripe, id: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(id)).deleted === true
  } catch (error) {
    if (isMissing(error)) return true
    throw error
  }
}

async function bind({ refreshing: { db } }: RelinkDeps, { id, workspaceId, bound }: Candidate) {
  const customer = { provider, workspaceId, customerId: id }
  if (bound) await replaceCustomer(db, { ...customer, gone: bound })
  else await bindCustomer(db, { ...customer, rereadAt: 0 })
}

/** Reads the account's plan as the service does. Returns whether it is another one now, or would be. */
async function bringInLine(
  { refreshing, isDry, say }: RelinkDeps,
  workspaceId: WorkspaceId,
  subscriptions: ProvidedSubscription[],
): Promise<boolean> {
  const { db } = refreshing
  const row = await findSubscription(db, workspaceId)
  const before = planOf(row)
  const current = currentSubscription(subscriptions)
  if (isDry && keepsGivenPlan(row, current)) return false
  if (!isDry) await refresh(refreshing, serverFor(workspaceId))
  const after = planOf(isDry ? current : await findSubscription(db, workspaceId))
  if (after !== before) say(`account ${workspaceId}: ${before} becomes ${after}`)
  return after !== before
}

const planOf = (plan: { tier: string; status: string } | undefined) =>
  plan ? `${plan.tier} (${plan.status})` : 'free'
