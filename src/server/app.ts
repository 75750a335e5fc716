import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify'
import { accountsRoom } from './accounts/accounts-room.ts'
import { unsubscribeUrl } from './accounts/notices/unsubscribe.ts'
import type { Hashing } from './accounts/passwords/hashing.ts'
import { findAccount, ownAccount } from './accounts/users-store.ts'
import { agentsRoom } from './agents/agents-room.ts'
import { analyticsRoom, forgetCodes } from './analytics/analytics-room.ts'
import { moveFigureMails, stopFigureMails } from './analytics/mails/figure-mails-store.ts'
import type { Capture } from './analytics/record/capture.ts'
import { endShares } from './analytics/share/shares-store.ts'
import { openScans } from './analytics/store/open-store.ts'
import { idFrom } from './analytics/store/scan-ids.ts'
import { EVER } from './analytics/store/scans-store.ts'
import { auditRoom, listEvents } from './audit.ts'
import { backupRoom } from './backup/backup-room.ts'
import { billingRoom } from './billing/billing-room.ts'
import type { StripeBounds } from './billing/stripe/stripe-client.ts'
import { entitlementsOf } from './billing/subscriptions-store.ts'
import { expiredNews } from './codes/announce-codes.ts'
import { applyPlan } from './codes/change-code.ts'
import { listSeries } from './codes/code-lists.ts'
import { codesRoom } from './codes/codes-room.ts'
import {
  codesByDomain,
  ownCode,
  ownedCodes,
  ownersOf,
  planUse,
  usedSlots,
  workingIds,
} from './codes/codes-store.ts'
import { leaveDomain } from './codes/paths-store.ts'
import { resolvePathBy, resolvePaths } from './codes/resolve-paths.ts'
import { findLogo } from './codes/styles/logos.ts'
import { clearDefault as clearDefaultStyle } from './codes/styles/styles-store.ts'
import { hasTag, tagsOf } from './codes/tags/tags-store.ts'
import type { CodesRoomDeps } from './codes/types.ts'
import { removeOldCopies } from './database/copy-aside.ts'
import type { WorkspaceId } from './database/ids.ts'
import { processBus } from './database/process-bus.ts'
import type { Db } from './database/schema.ts'
import { pausedWrites } from './database/service-marks.ts'
import { domainsRoom } from './domains/domains-room.ts'
import {
  clearDefault as clearDefaultDomain,
  domainOf,
  domainOfNew,
  domainsOf,
} from './domains/domains-store.ts'
import { heldInMemory } from './domains/held-domains.ts'
import { deletionParts } from './export-and-deletion.ts'
import { queues } from './http/limits/limits.ts'
import { AllowedMethods } from './http/policy/allowed-methods.ts'
import { requestsRoom } from './http/requests-room.ts'
import { createServer } from './http/server.ts'
import { JobRunner } from './jobs.ts'
import { liveDemo } from './live-demo.ts'
import { mailRoom, ownerMailer } from './mail/mail-room.ts'
import { contactsOf, ownerOf } from './memberships.ts'
import { notFound } from './pages/page-routes.ts'
import { pagesRoom } from './pages/pages-room.ts'
import type { PoolOptions } from './pictures/drawing-pool.ts'
import { picturesRoom } from './pictures/pictures-room.ts'
import type { PictureProcessLimits } from './pictures/uploads/picture-process.ts'
import { decide } from './redirects/decide.ts'
import { redirectsRoom } from './redirects/redirects-room.ts'
import type { Room, RoomDeps } from './room.ts'
import { forgetWebhooks } from './webhooks/events-store.ts'
import { type WebhooksRoomDeps, webhooksRoom } from './webhooks/webhooks-room.ts'

/** How long the first scan of a code with a limit waits for those before it to be counted: ClickHouse takes few batches. */
const COUNTED_WITHIN_MS = 2_000

export type AppDeps = Omit<RoomDeps, 'publicUrl' | 'db' | 'reads'> & {
  hashing: Hashing
  capture: Capture
  drawing?: Partial<PoolOptions>
  uploads?: Partial<PictureProcessLimits>
  stripe?: Partial<StripeBounds>
  /** In tests: how webhooks are sent */
  sending?: WebhooksRoomDeps['sending']
  /** In tests: how destinations are asked */
  asking?: CodesRoomDeps['asking']
  /** In tests: does a step of the packs without a thread */
  keepPacks?: Parameters<typeof openScans>[1]['keepPacks']
  /** Told of every route, for the test that asks each one as each kind of caller */
  onRoute?: ((route: RouteOptions) => void) | undefined
}

