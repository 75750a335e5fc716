import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { hasCome } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import type { RoomDeps } from '../room.ts'
import type { AccountDeps, OtherRooms } from './account-deps.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { connectingRoutes } from './connected-apps/connecting.ts'
import { deletionRoutes } from './deletion/deletion.ts'
import { deleteAccounts, type PurgeDeps } from './deletion/purge.ts'
import type { ExportSources } from './export/export-files.ts'
import { exportRoutes } from './export/export-routes.ts'
import { emailChangeRoutes } from './mailed-links/email-change.ts'
import { type InvitationDeps, invitationRoutes } from './mailed-links/invitation-routes.ts'
import { recoveryRoutes } from './mailed-links/recovery-routes.ts'
import { type NoticesDeps, receiptMails, sendNotices } from './notices/notices.ts'
import { unsubscribeRoutes } from './notices/unsubscribe.ts'
import { sweepApps } from './programs/apps-store.ts'
import { programCalls } from './programs/program-calls.ts'
import { programRoutes } from './programs/program-routes.ts'
import { proofOfOwner } from './proof/owner-proof.ts'
import { type DemoAccount, demoRoutes, demoSession } from './sessions/demo-session.ts'
import { requireKey, requireUser } from './sessions/require-user.ts'
import { Sessions } from './sessions/sessions.ts'
import { sessionsRoutes } from './sessions/sessions-routes.ts'
import { livingReaders, sweepSessions } from './sessions/sessions-store.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { userPictureRoutes } from './settings/user-picture-routes.ts'
import { passkeyRoutes } from './sign-in/passkeys/passkeys.ts'
import { passkeysOf } from './sign-in/passkeys/passkeys-store.ts'
import { openIdProvider } from './sign-in/provider/provider.ts'
import { providerRoutes } from './sign-in/provider/provider-routes.ts'
import { secondFactorRoutes } from './sign-in/second-factor/second-factor.ts'
import { secondFactorOf } from './sign-in/second-factor/second-factor-store.ts'
import { secondStepRoutes } from './sign-in/second-factor/second-step.ts'
import { signInSteps } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { signUpRoutes } from './sign-in/sign-up-routes.ts'
import { teamRoutes } from './team/team-routes.ts'
import { sweepChanges } from './users-store.ts'

export type AccountsRoomDeps = RoomDeps &
  OtherRooms & {
    /** The live demo's account; undefined without one */
    demo: DemoAccount | undefined
    /** An account's data and work in the other rooms, for its export, its notices and its end */
    leaving: Pick<PurgeDeps, 'stopRenewal' | 'endPlan' | 'purgeCodes'> &
      Pick<InvitationDeps, 'takeOverPlan' | 'endFormer'> &
      Pick<NoticesDeps, 'endingCodes' | 'deadCodes' | 'planNotices'> & {
        exportSources: ExportSources
      }
  }

/** Tables whose rows end at `expires_at`, at most this time after they were made */
const EXPIRING = ['sign_ins', 'mailed_links', 'used_challenges'] as const
const LIFE_MAX_MS = 7 * DAY_MS

/** Removes what has ended, with the addresses in it, and what a clock has made that went back since. */
async function sweepAccounts(db: Db, now: Date) {
  await sweepSessions(db)
  for (const table of EXPIRING) {
    await db
      .deleteFrom(table)
      .where(hasCome('expires_at', LIFE_MAX_MS, now))
      .execute()
  }
  await sweepChanges(db, now)
  await sweepApps(db, now)
}

/** Accounts and sessions: their routes and jobs, and for the other rooms the user who is signed in. */
export function accountsRoom(deps: AccountsRoomDeps) {
  const { db, clock, config, hashing } = deps
  const sessions = new Sessions(deps)
  const demo = deps.demo && demoSession(deps, deps.demo)
  const later = new BackgroundTasks(deps.log)
  const shared: AccountDeps = {
    ...deps,
    sessions,
    demo,
    later,
    requireUser: requireUser({
      db,
      sessions,
      demo,
      callerOf: programCalls({ ...deps, later }),
      entitlementsOf: deps.entitlementsOf,
    }),
    demandOwner: proofOfOwner(deps, { takesLater: false }),
    demandRecentProof: proofOfOwner(deps, { takesLater: true }),
  }
  const provider = config.provider && openIdProvider(config.provider, deps)
  const signInDeps = { ...shared, provider, signIns: signInSteps(shared) }
  const leaving = { ...shared, ...deps.leaving }

  return {
    routes: async (site: FastifyInstance) => {
      await site.register(signInRoutes, signInDeps)
      const signInMethods = { passkeysOf, secondFactorOf }
      await site.register(settingsRoutes, { ...shared, signInMethods })
      await site.register(sessionsRoutes, shared)
      await site.register(programRoutes, shared)
      await site.register(teamRoutes, shared)
      await site.register(invitationRoutes, { ...signInDeps, ...deps.leaving })
      await site.register(connectingRoutes, shared)
      await site.register(signUpRoutes, signInDeps)
      await site.register(recoveryRoutes, signInDeps)
      await site.register(emailChangeRoutes, signInDeps)
      await site.register(userPictureRoutes, shared)
      await site.register(secondFactorRoutes, shared)
      await site.register(secondStepRoutes, signInDeps)
      await site.register(passkeyRoutes, signInDeps)
      await site.register(exportRoutes, leaving)
      await site.register(deletionRoutes, leaving)
      await site.register(unsubscribeRoutes, shared)
      if (demo) await site.register(demoRoutes, { sessions, demo })
      if (provider) await site.register(providerRoutes, { ...signInDeps, provider })
    },
    jobs: [
      deleteAccounts(leaving),
      sendNotices(leaving),
      { name: 'sweep-accounts', everyMs: HOUR_MS, run: () => sweepAccounts(db, clock()) },
    ],
    metrics: () => hashing.metrics(),
    stop: async () => {
      await later.settle()
      await hashing.stop()
    },
    requireUser: shared.requireUser,
    requireKey: requireKey(shared.requireUser),
    livingReaders,
    mailReceipts: receiptMails(deps),
    userOf: async (request: FastifyRequest, reply: FastifyReply) =>
      (await sessions.current(request, reply))?.userId ?? (await demo?.of(request)),
  }
}
