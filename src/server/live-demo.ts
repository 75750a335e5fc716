import { DAY_MS } from '#contract/time.ts'
import { createAccount, findAccount } from './accounts/users-store.ts'
import { serverFor } from './actor.ts'
import { writeVisits } from './analytics/record/write-visits.ts'
import type { ScansStore } from './analytics/store/scans-store.ts'
import {
  entitlementsOf,
  findSubscription,
  givenPlan,
  saveSubscription,
} from './billing/subscriptions-store.ts'
import { applyPlan, changeCode } from './codes/change-code.ts'
import { createCode } from './codes/create-codes.ts'
import type { CodeDeps } from './codes/types.ts'
import { transact } from './database/transact.ts'
import { QUARTER_MS } from './dates.ts'
import { demoEmail, demoRoom } from './demo/demo-room.ts'
import { demoPlaces } from './demo/visits.ts'
import { ownWorkspaceOf } from './memberships.ts'
import type { RoomDeps } from './room.ts'

/** A plan does not end by its date alone. */
const PLAN_MS = 10 * 365 * DAY_MS

export type LiveDemoDeps = RoomDeps & {
  scans: ScansStore
  announce: (keys: string[]) => void
  /** Told of codes whose scans have come into the numbers. */
  onScanned: (codes: Iterable<string>) => void
}

/**
 * The live demo, put together from what the rooms have: its account, codes and scans are like all others.
 * Undefined if the operator has none.
 */
export function liveDemo(deps: LiveDemoDeps) {
  const { config, database, db, clock, publicUrl, announce } = deps
  if (config.demo !== 'on') return undefined
  const email = demoEmail(deps.secret)
  const onDay = (at: Date): CodeDeps => ({
    db,
    publicUrl,
    entitlementsOf,
    domainOf: async () => undefined,
    domainOfNew: async () => null,
    onCodeChanged: announce,
    clock: () => at,
    record: async () => {},
    publish: async () => {},
    // The sweep of the codes without a verdict finds them.
    onUnchecked: () => {},
  })

  async function account({ name, plannedAt }: { name: string; plannedAt: number }) {
    const found = await findAccount(db, { email })
    const given = { email, name, emailVerified: false, credential: undefined }
    const { id } = found ?? (await transact(db, (tx) => createAccount(tx, given, clock())))
    const workspaceId = await ownWorkspaceOf(db, id)
    if (!(await findSubscription(db, workspaceId))) {
      const until = plannedAt + PLAN_MS
      const plan = givenPlan({ workspaceId, tier: 'unlimited', at: plannedAt, until })
      await transact(db, (tx) => saveSubscription(tx, plan, applyPlan))
    }
    return workspaceId
  }

  return demoRoom({
    clock,
    email,
    account,
    codes: (workspaceId) =>
      db
        .selectFrom('codes')
        .select(['id', 'name', 'saved_at as savedAt', 'paused_at as pausedAt'])
        .where('workspace_id', '=', workspaceId)
        .where('saved_at', 'is not', null)
        .$narrowType<{ savedAt: number }>()
        .execute(),
    makeCode: async (workspaceId, wanted, at) => {
      const code = await createCode(onDay(at), serverFor(workspaceId), wanted)
      return code.id
    },
    pauseCode: async (workspaceId, id, at) => {
      await changeCode(onDay(at), serverFor(workspaceId), id, { isActive: false })
    },
    // Nothing of that quarter-hour is lacking.
    lastScanOf: async (workspaceId, codeId) => {
      const last = await deps.scans.of(workspaceId).last(codeId)
      return last === undefined ? 0 : (last + 1) * QUARTER_MS - 1
    },
    record: async (visits) => {
      await writeVisits(database.location, visits, demoPlaces)
      deps.onScanned(new Set(visits.map(({ codeId }) => codeId)))
    },
  })
}
