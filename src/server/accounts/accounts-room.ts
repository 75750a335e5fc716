import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#contract/accounts.ts'
import { HOUR_MS } from '#contract/time.ts'
import { type PersonId, workspaceOf } from '../database/ids.ts'
import { AppError } from '../http/errors.ts'
import type { Job } from '../jobs.ts'
import type { RoomDeps } from '../room.ts'
import type { AccountDeps, OtherRooms } from './account-deps.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { sweepApps } from './connected-apps/app-sweep.ts'
import { lateServer } from './connected-apps/authorization-server.ts'
import { connectRoutes } from './connected-apps/connect-routes.ts'
import { oauthRoutes } from './connected-apps/oauth-routes.ts'
import { deletionRoutes } from './deletion/deletion.ts'
import { deleteAccounts, type PurgeDeps } from './deletion/purge.ts'
import type { ExportSources } from './export/export-files.ts'
import { exportRoutes } from './export/export-routes.ts'
import { KeyCalls } from './keys/key-calls.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { mailProof } from './mailed-links/address-proof.ts'
import { emailChangeRoutes } from './mailed-links/email-change-routes.ts'
import { sweepChanges } from './mailed-links/email-change-store.ts'
import { sweepLinks } from './mailed-links/mailed-links.ts'
import { recoveryRoutes } from './mailed-links/recovery-routes.ts'
import { type NoticesDeps, sendNotices } from './notices/notices.ts'
import { receiptMails } from './notices/receipts.ts'
import { unsubscribeRoutes } from './notices/unsubscribe.ts'
import { type DemoAccount, DemoSession, demoRoutes } from './sessions/demo-session.ts'
import { requireKey, requireUser } from './sessions/require-user.ts'
import { Sessions } from './sessions/sessions.ts'
import { sessionsRoutes } from './sessions/sessions-routes.ts'
import { livingSessions, sweepSessions } from './sessions/sessions-store.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { userPictureRoutes } from './settings/user-picture-routes.ts'
import { sweepChallenges } from './sign-in/passkeys/passkey-challenge.ts'
import { passkeyRoutes } from './sign-in/passkeys/passkey-routes.ts'
import { proofOfOwner } from './sign-in/password-check.ts'
import { Provider } from './sign-in/provider/provider.ts'
import { providerRoutes } from './sign-in/provider/provider-routes.ts'
import { secondFactorRoutes } from './sign-in/second-factor/second-factor-routes.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { sweepSignIns } from './sign-in/sign-ins-store.ts'
import { signUpRoutes } from './sign-in/sign-up-routes.ts'
import { findAccount, pictureUrlOf } from './users-store.ts'

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
  const demo = new DemoSession(deps)
  const demoOf = (userId: PersonId) =>
    config.demo === 'data' ? 'local' : demo.isDemo(userId) ? 'live' : undefined

  async function presentUser(userId: PersonId): Promise<User> {
    const [account, { tier }] = await Promise.all([
      findAccount(db, { id: userId }),
      deps.entitlementsOf(db, workspaceOf(userId)),
    ])
    if (!account) throw new AppError('unauthorized')
    const { id, email, firstName, lastName, emailVerified, timeZone } = account
    return {
      id,
      email,
      firstName,
      lastName,
      emailVerified,
      timeZone,
      profileImageUrl: await pictureUrlOf(db, userId),
      subscriptionTier: tier,
      deletionAt: account.deletionAt === null ? null : new Date(account.deletionAt).toISOString(),
      ...(demoOf(userId) && { demo: demoOf(userId) }),
    }
  }

  const later = new BackgroundTasks(deps.log)
  const shared: AccountDeps = {
    ...deps,
    sessions,
    demo,
    later,
    presentUser,
    mailProof: (account) => mailProof(deps, account),
    requireUser: requireUser(sessions, demo, new KeyCalls({ ...deps, later })),
    demandOwner: proofOfOwner(deps, { takesLater: false }),
    demandRecentProof: proofOfOwner(deps, { takesLater: true }),
  }
  const provider = config.provider && new Provider(config.provider, deps)
  const signInDeps = { ...shared, provider, signIns: new SignIn(shared) }
  const leaving = { ...shared, ...deps.leaving }
  const connecting = { ...shared, server: lateServer(deps) }

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
      await site.register(settingsRoutes, shared)
      await site.register(sessionsRoutes, shared)
      await site.register(keyRoutes, shared)
      await site.register(connectRoutes, connecting)
      await site.register(oauthRoutes, connecting)
      await site.register(signUpRoutes, signInDeps)
      await site.register(recoveryRoutes, signInDeps)
      await site.register(emailChangeRoutes, signInDeps)
      await site.register(userPictureRoutes, shared)
      await site.register(secondFactorRoutes, signInDeps)
      await site.register(passkeyRoutes, signInDeps)
      await site.register(exportRoutes, leaving)
      await site.register(deletionRoutes, leaving)
      await site.register(unsubscribeRoutes, shared)
      if (deps.demo) await site.register(demoRoutes, shared)
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
      (await sessions.current(request, reply))?.userId ?? (await demo.of(request)),
  }
}
