import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOUR_MS } from '#contract/time.ts'
import type { Job } from '../jobs.ts'
import type { RoomDeps } from '../room.ts'
import type { AccountDeps, OtherRooms } from './account-deps.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { connectingRoutes } from './connected-apps/connecting.ts'
import { deletionRoutes } from './deletion/deletion.ts'
import { deleteAccounts, type PurgeDeps } from './deletion/purge.ts'
import type { ExportSources } from './export/export-files.ts'
import { exportRoutes } from './export/export-routes.ts'
import { emailChangeRoutes } from './mailed-links/email-change.ts'
import { sweepChanges } from './mailed-links/email-change-store.ts'
import { recoveryRoutes } from './mailed-links/recovery-routes.ts'
import { type NoticesDeps, sendNotices } from './notices/notices.ts'
import { receiptMails } from './notices/receipts.ts'
import { unsubscribeRoutes } from './notices/unsubscribe.ts'
import { sweepApps } from './programs/apps-store.ts'
import { programCalls } from './programs/program-calls.ts'
import { programRoutes } from './programs/program-routes.ts'
import { mailAddressProof } from './proof/address-proof.ts'
import { sweepLinks } from './proof/mailed-links.ts'
import { proofOfOwner } from './proof/owner-proof.ts'
import { type DemoAccount, DemoSession, demoRoutes } from './sessions/demo-session.ts'
import { requireKey, requireUser } from './sessions/require-user.ts'
import { Sessions } from './sessions/sessions.ts'
import { sessionsRoutes } from './sessions/sessions-routes.ts'
import { livingSessions, sweepSessions } from './sessions/sessions-store.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { userPictureRoutes } from './settings/user-picture-routes.ts'
import { sweepChallenges } from './sign-in/passkeys/passkey-challenge.ts'
import { passkeyRoutes } from './sign-in/passkeys/passkeys.ts'
import { passkeysOf } from './sign-in/passkeys/passkeys-store.ts'
import { Provider } from './sign-in/provider/provider.ts'
import { providerRoutes } from './sign-in/provider/provider-routes.ts'
import { secondFactorRoutes } from './sign-in/second-factor/second-factor.ts'
import { secondFactorOf, sweepSignIns } from './sign-in/second-factor/second-factor-store.ts'
import { secondStepRoutes } from './sign-in/second-factor/second-step.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { signUpRoutes } from './sign-in/sign-up-routes.ts'

export type AccountsRoomDeps = RoomDeps &
  OtherRooms & {
    /** The live demo's account; undefined without one */
    demo: DemoAccount | undefined
    /** An account's data and work in the other rooms, for its export, its notices and its end */
    leaving: Pick<PurgeDeps, 'stopRenewal' | 'endPlan' | 'purgeCodes'> &
      Pick<NoticesDeps, 'endingCodes' | 'planNotices'> & { exportSources: ExportSources }
  }

/** Accounts and sessions: their routes and jobs, and for the other rooms the user who is signed in. */
export function accountsRoom(deps: AccountsRoomDeps) {
  const { db, clock, config, hashing } = deps
  const sessions = new Sessions(deps)
  const demo = deps.demo && new DemoSession(deps, deps.demo)
  const later = new BackgroundTasks(deps.log)
  const shared: AccountDeps = {
    ...deps,
    sessions,
    demo,
    later,
    mailAddressProof: (account) => mailAddressProof(deps, account),
    requireUser: requireUser(sessions, demo, programCalls({ ...deps, later })),
    demandOwner: proofOfOwner(deps, { takesLater: false }),
    demandRecentProof: proofOfOwner(deps, { takesLater: true }),
  }
  const provider = config.provider && new Provider(config.provider, deps)
  const signInDeps = { ...shared, provider, signIns: new SignIn(shared) }
  const leaving = { ...shared, ...deps.leaving }

  const jobs: Job[] = [
    deleteAccounts(leaving),
    sendNotices(leaving),
    { name: 'sweep-sessions', everyMs: HOUR_MS, run: () => sweepSessions(db) },
    { name: 'sweep-sign-ins', everyMs: HOUR_MS, run: () => sweepSignIns(db, clock()) },
    { name: 'sweep-links', everyMs: HOUR_MS, run: () => sweepLinks(db, clock()) },
    { name: 'sweep-challenges', everyMs: HOUR_MS, run: () => sweepChallenges(db, clock()) },
    { name: 'sweep-email-changes', everyMs: HOUR_MS, run: () => sweepChanges(db, clock()) },
    { name: 'sweep-apps', everyMs: HOUR_MS, run: () => sweepApps(db, clock()) },
  ]
  return {
    routes: async (site: FastifyInstance) => {
      await site.register(signInRoutes, signInDeps)
      await site.register(settingsRoutes, {
        ...shared,
        signInMethods: { passkeysOf, secondFactorOf },
      })
      await site.register(sessionsRoutes, shared)
      await site.register(programRoutes, shared)
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
    jobs,
    metrics: () => hashing.metrics(),
    stop: async () => {
      await later.settle()
      await hashing.stop()
    },
    requireUser: shared.requireUser,
    requireKey: requireKey(shared.requireUser),
    livingSessions,
    mailReceipts: receiptMails(deps),
    userOf: async (request: FastifyRequest, reply: FastifyReply) =>
      (await sessions.current(request, reply))?.userId ?? (await demo?.of(request)),
  }
}
