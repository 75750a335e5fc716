import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  type SignedIn,
  signedIn,
  signedOut,
  signIn,
  signUp,
  type User,
  user,
} from '#contract/accounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Tier } from '#contract/plans.ts'
import { safeReturnTo } from '#contract/return-to.ts'
import { z } from '#contract/zod.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { clientAddress } from '../http/client-address.ts'
import { atMost } from '../http/counts-here.ts'
import { count, forgetCount, uncount } from '../http/counts-store.ts'
import { AppError } from '../http/errors.ts'
import { hungUp } from '../http/hung-up.ts'
import { countedHere } from '../http/limits.ts'
import { trustedOrigins } from '../http/site-policy.ts'
import { endSiteTurn } from '../http/site-turns.ts'
import { type Auth, hashingFirst } from './auth.ts'
import type { Hashing } from './hashing.ts'
import { isCommonPassword } from './passwords.ts'
import { authHeaders, currentUser, forwardCookies, type SessionUser } from './session.ts'
import { hasAccount } from './users-store.ts'

export type AccountsDeps = {
  auth: Auth
  db: Db
  clock: Clock
  publicUrl: string
  signUp: 'open' | 'closed'
  hashing: Hashing
  tierOf: (userId: string) => Promise<Tier>
  /** The sign-in page's HTML. */
  signInPage: () => string
}

/** Our codes for Better Auth's. A code that is not listed goes by its status; a 500 is the database. */
const authFaults: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  USER_ALREADY_EXISTS: 'account_exists',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'account_exists',
  EMAIL_PASSWORD_SIGN_UP_DISABLED: 'sign_up_closed',
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: 'sign_up_closed',
  INVALID_ORIGIN: 'forbidden',
  MISSING_OR_NULL_ORIGIN: 'forbidden',
  INVALID_EMAIL: 'invalid_input',
  FAILED_TO_CREATE_USER: 'unavailable',
}

const faultsByStatus: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  422: 'invalid_input',
  429: 'rate_limited',
}

/** The contract's signUp accepts no longer address, so a longer one is not looked up. */
const EMAIL_MAX = 254

const TOO_MANY_FAILURES = 'Too many failed sign-ins. Try again in 15 minutes.'

