import { type AccountUse, accountUse } from '#contract/integrations/api-keys.ts'
import { UNLIMITED } from '#contract/plans.ts'
import { AppError } from '../http/errors.ts'
import { counted } from '../http/limits/counts-store.ts'
import { usedSlots } from './codes-store.ts'
import { namesLimit } from './create-codes.ts'
import type { Api, CodeRoutesDeps } from './types.ts'

/** Says what a plan includes and how much of it is left, for programs that are about to make codes. */
export function accountUseRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, clock, entitlementsOf, contactOf } = deps
  const schema = { response: { 200: accountUse } }
  app.get('/api/account/me', { schema }, async ({ userId, apiKey }): Promise<AccountUse> => {
    const account = await contactOf(db, userId)
    if (!account) throw new AppError('unauthorized')
    const plan = await entitlementsOf(db, userId)
    const used = await usedSlots(db, userId)
    const names = await counted(db, namesLimit(plan), userId, clock())
    return {
      id: userId,
      email: account.email,
      plan: plan.tier,
      key: apiKey && { name: apiKey.name, scope: apiKey.scope },
      codes: leftOf(plan.codeLimit, used),
      newNames: { ...leftOf(names.max, names.count), resetsAt: names.endsAt },
      customUrls: plan.customPaths,
      artwork: plan.hasArtwork,
      domains: plan.domains,
    }
  })
}

function leftOf(limit: number, used: number) {
  if (limit === UNLIMITED) return { limit: null, used, left: null }
  return { limit, used, left: Math.max(0, limit - used) }
}
