import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { signedOut, signIn, signInAnswer, user } from '#contract/accounts.ts'
import { safeReturnTo } from '#contract/return-to.ts'
import { z } from '#contract/zod.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { isFromOtherSite } from '../../http/policy/origin-check.ts'
import type { DemoSession } from '../demo/demo-session.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { findAccount } from '../users-store.ts'
import { demandPassword } from './password-check.ts'
import type { SignIn, SignInDeps } from './sign-in.ts'

export type SignInRoutesDeps = SignInDeps & {
  config: Pick<Config, 'publicUrl' | 'passwordLogin'>
  hashing: Hashing
  signIns: SignIn
  /** Where a session that began at the provider ends there too; undefined for any other. */
  leaveProvider: (request: FastifyRequest) => Promise<string | undefined>
  demo: DemoSession
  /** The sign-in page's HTML. */
  signInPage: () => string
}

/** The contract's signUp accepts no longer address, so a longer one is not looked up. */
const EMAIL_MAX = 254

/** Signing in and out with a password; the pages for it; and who is signed in. */
export async function signInRoutes(plain: FastifyInstance, deps: SignInRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { sessions, db, clock, config, signIns, demo } = deps
  const countVisit = () => ({ onRequest: rateLimit(memoryLimits.visits, clientAddress) })

  function refuseWithoutPasswords() {
    if (!config.passwordLogin) throw new AppError('not_found')
  }

  app.post(
    '/api/auth/sign-in/email',
    { config: { origin: 'public' }, schema: { body: signIn, response: { 200: signInAnswer } } },
    async (request, reply) => {
      refuseWithoutPasswords()
      const email = request.body.email.toLowerCase()
      if (email.length > EMAIL_MAX) throw new AppError('invalid_credentials')
      await count(db, 'sign-ins', clientAddress(request), clock())
      const { password } = request.body
      const account = await findAccount(db, { email })
      const proved = await demandPassword(deps, request, { email, account, password })
      return signIns.complete(request, reply, proved)
    },
  )

  app.post(
    '/api/auth/sign-out',
    { schema: { response: { 200: signedOut } } },
    async (request, reply) => {
      await sessions.end(request)
      sessions.take(reply)
      demo.end(request, reply)
      return { success: true }
    },
  )

  app.get('/api/auth/user', { schema: { response: { 200: user } } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const userId = (await sessions.current(request, reply))?.userId ?? (await demo.of(request))
    if (!userId) throw new AppError('unauthorized')
    return deps.presentUser(userId)
  })

  const loginQuery = z.object({
    returnTo: z.unknown().default('/').transform(safeReturnTo),
    /** A mailed link, and a failure that the page shows: neither leads on by itself */
    link: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  app.get(
    '/api/login',
    { ...countVisit(), schema: { querystring: loginQuery } },
    async (request, reply) => {
      const { returnTo, link, error } = request.query
      // A mailed link has something to do for the signed-in as well.
      const found = link === undefined && (await sessions.current(request, reply))
      if (found) return reply.redirect(returnTo)
      // After a failure the page stands, or the browser would go back and forth without end.
      if (!config.passwordLogin && link === undefined && error === undefined) {
        return reply.redirect(`/api/auth/provider?returnTo=${encodeURIComponent(returnTo)}`)
      }
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(deps.signInPage())
    },
  )

  app.get('/api/logout', countVisit(), async (request, reply) => {
    // A page of another site that links to or embeds this address must not sign anybody out (Fetch Metadata).
    if (isFromOtherSite(request)) return reply.redirect('/')
    const onward = await deps.leaveProvider(request)
    await sessions.end(request)
    sessions.take(reply)
    demo.end(request, reply)
    return reply.header('cache-control', 'no-store').redirect(onward ?? '/')
  })
}
