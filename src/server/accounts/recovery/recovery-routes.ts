import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  addressProof,
  type LinkKind,
  mailedToken,
  mailTo,
  passwordReset,
  signInAnswer,
} from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { originOf } from '../origin.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { readCookie } from '../sessions/cookies.ts'
import { forgetAttempts } from '../sign-in/password-check.ts'
import type { SignIn, SignInDeps } from '../sign-in/sign-in.ts'
import { findAccount } from '../users-store.ts'
import type { FirstProofDeps } from './first-proof.ts'
import { countMail } from './mailed-links.ts'
import { showOwner } from './owner-shown.ts'
import { mailReset, resetPassword } from './password-reset.ts'
import { acceptProof, accountToProve, sendProof } from './proof.ts'
import { mailSignInLink, useSignInLink } from './sign-in-links.ts'

export type RecoveryRoutesDeps = FirstProofDeps &
  SignInDeps & {
    config: Pick<Config, 'publicUrl' | 'signUp' | 'passwordLogin'>
    hashing: Hashing
    signIns: SignIn
    later: BackgroundTasks
  }

/** Ways back in by mail: a new password, the mail that proves an address, a link that signs in. */
export async function recoveryRoutes(plain: FastifyInstance, deps: RecoveryRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, config, mailer, hashing, signIns, later } = deps

  /** Counts a mail and answers for known and unknown addresses alike; the work comes after. */
  async function promise(
    request: FastifyRequest<{ Body: { email: string } }>,
    kind: LinkKind,
    work: (email: string) => Promise<void>,
  ) {
    const email = request.body.email.toLowerCase()
    await count(db, 'mailed-links', clientAddress(request), clock())
    await countMail(deps, kind, email, await isKnownDevice(request, email))
    later.run(() => work(email))
  }

  async function isKnownDevice(request: FastifyRequest, email: string) {
    const account = await findAccount(db, { email })
    return signIns.isKnown(request, account?.id ?? '')
  }

  const countUse = (request: FastifyRequest) =>
    count(db, 'link-uses', clientAddress(request), clock())

  function refuseWithoutPasswords() {
    // Who has left the company must not get in beside its provider.
    if (!config.passwordLogin) throw new AppError('not_found')
  }

  app.post('/api/auth/forgot-password', { schema: { body: mailTo } }, async (request, reply) => {
    refuseWithoutPasswords()
    await promise(request, 'reset-password', (email) => mailReset(deps, email))
    return reply.code(202).send()
  })

  app.post(
    '/api/auth/reset-password',
    { schema: { body: passwordReset } },
    async (request, reply) => {
      refuseWithoutPasswords()
      await countUse(request)
      const device = readCookie(request, deps.cookies, 'device')
      const reset = { ...request.body, origin: originOf(request), device }
      const { email } = await resetPassword(deps, reset, (password) =>
        hashing.hash(request, password),
      )
      await forgetAttempts(db, { email, address: clientAddress(request) })
      return reply.code(204).send()
    },
  )

  app.post('/api/auth/verify-email/send', { schema: { body: mailTo } }, async (request, reply) => {
    await promise(request, 'verify-email', async (email) => {
      const account = await findAccount(db, { email })
      if (account && !account.emailVerified) await sendProof(deps, account)
    })
    return reply.code(202).send()
  })

  app.post('/api/auth/sign-in/link', { schema: { body: mailTo } }, async (request, reply) => {
    refuseWithoutPasswords()
    if (!mailer.hasServer) throw new AppError('no_mail_server')
    await promise(request, 'sign-in', (email) => mailSignInLink(deps, email))
    return reply.code(202).send()
  })

  app.post(
    '/api/auth/sign-in/link/use',
    { schema: { body: mailedToken, response: { 200: signInAnswer } } },
    async (request, reply) => {
      refuseWithoutPasswords()
      await countUse(request)
      const account = await useSignInLink(deps, request.body.token, originOf(request))
      return signIns.complete(request, reply, { account, method: 'link' })
    },
  )
}

export type ProofRoutesDeps = FirstProofDeps &
  SignInDeps & {
    config: Pick<Config, 'publicUrl' | 'passwordLogin'>
    hashing: Hashing
    signIns: SignIn
  }

/**
 * The link that proves an account's address. The mailbox alone does not prove that the account is the
 * reader's: somebody else may have made it with their address and know its password.
 */
export async function proofRoutes(plain: FastifyInstance, deps: ProofRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, signIns } = deps

  app.post(
    '/api/auth/verify-email',
    { schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } } },
    async (request, reply) => {
      const { token, password } = request.body
      await count(db, 'link-uses', clientAddress(request), clock())
      const account = await accountToProve(deps, token)
      const given = { account, password }
      const shown = account.emailVerified ? undefined : await showOwner(deps, request, reply, given)
      await acceptProof(deps, token, { shown, origin: originOf(request) })
      if (!shown || 'sessionId' in shown) return reply.code(204).send()
      // Who has given the password need not give it again to sign in.
      const own = { ...shown, account: { ...account, emailVerified: true } }
      return signIns.complete(request, reply, own)
    },
  )
}
