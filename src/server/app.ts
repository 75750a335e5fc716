import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { PublicConfig } from '#contract/accounts.ts'
import { type Auth, trustedOrigins } from './accounts/auth.ts'
import { accountRoutes } from './accounts/routes.ts'
import { currentUser, requireUser } from './accounts/session.ts'
import { sweepSessions } from './accounts/session-sweep.ts'
import { sweepFailures } from './accounts/sign-in-failures.ts'
import { contactOf } from './accounts/users-store.ts'
import type { Capture } from './analytics/capture/capture.ts'
import { deleteForgottenScans, forgetScans } from './analytics/ledger/forgotten-codes.ts'
import { analyticsRoutes } from './analytics/reports/routes.ts'
import { Checkouts } from './billing/checkout.ts'
import { chooseProvider } from './billing/choose-provider.ts'
import type { PaymentProvider } from './billing/provider.ts'
import { reconciliation } from './billing/reconcile.ts'
import { refresh } from './billing/refresh.ts'
import { billingRoutes } from './billing/routes.ts'
import { createSandbox } from './billing/sandbox/sandbox.ts'
import { sandboxRoutes } from './billing/sandbox/sandbox-routes.ts'
import type { StripeBounds } from './billing/stripe/stripe-client.ts'
import { entitlementsOf } from './billing/subscriptions-store.ts'
import { WEBHOOK_PATH, webhookRoutes } from './billing/webhook-routes.ts'
import type { Clock } from './clock.ts'
import { findCode, listSeries, resolvePath } from './codes/codes-store.ts'
import { applyPlan } from './codes/lifecycle.ts'
import { planUse } from './codes/plan-use.ts'
import { codeRoutes } from './codes/routes.ts'
import { codeSweeps } from './codes/sweeps.ts'
import { usedPlaces } from './codes/usage-store.ts'
import { Verdicts } from './codes/verdicts.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { endWhenAnswered } from './http/closing.ts'
import { AppError, answerError } from './http/errors.ts'
import { httpOptions } from './http/http-options.ts'
import { operationsRoutes } from './http/operations.ts'
import { sameOriginOnly } from './http/same-origin.ts'
import { refuseNul } from './http/storable.ts'
import { type Job, JobRunner } from './jobs/job-runner.ts'
import { notFound, pageRoutes } from './pages/page-routes.ts'
import type { Pages } from './pages/pages.ts'
import { searchRoutes } from './pages/search-routes.ts'
import { drawingMetrics } from './pictures/drawing-metrics.ts'
import { DrawingPool, type PoolOptions } from './pictures/drawing-pool.ts'
import { Drawings } from './pictures/drawings.ts'
import { Notices } from './redirects/notices.ts'
import { redirectRoutes } from './redirects/routes.ts'
import { Targets } from './redirects/targets.ts'
import { unknownCodePage } from './redirects/visitor-pages.ts'

export type AppDeps = {
  config: Config
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  auth: Auth
  capture: Capture
  pages: Pages
  /** Other bounds than the usual ones */
  drawing?: Partial<PoolOptions>
  stripe?: Partial<StripeBounds>
}

export type App = {
  server: FastifyInstance
  jobs: JobRunner
  /** Tells all processes that these names lead elsewhere now. */
  announce: (keys: string[]) => void
}

const HOUR_MS = 60 * 60 * 1000

