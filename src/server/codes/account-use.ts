import { UNLIMITED } from '#contract/billing/plans.ts'
import { type AccountUse, accountUse } from '#contract/integrations/api-keys.ts'
import { programOf } from '../actor.ts'
import { AppError } from '../http/errors.ts'
import { counted } from '../http/limits/counts-store.ts'
import { usedSlots } from './codes-store.ts'
import { namesLimit } from './rules.ts'
import type { Api, CodeRoutesDeps } from './types.ts'

/** Says what a plan includes and how much of it is left, for programs that are about to make codes. */
export function accountUseRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, clock, entitlementsOf, contactOf } = deps
  const schema = { response: { 200: accountUse } }
  app.get('/api/account/me', { schema }, async (request): Promise<AccountUse> => {
    const { workspaceId } = request.actor
    const program = programOf(request)
    const account = await contactOf(db, workspaceId)
    if (!account) throw new AppError('unauthorized')
    const plan = await entitlementsOf(db, workspaceId)
    const used = await usedSlots(db, workspaceId)
    const names = await counted(db, namesLimit(plan), workspaceId, clock())
    return {
      id: workspaceId,
      email: account.email,
      plan: plan.tier,
      key: program ? { name: program.name, scope: program.scope } : null,
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
