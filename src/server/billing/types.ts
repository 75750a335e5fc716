import type { PlanRules, Tier } from '#contract/plans.ts'
import type { Db } from '../database/schema.ts'

/** The rules of the plan that counts for an account now. */
export type Entitlements = PlanRules & { tier: Tier }

export type EntitlementsOf = (db: Db, userId: string) => Promise<Entitlements>