/** The whole service as a value: every room, wired by hand. `main.ts` and the tests run it. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, database, clock, log, auth, capture, pages } = deps
  const { db, reads } = database

  const targets = new Targets((key) => resolvePath(db, key))
  const notices = new Notices({ database, targets, log })
  const pool = new DrawingPool(deps.drawing)
  const drawings = new Drawings(pool)
  const verdicts = new Verdicts({
    ...{ db, log, publicUrl: config.publicUrl },
    checkLook: (look) => drawings.checkLook(look),
  })
  const announce = (keys: string[]) => notices.announce(keys)
  const sandbox = config.billing === 'sandbox' ? newSandbox() : undefined
  const provider = chooseProvider({ config, clock, log, stripe: deps.stripe, sandbox })
  const payments = provider && paymentsOf(provider)

  const server = fastify({ ...httpOptions(config, unknownCodePage), loggerInstance: log })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(answerError)
  // JSON is all that the API takes; Fastify would take plain text too.
  server.removeContentTypeParser('text/plain')
  server.decorateRequest('userId', '')

  // The redirect comes first and alone: no hook of the rooms below ever runs before it.
  await server.register(async (scope) => {
    // No child logger for each scan; what is logged here names the request itself.
    scope.setChildLoggerFactory((logger) => logger)
    await redirectRoutes(scope, {
      targets,
      clock,
      record: (codeId, visit, answer) => capture.record(codeId, visit, answer),
    })
  })

  if (provider && payments) {
    // Its requests come from the provider's servers: they carry a signature, and no origin.
    await server.register(webhookRoutes, { db, provider, refresh: payments.refresh })
  }

  await server.register(async (scope) => {
    await scope.register(helmet, securityHeaders(config, pages))
    await scope.register(rateLimit, { global: false })
    scope.addHook('onRequest', sameOriginOnly(trustedOrigins(config.publicUrl)))
    scope.addHook('preHandler', refuseNul)
    scope.addHook('onResponse', async (request, reply) => {
      const { method, url } = request
      const ms = Math.round(reply.elapsedTime)
      request.log.info({ method, url, status: reply.statusCode, ms }, 'request')
    })
    scope.setNotFoundHandler(notFound(pages))

    const signedIn = requireUser(auth)
    await scope.register(accountRoutes, {
      auth,
      db,
      clock,
      publicUrl: config.publicUrl,
      tierOf: async (userId) => (await entitlementsOf(db, userId)).tier,
      signInPage: () => pages.html['sign-in'],
    })
    await scope.register(codeRoutes, {
      db,
      clock,
      publicUrl: config.publicUrl,
      requireUser: signedIn,
      entitlementsOf,
      onCodeChanged: announce,
      onUnchecked: (id) => verdicts.checkSoon(id),
      drawings,
    })
    await scope.register(analyticsRoutes, {
      reads,
      clock,
      requireUser: signedIn,
      seriesOf: (userId) => listSeries(reads, userId),
      ownCode: async (userId, id) => {
        const code = await findCode(reads, userId, id)
        if (!code) throw new AppError('code_not_found')
        return code
      },
    })
    await scope.register(billingRoutes, {
      ...{ db, publicUrl: config.publicUrl, requireUser: signedIn, payments, usedPlaces, planUse },
      payer: async (userId) => ({ userId, ...(await contactOf(db, userId)) }),
    })
    if (sandbox) {
      await scope.register(sandboxRoutes, {
        sandbox: sandbox.deps,
        requireUser: signedIn,
        userOf: async (request, reply) => (await currentUser(auth, request, reply))?.id,
        page: () => pages.html.sandbox,
      })
    }
    scope.get('/api/config', async () => publicConfig(config))
    await scope.register(operationsRoutes, {
      db,
      metricsToken: config.metricsToken,
      metrics: () => [...capture.metrics(), ...drawingMetrics(pool)],
    })
    await scope.register(searchRoutes, { publicUrl: config.publicUrl })
    await scope.register(pageRoutes, {
      pages,
      isSignedIn: async (request, reply) => (await currentUser(auth, request, reply)) !== null,
    })
  })

  const jobs = new JobRunner({ db, clock, log, jobs: jobList() })
  server.addHook('preClose', async () => endWhenAnswered(server))
  server.addHook('onReady', async () => notices.start())
  server.addHook('onClose', async () => {
    // First the scans: a job or a drawing that hangs must not cost one.
    await capture.stop()
    await Promise.all([verdicts.stop(), pool.stop(), jobs.stop(), notices.stop()])
  })
  return { server, jobs, announce }

  /** Its events come to our own webhook, through the same door as Stripe's. */
  function newSandbox() {
    const deliver = async (payload: string, signature: string) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const answer = await server.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload })
      return answer.statusCode === 200
    }
    return createSandbox({ db, clock, log, publicUrl: config.publicUrl, deliver })
  }

  function paymentsOf(provider: PaymentProvider) {
    const deps = { db, clock, log, provider, announce, onPlanChanged: applyPlan }
    const { publicUrl, checkout } = config
    return {
      provider,
      checkouts: new Checkouts({
        ...{ db, clock, publicUrl, provider, embedded: checkout === 'embedded' },
      }),
      refresh: (userId: string, eventId?: string) => refresh(deps, userId, eventId),
    }
  }

  function jobList(): Job[] {
    return [
      ...(payments
        ? reconciliation({
            ...{ db, clock, log, refresh: payments.refresh },
            providerName: payments.provider.name,
          })
        : []),
      ...(sandbox?.jobs ?? []),
      ...codeSweeps({ db, clock, forgetScans }),
      verdicts.sweep(),
      deleteForgottenScans({ db, clock }),
      capture.salts.sweep(),
      { name: 'sweep-sessions', everyMs: HOUR_MS, run: () => sweepSessions(auth) },
      { name: 'sweep-sign-ins', everyMs: HOUR_MS, run: () => sweepFailures(db, clock()) },
    ]
  }
}

function publicConfig(config: Config): PublicConfig {
  return {
    hostUrl: config.publicUrl,
    billing: config.billing,
    checkout: config.checkout,
    publishableKey: config.stripe?.publishableKey ?? null,
    supportEmail: config.supportEmail ?? null,
    privacyUrl: config.privacyUrl ?? null,
    termsUrl: config.termsUrl ?? null,
    signUp: config.signUp,
  }
}

function securityHeaders(config: Config, pages: Pages) {
  const isHttps = config.publicUrl.startsWith('https:')
  const stripe = stripeSources(config)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...pages.scriptHashes, ...stripe.scripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        ...stripe.directives,
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    frameguard: { action: 'deny' as const },
  }
}

type StripeSources = { scripts: string[]; directives: Record<string, string[]> }

/** Stripe's own hosts, where its form stands in a page of ours: https://docs.stripe.com/security/guide#content-security-policy */
function stripeSources({ billing, checkout }: Config): StripeSources {
  if (billing !== 'stripe' || checkout !== 'embedded') return { scripts: [], directives: {} }
  const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
  return {
    scripts,
    directives: {
      frameSrc: [...scripts, 'https://hooks.stripe.com'],
      connectSrc: ["'self'", 'https://api.stripe.com'],
    },
  }
}