export type App = {
  server: FastifyInstance
  jobs: JobRunner
  /** Tells all processes that these names have a new target. */
  announce: (keys: string[]) => void
  /** Resolves when nothing that is due is left to send to webhooks. */
  webhooksIdle: () => Promise<void>
  /** Resolves when this process asks no destination. */
  healthIdle: () => Promise<void>
  /** Resolves when this process publishes no import. */
  importsIdle: () => Promise<void>
  /** Resolves when no event of the payment provider is being applied. */
  paymentsIdle: () => Promise<void>
}

/** The whole service as a value: every room, and what it gets from the others. `main.ts` and the tests run it. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, clock, log, secret, pages, hashing, capture } = deps
  const { publicUrl } = config
  const { db, reads } = database
  const base: RoomDeps = { config, publicUrl, secret, clock, log, database, db, reads, pages }
  const scans = openScans(database, deps)

  const areWritesPaused = pausedWrites(database.lookups)
  const requests = requestsRoom(base, areWritesPaused)
  const { inListTurn } = requests
  const bus = processBus({ database, log })
  const held = heldInMemory({ db: reads, log })
  const scansOf = (workspaceId: WorkspaceId, ids: string[]) =>
    capture.flush().then(() => scans.of(workspaceId).scansByCode(ids))
  const codePasswords = hashing.beside(queues.codePasswords)
  const redirects = redirectsRoom({
    ...base,
    verifyPassword: (sender, given) => codePasswords.verify(sender, given),
    bus,
    domains: held,
    recorder: capture,
    scansOf: async (id) => {
      if (!(await capture.flush(COUNTED_WITHIN_MS))) throw new Error('scans wait to be counted')
      const owner = (await ownersOf(db, [id])).get(id)
      return owner ? ((await scans.of(owner).scansByCode([id])).get(id)?.total ?? 0) : 0
    },
    resolvePaths,
    resolvePathBy,
    contactsOf,
  })
  const { announce } = redirects
  const server = createServer({ config, log, shortcut: redirects.shortcut })
  const methods = new AllowedMethods()
  server.addHook('onRoute', methods.add)
  if (deps.onRoute) server.addHook('onRoute', deps.onRoute)
  const inject = (request: InjectOptions) => server.inject(request)

  const audit = auditRoom({ db, clock })
  const { record, recordPlan } = audit
  const mail = mailRoom(base)
  const { mailer } = mail
  const { drawing, uploads: uploadLimits } = deps
  const pictures = picturesRoom({ ...base, drawing, uploadLimits, findLogo })
  const { drawings, uploads } = pictures
  const demo = liveDemo({ ...base, scans, announce, onScanned: (ids) => analytics.onScanned(ids) })

  const accounts = accountsRoom({
    ...base,
    hashing,
    record,
    mailer,
    uploads,
    demo,
    entitlementsOf,
    stopFigureMails,
    onZoneChanged: (tx, workspaceId, timeZone) =>
      moveFigureMails(tx, { workspaceId, timeZone }, clock()),
    endSharing: async (tx, workspaceId) => {
      await endShares(tx, workspaceId)
      await stopFigureMails(tx, workspaceId)
      await forgetWebhooks(tx, workspaceId)
      await clearDefaultStyle(tx, workspaceId)
      await clearDefaultDomain(tx, workspaceId)
      return (await domainsOf(tx, workspaceId)).map(({ host }) => host)
    },
    leaving: deletionParts({
      ...base,
      scans,
      inListTurn,
      announce,
      planOf: (id) => billing.planOf(id),
      stopRenewal: (id) => billing.stopRenewal(id),
      endPlan: (id) => billing.endPlan(id),
      takeOverPlan: (tx, id) => billing.takeOverPlan(tx, id),
      endFormer: () => billing.endFormer(),
      draw: (picture, asker) => drawings.picture(picture, asker),
    }),
  })
  const { requireUser, userOf } = accounts
  const contactOf = async (db: Db, id: WorkspaceId) => ownAccount(db, await ownerOf(db, id))
  const stores = { entitlementsOf, usedSlots, planUse, contactOf }
  const mailOwner = ownerMailer({ mailer, publicUrl, contactOf })
  const shared = { ...base, ...stores, requireUser, userOf, mailer, mailOwner, record, inListTurn }

  const webhooks = webhooksRoom({
    ...shared,
    sending: deps.sending,
    firstScanId: idFrom,
    scansAfter: scans.after,
    settledMs: scans.settledMs,
    ownedCodes: (ids) => ownedCodes(reads, ids),
    expiredCodes: (tx, asked) => expiredNews(tx, asked, publicUrl),
    isInPlan: async (tx, id) => (await entitlementsOf(tx, id)).tier === 'unlimited',
  })
  const codes = codesRoom({
    ...shared,
    hashPassword: (request, password) => codePasswords.hash(request, password),
    drawings,
    uploads,
    domainOf,
    domainOfNew,
    decide,
    areWritesPaused,
    asking: deps.asking,
    forgetScans: forgetCodes(scans),
    onCodeChanged: announce,
    publish: webhooks.publish,
    scansOf,
    visitorsOf: (workspaceId, ids) => scans.of(workspaceId).sumsByCode(ids, [EVER], 'firsts'),
  })

  const analytics = analyticsRoom({
    ...shared,
    bus,
    capture,
    scans,
    listSeries,
    ownCode,
    hasTag,
    tagsOf: (...asked) => tagsOf(reads, ...asked),
    ownersOf,
    onScanned: webhooks.onScanned,
    activeIds: (workspaceId) => workingIds(reads, workspaceId, clock()),
    workAgainSince: async (id) => {
      const events = ['code-resumed', 'code-restored'] as const
      const newestFirst = await listEvents(reads, { workspace_id: id }, events, 1_000)
      return new Map(newestFirst.reverse().map(({ subject, at }) => [subject ?? '', at]))
    },
    livingReaders: accounts.livingReaders,
    readerOf: async (id) => findAccount(db, { id: await ownerOf(db, id) }),
    unsubscribeUrl: (userId) => unsubscribeUrl({ publicUrl, secret }, { userId, kind: 'figures' }),
  })

  const billing = billingRoom({
    ...shared,
    stripe: deps.stripe,
    recordPlan,
    inject,
    announce,
    onPlanChanged: applyPlan,
    mailReceipts: accounts.mailReceipts,
    publishPlan: webhooks.publishPlan,
  })
  const domains = domainsRoom({ ...shared, bus, held, leaveDomain, codesByDomain })
  const agents = agentsRoom({ config, requireKey: accounts.requireKey, inject })

  const metrics = () => rooms.flatMap((room) => room.metrics?.() ?? [])
  const { hasRegions } = capture
  const { taxBehaviors } = billing
  const site = pagesRoom({ ...base, userOf, metrics, taxBehaviors, hasRegions })
  const asked = [billing, codes, analytics, accounts, webhooks, domains, agents, site]
  const backup = backupRoom(base)
  const upkeep: Room = {
    jobs: [removeOldCopies(database.location, clock)],
    metrics: () => codePasswords.turns.metrics('code_passwords', 'Passwords of codes'),
  }
  const quiet: Room[] = [audit, mail, redirects, pictures, requests, backup, upkeep]
  const rooms: Room[] = [...asked, ...quiet, demo ?? {}]

  await server.register(billing.publicRoutes)
  await server.register(domains.publicRoutes)
  await server.register(async (scope) => {
    await requests.applyPolicy(scope)
    scope.setNotFoundHandler(notFound(pages, methods))
    for (const { routes } of asked) if (routes) await scope.register(routes)
  })

  const jobs = new JobRunner({
    db,
    clock,
    log,
    jobs: rooms.flatMap((room) => room.jobs ?? []),
    areWritesPaused,
  })
  server.addHook('onReady', async () => {
    await held.refresh()
    bus.start()
  })
  server.addHook('preClose', async () => analytics.endStreams())
  server.addHook('onClose', async () => {
    // First the scans, which a job or a drawing that hangs must not cost.
    await capture.stop()
    await Promise.all([...rooms, jobs, bus].map((part) => part.stop?.()))
  })
  return {
    server,
    jobs,
    announce,
    webhooksIdle: webhooks.idle,
    healthIdle: codes.healthIdle,
    importsIdle: codes.idle,
    paymentsIdle: billing.idle,
  }
}
