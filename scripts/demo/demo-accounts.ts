import type { Tier } from '#contract/plans.ts'
import type { Auth } from '../../src/server/accounts/auth.ts'
import { givenPlan, saveSubscription } from '../../src/server/billing/subscriptions-store.ts'
import { applyPlan } from '../../src/server/codes/lifecycle.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import { type Calendar, instantOf } from './calendar.ts'

/** Of every demo account. */
export const PASSWORD = 'six copper tiles'

export type DemoAccount = { name: string; email: string; tier: Tier }

export const owner: DemoAccount = {
  name: 'Ada Marsh',
  email: 'ada@example.com',
  tier: 'unlimited',
}
export const teacher: DemoAccount = { name: 'Noor Haddad', email: 'noor@example.com', tier: 'free' }

/** Makes the account; answers its id. */
export async function signUp(auth: Auth, { name, email }: DemoAccount): Promise<string> {
  const { user } = await auth.api.signUpEmail({ body: { name, email, password: PASSWORD } })
  return user.id
}

/** Puts the account on its plan, as after a payment for a year on a day some time ago. */
export async function subscribe(db: Db, userId: string, tier: Tier, calendar: Calendar) {
  const at = instantOf(calendar.ago(98), 9)
  const until = instantOf(calendar.ago(98 - 365), 9)
  const row = givenPlan({ userId, tier, until, at })
  await transact(db, (tx) => saveSubscription(tx, row, applyPlan))
}
