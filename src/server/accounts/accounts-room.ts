import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { User } from '#contract/accounts.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { Db, Tx } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import type { Job } from '../jobs.ts'
import type { Mailer } from '../mail/mail-room.ts'
import type { UploadedPictures } from '../pictures/uploads/uploaded-pictures.ts'
import type { RoomDeps } from '../room.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { deletionRoutes } from './deletion/deletion-routes.ts'
import { deleteAccounts, type PurgeDeps } from './deletion/purge.ts'
import { type DemoAccount, DemoSession, demoRoutes } from './demo/demo-session.ts'
import { type ExportSources, exportRoutes } from './export/export-routes.ts'
import { KeyCalls } from './keys/key-calls.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { type NoticesDeps, sendNotices } from './notices/notices.ts'
import { unsubscribeRoutes } from './notices/unsubscribe-routes.ts'
import type { Hashing } from './passwords/hashing.ts'
import { emailChangeRoutes } from './recovery/email-change-routes.ts'
import { sweepChanges } from './recovery/email-change-store.ts'
import { sweepLinks } from './recovery/mailed-links.ts'
import { mailProof } from './recovery/proof.ts'
import { proofRoutes, recoveryRoutes } from './recovery/recovery-routes.ts'
import { requireKey, requireUser } from './sessions/require-user.ts'
import { Sessions } from './sessions/sessions.ts'
import { sessionsRoutes } from './sessions/sessions-routes.ts'
import { livingSessions, sweepSessions } from './sessions/sessions-store.ts'
import { proofOfOwner } from './settings/proof-of-owner.ts'
import { settingsRoutes } from './settings/settings-routes.ts'
import { userPictureRoutes } from './settings/user-picture-routes.ts'
import { saveUserPicture } from './settings/user-pictures-store.ts'
import { sweepChallenges } from './sign-in/passkeys/passkey-challenge.ts'
import { passkeyRoutes } from './sign-in/passkeys/passkey-routes.ts'
import { Provider } from './sign-in/provider/provider.ts'
import { providerRoutes } from './sign-in/provider/provider-routes.ts'
import { leaveProvider, pictureTaker } from './sign-in/provider/provider-sign-in.ts'
import { secondFactorRoutes } from './sign-in/second-factor/second-factor-routes.ts'
import { SignIn } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { sweepSignIns } from './sign-in/sign-ins-store.ts'
import { signUpRoutes } from './sign-in/sign-up-routes.ts'
import { type AccountRow, findAccount, pictureUrlOf } from './users-store.ts'

export type AccountsRoomDeps = RoomDeps & {
  hashing: Hashing
  mailer: Mailer
  uploads: UploadedPictures
  entitlementsOf: EntitlementsOf
  /** Tells that an account's clocks show another time from now on. */
  onZoneChanged: (tx: Tx, userId: string, timeZone: string) => Promise<void>
  /** Switches the mails of an account's figures off; false where they were. */
  stopFigureMails: (tx: Tx, userId: string) => Promise<boolean>
  /** Ends an account's webhooks, share links and mailed reports. */
  endSharing: (tx: Tx, userId: string) => Promise<void>
  /** The live demo's account; undefined without one */
  demo: DemoAccount | undefined
  /** What the other rooms hold of an account, tell of it, and do when it ends. */
  leaving: LeavingDeps
}

type LeavingDeps = Pick<PurgeDeps, 'stopRenewal' | 'endPlan' | 'purgeCodes'> &
  Pick<NoticesDeps, 'endingCodes' | 'planNotices'> & { exportSources: ExportSources }

/** Accounts and sessions: their routes and jobs, and for the other rooms who is signed in. */
export function accountsRoom(deps: AccountsRoomDeps) {
  const { db, clock, config, pages, hashing } = deps
  const cookies = { publicUrl: config.publicUrl, secret: deps.secret }

  const sessions = new Sessions({ db, cookies })
  const demo = new DemoSession({ db, clock, cookies, demo: deps.demo })
  const demoOf = (userId: string) =>
    config.demo === 'data' ? 'local' : demo.isDemo(userId) ? 'live' : undefined

  async function presentUser(userId: string): Promise<User> {
    const [account, { tier }] = await Promise.all([
      findAccount(db, { id: userId }),
      deps.entitlementsOf(db, userId),
    ])
    if (!account) throw new AppError('unauthorized')
    const { id, email, firstName, lastName, emailVerified, timeZone } = account
    return {
      ...{ id, email, firstName, lastName, emailVerified, timeZone },
      profileImageUrl: await pictureUrlOf(db, userId),
      subscriptionTier: tier,
      deletionAt: account.deletionAt === null ? null : new Date(account.deletionAt).toISOString(),
      ...(demoOf(userId) && { demo: demoOf(userId) }),
    }
  }

  const later = new BackgroundTasks(deps.log)

  const shared = {
    ...deps,
    sessions,
    cookies,
    presentUser,
    later,
    mailProof: (account: AccountRow) => mailProof(deps, account),
    demo,
    requireUser: requireUser(sessions, demo, new KeyCalls({ ...deps, later })),
    demandOwner: proofOfOwner(deps),
    /** Draws somebody's file again and keeps it as their picture. @throws as UploadedPictures.portrait */
    storePicture: async (db: Db, userId: string, bytes: Uint8Array) =>
      saveUserPicture(db, userId, await deps.uploads.portrait(userId, bytes)),
  }
  const signIns = new SignIn(shared)
  const provider = config.provider && new Provider(config.provider, config.publicUrl, clock)
  const routesDeps = {
    ...{ ...shared, signIns, signInPage: () => pages.html['sign-in'] },
    leaveProvider: leaveProvider({ db, cookies, provider }),
    takePicture: pictureTaker(shared),
  }

  const leaving = { ...shared, ...deps.leaving }

  const jobs: Job[] = [
    deleteAccounts(leaving),
    sendNotices(leaving),
    { name: 'sweep-sessions', everyMs: HOUR_MS, run: () => sweepSessions(db) },
    { name: 'sweep-sign-ins', everyMs: HOUR_MS, run: () => sweepSignIns(db, clock()) },
    { name: 'sweep-links', everyMs: HOUR_MS, run: () => sweepLinks(db, clock()) },
    { name: 'sweep-challenges', everyMs: HOUR_MS, run: () => sweepChallenges(db, clock()) },
    { name: 'sweep-email-changes', everyMs: HOUR_MS, run: () => sweepChanges(db, clock()) },
  ]
  return {
    routes: async (site: FastifyInstance) => {
      await site.register(signInRoutes, routesDeps)
      await site.register(settingsRoutes, shared)
      await site.register(sessionsRoutes, shared)
      await site.register(keyRoutes, shared)
      await site.register(signUpRoutes, routesDeps)
      await site.register(recoveryRoutes, routesDeps)
      await site.register(proofRoutes, routesDeps)
      await site.register(emailChangeRoutes, routesDeps)
      await site.register(userPictureRoutes, shared)
      await site.register(secondFactorRoutes, routesDeps)
      await site.register(passkeyRoutes, routesDeps)
      await site.register(exportRoutes, leaving)
      await site.register(deletionRoutes, leaving)
      await site.register(unsubscribeRoutes, shared)
      if (deps.demo) await site.register(demoRoutes, shared)
      if (provider) await site.register(providerRoutes, { ...routesDeps, provider })
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
    userOf: async (request: FastifyRequest, reply: FastifyReply) =>
      (await sessions.current(request, reply))?.userId ?? (await demo.of(request)),
  }
}