export async function accountRoutes(plain: FastifyInstance, deps: AccountsDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const countVisit = () => ({ onRequest: atMost(countedHere.visits, clientAddress) })

  /** Sends a request through Better Auth's own router, with its rate limit and origin check. */
  async function askAuth(request: FastifyRequest, path: string, body: object): Promise<Response> {
    const headers = authHeaders(request)
    headers.delete('content-length')
    headers.set('content-type', 'application/json')
    const url = new URL(`/api/auth${path}`, deps.publicUrl)
    return deps.auth.handler(
      new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
  }

  async function presentUser(user: SessionUser): Promise<User> {
    return {
      id: user.id,
      email: user.email,
      firstName: user.firstName ?? null,
      lastName: user.lastName ?? null,
      profileImageUrl: user.image ?? null,
      subscriptionTier: await deps.tierOf(user.id),
    }
  }

  /** Answers a sign-in. The session's token is in the cookie only, where scripts cannot read it. */
  async function welcome(response: Response, reply: FastifyReply): Promise<SignedIn> {
    forwardCookies(response.headers, reply)
    const { user } = (await response.json()) as { user: SessionUser }
    return { user: await presentUser(user) }
  }

  async function faultOf(response: Response): Promise<AppError> {
    const body = await response.json().catch(() => ({}))
    const other = response.status < 500 ? 'bad_request' : 'unavailable'
    const code = authFaults[body.code] ?? faultsByStatus[response.status] ?? other
    return code === 'forbidden' ? foreignOrigin() : new AppError(code)
  }

  const foreignOrigin = () =>
    new AppError('forbidden', `Open ${deps.publicUrl} in your browser and sign in there.`)

  const origins = trustedOrigins(deps.publicUrl)

  /** Better Auth refuses these too, but only when their turn has come. */
  function refuseForeign({ headers }: FastifyRequest) {
    if (headers.origin && !origins.includes(headers.origin)) throw foreignOrigin()
  }

  /** What costs a hash waits for its turn. Everything that can be refused without one comes before. */
  function turnOf(request: FastifyRequest) {
    endSiteTurn(request)
    return deps.hashing.turnOf(clientAddress(request), hungUp(request))
  }

  app.post(
    '/api/auth/sign-up/email',
    { schema: { body: signUp, response: { 200: signedIn } } },
    async (request, reply) => {
      if (deps.signUp === 'closed') throw new AppError('sign_up_closed')
      refuseForeign(request)
      await count(deps.db, 'sign-ups', clientAddress(request), deps.clock())
      if (await isCommonPassword(request.body.password)) {
        const message = 'This password is among the most common ones. Please choose another.'
        throw new AppError('invalid_input', message, { password: message })
      }
      if (await hasAccount(deps.db, request.body.email)) throw new AppError('account_exists')
      const endTurn = await turnOf(request)
      const asking = hashingFirst(() => askAuth(request, '/sign-up/email', request.body))
      const response = await asking.finally(endTurn)
      if (response.ok) return welcome(response, reply)
      const fault = await faultOf(response)
      // Of two sign-ups at once, the unique index refuses one; Better Auth reports that as an outage.
      const lost = fault.code === 'unavailable' && (await hasAccount(deps.db, request.body.email))
      throw lost ? new AppError('account_exists') : fault
    },
  )

  app.post(
    '/api/auth/sign-in/email',
    { schema: { body: signIn, response: { 200: signedIn } } },
    async (request, reply) => {
      const email = request.body.email.toLowerCase()
      if (email.length > EMAIL_MAX) throw new AppError('invalid_credentials')
      refuseForeign(request)
      const now = deps.clock()
      await count(deps.db, 'sign-ins', clientAddress(request), now)
      // Before the password is checked, so that guesses sent at once are all counted.
      await count(deps.db, 'failed-sign-ins', email, now, { message: TOO_MANY_FAILURES })
      const endTurn = await turnOf(request).catch(async (refusal) => {
        // This password was not checked.
        await uncount(deps.db, 'failed-sign-ins', email)
        throw refusal
      })
      const response = await askAuth(request, '/sign-in/email', request.body).finally(endTurn)
      if (!response.ok) throw await faultOf(response)
      await forgetCount(deps.db, 'failed-sign-ins', email)
      return welcome(response, reply)
    },
  )

  app.post(
    '/api/auth/sign-out',
    { schema: { response: { 200: signedOut } } },
    async (request, reply) => {
      const response = await askAuth(request, '/sign-out', {})
      if (!response.ok) throw await faultOf(response)
      forwardCookies(response.headers, reply)
      return (await response.json()) as z.infer<typeof signedOut>
    },
  )

  app.get('/api/auth/user', { schema: { response: { 200: user } } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const found = await currentUser(deps.auth, request, reply)
    if (!found) throw new AppError('unauthorized')
    return presentUser(found)
  })

  const loginQuery = z.object({ returnTo: z.unknown().default('/').transform(safeReturnTo) })
  app.get(
    '/api/login',
    { ...countVisit(), schema: { querystring: loginQuery } },
    async (request, reply) => {
      const user = await currentUser(deps.auth, request, reply)
      if (user) return reply.redirect(request.query.returnTo)
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(deps.signInPage())
    },
  )

  app.get('/api/logout', countVisit(), async (request, reply) => {
    // A page of another site that links to or embeds this address must not sign anybody out (Fetch Metadata).
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (site === 'none' || site === 'same-origin') {
      const { headers } = await deps.auth.api.signOut({
        headers: authHeaders(request),
        returnHeaders: true,
      })
      forwardCookies(headers, reply)
    }
    return reply.redirect('/')
  })
}
