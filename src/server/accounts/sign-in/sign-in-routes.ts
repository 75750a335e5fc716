import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { signedOut, signIn, signInAnswer, signUp, user } from '#contract/accounts.ts'
import { safeReturnTo } from '#contract/return-to.ts'
import { z } from '#contract/zod.ts'
import type { Config } from '../../config.ts'
import { clientAddress } from '../../http/client-address.ts'
import { atMost } from '../../http/counts-here.ts'
import { count, forgetCount, uncount } from '../../http/counts-store.ts'
import { AppError } from '../../http/errors.ts'
import { hungUp } from '../../http/hung-up.ts'
import { countedHere } from '../../http/limits.ts'
import { trustedOrigins } from '../../http/site-policy.ts'
import { endSiteTurn } from '../../http/site-turns.ts'
import { setCookie } from '../cookies.ts'
import { createAccount } from '../create-account.ts'
import type { Hashing } from '../hashing.ts'
import { refuseWeakPassword } from '../password-rules.ts'
import { hashPassword, verifyPassword } from '../passwords.ts'
import { currentUser, endSession } from '../session.ts'
import { demandProof, findAccount, hasAccount, passwordHashOf } from '../users-store.ts'
import type { SignIn, SignInDeps } from './sign-in.ts'

export type SignInRoutesDeps = SignInDeps & {
  config: Pick<Config, 'publicUrl' | 'signUp' | 'verifyEmail' | 'passwordLogin'>
  hashing: Hashing
  signIns: SignIn
  /** Where a session that began at the provider ends there too; undefined for any other. */
  leaveProvider: (request: FastifyRequest) => Promise<string | undefined>
  /** The sign-in page's HTML. */
  signInPage: () => string
}

/** The contract's signUp accepts no longer address, so a longer one is not looked up. */
const EMAIL_MAX = 254

const TOO_MANY_FAILURES = 'Too many failed sign-ins. Try again in 15 minutes.'

/** Checked where there is no password, so that an unknown address takes as long as a known one. */
const NOBODYS_HASH = `${randomBytes(16).toString('hex')}:${randomBytes(64).toString('hex')}`

/** Signing up, in and out with a password; the pages for it; and who is signed in. */
export async function signInRoutes(plain: FastifyInstance, deps: SignInRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { auth, db, clock, config, hashing, signIns, cookies } = deps
  const countVisit = () => ({ onRequest: atMost(countedHere.visits, clientAddress) })
  const origins = trustedOrigins(config.publicUrl)

  function refuseForeign({ headers }: FastifyRequest) {
    if (!headers.origin || origins.includes(headers.origin)) return
    throw new AppError('forbidden', `Open ${config.publicUrl} in your browser and sign in there.`)
  }

  function refuseWithoutPasswords() {
    if (!config.passwordLogin) throw new AppError('not_found')
  }

  app.post(
    '/api/auth/sign-up/email',
    { schema: { body: signUp, response: { 200: signInAnswer } } },
    async (request, reply) => {
      refuseWithoutPasswords()
      if (config.signUp === 'closed') throw new AppError('sign_up_closed')
      refuseForeign(request)
      const { email, name, password } = request.body
      await count(db, 'sign-ups', clientAddress(request), clock())
      await refuseWeakPassword(password, { email, name })
      const isProofNeeded = config.verifyEmail === 'required'
      if (await hasAccount(db, email)) {
        // Where an address must be proved anyway, nobody learns here who has an account.
        if (!isProofNeeded) throw new AppError('account_exists')
        const known = await findAccount(db, { email })
        if (known) await deps.mailProof(known)
        return { next: 'verify-email' as const }
      }
      const hash = await inTurn(request, () => hashPassword(password, hashing.derive))
      const account = await createAccount(auth, db, {
        ...{ email, name, emailVerified: false, credential: { password: hash } },
      })
      if (isProofNeeded) await demandProof(db, account.id)
      else await deps.mailProof(account)
      const mustVerify = isProofNeeded
      return signIns.complete(request, reply, {
        account: { ...account, mustVerify },
        way: 'sign-up',
      })
    },
  )

  app.post(
    '/api/auth/sign-in/email',
    { schema: { body: signIn, response: { 200: signInAnswer } } },
    async (request, reply) => {
      refuseWithoutPasswords()
      const email = request.body.email.toLowerCase()
      if (email.length > EMAIL_MAX) throw new AppError('invalid_credentials')
      refuseForeign(request)
      const now = clock()
      await count(db, 'sign-ins', clientAddress(request), now)
      const account = await findAccount(db, { email })
      const failures = await failureCount(request, email, account?.id)
      // Before the password is checked, so that guesses sent at once are all counted.
      await count(db, 'failed-sign-ins', failures, now, { message: TOO_MANY_FAILURES })
      const hash = (account && (await passwordHashOf(db, account.id))) ?? NOBODYS_HASH
      const given = { hash, password: request.body.password }
      const check = () => verifyPassword(given, hashing.derive)
      const isRight = await inTurn(request, check).catch(async (refusal) => {
        // This password was not checked.
        await uncount(db, 'failed-sign-ins', failures)
        throw refusal
      })
      if (!account || !isRight) throw new AppError('invalid_credentials')
      await forgetCount(db, 'failed-sign-ins', failures)
      return signIns.complete(request, reply, { account, way: 'password' })
    },
  )

  /** What costs a hash waits for its turn. Everything that can be refused without one comes before. */
  async function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    endSiteTurn(request)
    const endTurn = await hashing.turnOf(clientAddress(request), hungUp(request))
    return work().finally(endTurn)
  }

  /** Wrong guesses of strangers never lock the owner's own browser out: it has a count of its own. */
  async function failureCount(request: FastifyRequest, email: string, userId: string | undefined) {
    if (userId && (await signIns.isKnown(request, userId))) return `${email} known device`
    return email
  }

  app.post(
    '/api/auth/sign-out',
    { schema: { response: { 200: signedOut } } },
    async (request, reply) => {
      await endSession(auth, cookies, request)
      setCookie(reply, cookies, { name: 'session', value: '', seconds: 0 })
      return { success: true }
    },
  )

  app.get('/api/auth/user', { schema: { response: { 200: user } } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const found = await currentUser(auth, request, reply)
    if (!found) throw new AppError('unauthorized')
    return deps.presentUser(found.id)
  })

  const loginQuery = z.object({
    returnTo: z.unknown().default('/').transform(safeReturnTo),
    /** A mailed link, and a failure that the page shows: neither leads on by itself */
    link: z.unknown(),
    error: z.unknown(),
  })
  app.get(
    '/api/login',
    { ...countVisit(), schema: { querystring: loginQuery } },
    async (request, reply) => {
      const found = await currentUser(auth, request, reply)
      const { returnTo, link, error } = request.query
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
    const site = request.headers['sec-fetch-site'] ?? 'none'
    if (site !== 'none' && site !== 'same-origin') return reply.redirect('/')
    const onward = await deps.leaveProvider(request)
    await endSession(auth, cookies, request)
    setCookie(reply, cookies, { name: 'session', value: '', seconds: 0 })
    return reply.header('cache-control', 'no-store').redirect(onward ?? '/')
  })
}
