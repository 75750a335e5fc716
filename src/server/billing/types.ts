import type { Invoice } from '#contract/billing/billing.ts'
import type { PlanRules, Tier } from '#contract/billing/plans.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'

/** The rules of the plan that counts for an account now. */
export type Entitlements = PlanRules & { tier: Tier }

/** An event of a paid plan that its owner should know about. */
export type PlanNotice = {
  workspaceId: WorkspaceId
  kind: 'payment-failed' | 'plan-ends'
  /** Names what happened: the same for the same failed payment or end */
  about: string
  tier: Tier
  /** The plan after a free trial, and its first charge in cents; absent for other notices */
  next?: { tier: Tier; price: number }
  /** When the plan ends or ended; null if that is not known */
  endsAt: number | null
}

/** An invoice that was paid, and when. */
export type PaidInvoice = Invoice & { paidAt: number }

export type EntitlementsOf = (db: Db, workspaceId: WorkspaceId) => Promise<Entitlements>
