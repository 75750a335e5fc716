import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import { accountsRoom } from './accounts/accounts-room.ts'
import { unsubscribeUrl } from './accounts/notices/unsubscribe-token.ts'
import { originOf } from './accounts/origin.ts'
import type { Hashing } from './accounts/passwords/hashing.ts'
import { contactOf, findAccount } from './accounts/users-store.ts'
import { agentsRoom } from './agents/agents-room.ts'
import { analyticsRoom, forgetCodes } from './analytics/analytics-room.ts'
import {
  findFigureMails,
  moveFigureMails,
  stopFigureMails,
} from './analytics/mails/figure-mails-store.ts'
import {
  scansByCode,
  totalsByCode,
  totalsByDay,
  visitorsByCode,
} from './analytics/query/reports-store.ts'
import type { Capture } from './analytics/record/capture.ts'
import { idFrom } from './analytics/store/ledger/scan-ids.ts'
import { scansAfter } from './analytics/store/ledger/scans-after.ts'
import { forgetAccount } from './analytics/store/upkeep/forgotten-packs.ts'
import { auditRoom } from './audit/audit-room.ts'
import { billingRoom } from './billing/billing-room.ts'
import { planNotices } from './billing/plan-notices.ts'
import type { StripeBounds } from './billing/stripe/stripe-client.ts'
import { entitlementsOf } from './billing/subscriptions-store.ts'
import type { Clock } from './clock.ts'
import { applyPlan } from './codes/change-code.ts'
import { codesRoom } from './codes/codes-room.ts'
import {
  endingCodes,
  lockAccount,
  ownCode,
  ownedCodes,
  ownersOf,
  planUse,
  usedSlots,
} from './codes/codes-store.ts'
import {
  exportedBin,
  exportedCodes,
  exportedImports,
  exportedLogoFile,
  exportedLogos,
  exportedStyles,
  exportedTags,
} from './codes/export-codes.ts'
import { listSeries } from './codes/lists/code-lists.ts'
import { resolvePathBy, resolvePaths } from './codes/paths-store.ts'
import { expiredNews } from './codes/presenter.ts'
import { findLogo } from './codes/styles/logos-store.ts'
import { purgeCodes } from './codes/sweeps.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { ProcessBus } from './database/process-bus.ts'
import { demoEmail } from './demo/demo-room.ts'
import { descriptionRoutes } from './description/description-routes.ts'
import { sweepAnswers } from './http/idempotency-record.ts'
import { sweepCounts } from './http/limits/counts-store.ts'
import { queues } from './http/limits/limits.ts'
import { databaseProbe, operationsRoutes } from './http/operations.ts'
import { addressFinder } from './http/policy/client-address.ts'
import { applyCommonHeaders, applySitePolicy, commonHeaders } from './http/policy/site-policy.ts'
import { FairQueue } from './http/queue/fair-queue.ts'
import { queueByAccount } from './http/queue/request-queue.ts'
import { createServer } from './http/server.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { liveDemo } from './live-demo.ts'
import { mailRoom } from './mail/mail-room.ts'
import { notFound, pageRoutes } from './pages/page-routes.ts'
import type { Pages } from './pages/pages.ts'
import { sitePageRoutes } from './pages/site-page-routes.ts'
import { DrawingPool, type PoolOptions } from './pictures/drawing-pool.ts'
import { Drawings } from './pictures/drawings.ts'
import type { PictureProcessLimits } from './pictures/uploads/picture-process.ts'
import { UploadedPictures } from './pictures/uploads/uploaded-pictures.ts'
import { redirectsRoom } from './redirects/redirects-room.ts'
import { forgetWebhooks } from './webhooks/events-store.ts'
import { type WebhooksRoomDeps, webhooksRoom } from './webhooks/webhooks-room.ts'

export type AppDeps = {
  config: Config
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  /** Signs cookies. */
  secret: string
  hashing: Hashing
  capture: Capture
  pages: Pages
  drawing?: Partial<PoolOptions>
  uploads?: Partial<PictureProcessLimits>
  stripe?: Partial<StripeBounds>
  /** In tests: how webhooks are sent */
  sending?: WebhooksRoomDeps['sending']
  /** Told of every route, for the test that asks each one as everybody */
  onRoute?: ((route: RouteOptions) => void) | undefined
}

