import type { FastifyReply, FastifyRequest } from 'fastify'
import { signedOut, signIn, signInAnswer, user } from '#contract/accounts/accounts.ts'
import { safeReturnTo } from '#contract/accounts/return-to.ts'
import { z } from '#contract/zod.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { isFromOtherSite } from '../../http/policy/site-policy.ts'
import type { Api } from '../../room.ts'
import { demandPasswordLogin } from '../passwords/password-rules.ts'
import { demandPassword } from '../proof/owner-proof.ts'
import { findAccount } from '../users-store.ts'
import { leaveProvider } from './provider/provider-sign-in.ts'
import type { SignInDeps } from './sign-in.ts'

/** The longest address of the contract's signUp. A longer one is not looked up. */
const EMAIL_MAX = 254

/** Signing in with a password, signing out, the pages for both, and the user who is signed in. */
export async function signInRoutes(app: Api, deps: SignInDeps) {
  const { sessions, db, clock, config, signIns, demo, pages } = deps
  const signOut = async (request: FastifyRequest, reply: FastifyReply) => {
    await sessions.end(request)
    sessions.take(reply)
    demo?.end(request, reply)
  }
  const countVisit = () => ({ onRequest: rateLimit(memoryLimits.visits, clientAddress) })

  const byPassword = {
    config: { origin: 'public' },
    schema: { body: signIn, response: { 200: signInAnswer } },
  } as const
  app.post('/api/auth/sign-in/email', byPassword, async (request, reply) => {
    demandPasswordLogin(deps)
    const email = request.body.email.toLowerCase()
    if (email.length > EMAIL_MAX) throw new AppError('invalid_credentials')
    await count(db, 'sign-ins', clientAddress(request), clock())
    const { password } = request.body
    const account = await findAccount(db, { email })
    const proved = await demandPassword(deps, request, { email, account, password })
    return signIns.complete(request, reply, proved)
  })

  const out = { schema: { response: { 200: signedOut } } }
  app.post('/api/auth/sign-out', out, async (request, reply) => {
    await signOut(request, reply)
    return { success: true }
  })

  app.get('/api/auth/user', { schema: { response: { 200: user } } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const userId = (await sessions.current(request, reply))?.userId ?? (await demo?.of(request))
    if (!userId) throw new AppError('unauthorized')
    return signIns.presentUser(userId)
  })

  const loginQuery = z.object({
    returnTo: z.unknown().default('/').transform(safeReturnTo),
    /** A mailed link, and a failure that the page shows: neither leads on by itself */
    link: z.unknown().optional(),
    error: z.unknown().optional(),
  })
  const login = { ...countVisit(), schema: { querystring: loginQuery } }
  app.get('/api/login', login, async (request, reply) => {
    const { returnTo, link, error } = request.query
    // A mailed link also has something to do for a user who is signed in.
    const found = link === undefined && (await sessions.current(request, reply))
    if (found) return reply.redirect(returnTo)
    // After a failure it shows the page, or the browser would go back and forth without end.
    if (!config.passwordLogin && link === undefined && error === undefined) {
      return reply.redirect(`/api/auth/provider?returnTo=${encodeURIComponent(returnTo)}`)
    }
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(pages.html['sign-in'])
  })

  app.get('/api/logout', countVisit(), async (request, reply) => {
    // A page of another site that links to this address or embeds it must not sign users out (Fetch Metadata).
    if (isFromOtherSite(request)) return reply.redirect('/')
    const onward = await leaveProvider(deps, request)
    await signOut(request, reply)
    return reply.header('cache-control', 'no-store').redirect(onward ?? '/')
  })
}