export type App = {
  server: FastifyInstance
  jobs: JobRunner
  /** Tells all processes that these names have a new target. */
  announce: (keys: string[]) => void
  /** Resolves when nothing that is due is left to send to webhooks. */
  webhooksIdle: () => Promise<void>
  /** Resolves when this process publishes no import. */
  importsIdle: () => Promise<void>
}

/** The whole service as a value: every room, and what it gets from the others. `main.ts` and the tests run it. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, clock, log, secret, hashing, capture, pages, stripe } = deps
  const { publicUrl } = config
  const { db, reads, lookups, quick } = database
  const headers = commonHeaders(config)
  const queue = { site: new FairQueue(queues.site), lists: new FairQueue(queues.lists) }
  const inListTurn = queueByAccount(queue.lists)

  const line = new ProcessBus({ database, log })
  const redirects = redirectsRoom({
    database,
    line,
    clock,
    log,
    headers,
    record: (codeId, visit, answer) => capture.record(codeId, visit, answer),
    resolvePaths,
    resolvePathBy,
    addressOf: addressFinder(config.trustProxy),
  })
  const server = createServer({ config, log, shortcut: redirects.shortcut })
  if (deps.onRoute) server.addHook('onRoute', deps.onRoute)
  const { announce } = redirects
  const audit = auditRoom({ db, clock, originOf })
  const mail = mailRoom({ db, clock, log, config })
  const pool = new DrawingPool(deps.drawing)
  const uploads = new UploadedPictures(log, deps.uploads)
  const drawings = new Drawings(pool, (id) => findLogo(reads, id))
  const email = config.demo === 'on' ? demoEmail(secret) : undefined
  const onScanned = (ids: Iterable<string>) => analytics.onScanned(ids)
  const demo = email
    ? liveDemo({ database, clock, publicUrl, email, announce, onScanned })
    : undefined
  const accounts = accountsRoom({
    demo,
    ...{ db, clock, log, config, secret, hashing, pages, entitlementsOf },
    ...{ mailer: mail.mailer, uploads },
    onZoneChanged: (tx, userId, timeZone) => moveFigureMails(tx, { userId, timeZone }, clock()),
    stopFigureMails,
    leaving: {
      belongings: {
        codeCount: (userId) => usedSlots(db, userId),
        codesAfter: (userId, last) => exportedCodes(reads, { userId, publicUrl, last: last?.code }),
        binned: (userId) => exportedBin(reads, userId, publicUrl),
        tagsOf: (userId) => exportedTags(reads, userId),
        stylesOf: (userId) => exportedStyles(reads, userId),
        importsOf: (userId) => exportedImports(reads, userId),
        logosOf: (userId) => exportedLogos(reads, userId),
        logoFile: (id) => exportedLogoFile(reads, id),
        scansOf: (ids) => totalsByCode(reads, ids),
        scansByDay: (id) => totalsByDay(reads, id),
        planOf: (userId) => billing.planOf(userId),
        figureMailsOf: async (userId) => (await findFigureMails(reads, userId))?.every ?? 'off',
        draw: (picture, asker) => drawings.picture(picture, asker),
        inListTurn,
      },
      stopRenewal: (userId) => billing.stopRenewal(userId),
      endPlan: (userId) => billing.endPlan(userId),
      purgeCodes: async (userId) => {
        await purgeCodes({ db, forgetScans: forgetCodes, onCodeChanged: announce }, userId)
        await forgetAccount(database, userId)
        await stopFigureMails(db, userId)
        await forgetWebhooks(db, userId)
      },
      endingCodes: (part) => endingCodes(reads, part),
      planNotices: (part) => planNotices(reads, part),
    },
  })
  const { requireUser, userOf } = accounts
  const webhooks = webhooksRoom({
    ...{ db, clock, log, secret, publicUrl, requireUser, lockAccount, contactOf },
    ...{ mailer: mail.mailer, recordFor: audit.recordFor, firstScanId: idFrom },
    ...{ allow: config.webhookAllow, sending: deps.sending },
    scansAfter: (part) => scansAfter(reads, part),
    ownedCodes: (ids) => ownedCodes(reads, ids),
    expiredCodes: (tx, asked) => expiredNews(tx, asked, publicUrl),
    isInPlan: async (tx, userId) => (await entitlementsOf(tx, userId)).tier === 'unlimited',
  })
  /** After a commit: the redirects hear of it, and what webhooks are told goes out. */
  const onChanged = (keys: string[]) => {
    announce(keys)
    webhooks.soon()
  }
  const codes = codesRoom({
    ...{ db, clock, log, publicUrl, requireUser, entitlementsOf, forgetScans: forgetCodes },
    ...{ drawings, uploads, onCodeChanged: onChanged, publish: webhooks.publish, inListTurn },
    ...{ recordFor: audit.recordFor, recordLater: audit.recordLater, originOf },
    scansOf: async (ids) => {
      await capture.flush()
      return scansByCode(reads, ids)
    },
    visitorsOf: (ids) => visitorsByCode(reads, ids),
  })
  const analytics = analyticsRoom({
    ...{ database, clock, log, line, capture, publicUrl, requireUser, inListTurn },
    onScanned: webhooks.onScanned,
    ...{ listSeries, ownCode, ownersOf, livingSessions: accounts.livingSessions },
    retentionMonths: config.scanRetention,
    mails: {
      ...{ mailer: mail.mailer, publicUrl, recordFor: audit.recordFor },
      unsubscribeUrl: (userId) =>
        unsubscribeUrl({ publicUrl, secret }, { userId, kind: 'figures' }),
      readerOf: (userId) => findAccount(db, { id: userId }),
      isPaid: async (tx, userId) => (await entitlementsOf(tx, userId)).tier !== 'free',
    },
    sharing: {
      ...{ secret, lockAccount, entitlementsOf, recordFor: audit.recordFor },
      page: () => pages.html.share,
    },
  })
  const billing = billingRoom({
    ...{ db, clock, log, config, publicUrl, stripe, pages, requireUser, userOf },
    ...{ announce: onChanged, usedSlots, planUse, contactOf, onPlanChanged: applyPlan },
    ...{ recordPlan: audit.recordPlan, publishPlan: webhooks.publishPlan },
    inject: (request) => server.inject(request),
  })
  const agents = agentsRoom({
    ...{ config, requireKey: accounts.requireKey },
    inject: (request) => server.inject(request),
  })
  const metrics = () => [
    ...analytics.metrics(),
    ...codes.metrics(),
    ...pool.metrics(),
    ...uploads.metrics(),
    ...accounts.metrics(),
    ...mail.metrics(),
    ...webhooks.metrics(),
    ...queue.site.metrics('site', 'Requests'),
    ...queue.lists.metrics('lists', 'Lists and reports'),
    ...redirects.metrics(),
  ]

  // The redirect comes first and alone: no hook of the site ever runs before it.
  await server.register(redirects.routes)
  await server.register(async (scope) => {
    applyCommonHeaders(scope, headers)
    await scope.register(billing.webhook)
  })
  await server.register(async (site) => {
    applyCommonHeaders(site, headers)
    await applySitePolicy(site, { config, scripts: pages.scriptHashes, turns: queue.site })
    site.setNotFoundHandler(notFound(pages))
    await site.register(accounts.routes)
    await site.register(codes.routes)
    await site.register(analytics.routes)
    await site.register(billing.routes)
    await site.register(webhooks.routes)
    await site.register(agents.routes)
    const hasDatabase = databaseProbe({ lookups, quick })
    await site.register(operationsRoutes, { hasDatabase, config, metrics })
    await site.register(sitePageRoutes, { hasDatabase, config, metrics })
    const description = { publicUrl, page: pages.html.docs, file: pages.apiDocument }
    await site.register(descriptionRoutes, description)
    await site.register(pageRoutes, { pages, publicUrl, userOf })
  })

  const rooms = [
    billing,
    codes,
    analytics,
    accounts,
    audit,
    mail,
    webhooks,
    ...(demo ? [demo] : []),
  ]
  const jobs = new JobRunner({
    db,
    clock,
    log,
    jobs: [
      ...rooms.flatMap((room) => room.jobs),
      sweepCounts({ db, clock }),
      sweepAnswers({ db, clock }),
    ],
  })
  server.addHook('onReady', async () => line.start())
  server.addHook('preClose', async () => analytics.endStreams())
  server.addHook('onClose', async () => {
    // First the scans, which a job or a drawing that hangs must not cost.
    await capture.stop()
    const parts = [analytics, codes, pool, uploads, accounts, webhooks, mail, jobs, line]
    await Promise.all(parts.map((part) => part.stop()))
  })
  return {
    ...{ server, jobs, announce },
    webhooksIdle: () => webhooks.idle(),
    importsIdle: () => codes.idle(),
  }
}
