import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  proofOnly,
  recoveryCodes,
  secondFactorOffer,
  secondFactorProof,
} from '#contract/account-settings.ts'
import { secondFactorCode, signedIn } from '#contract/accounts.ts'
import type { PersonId } from '../../../database/ids.ts'
import { AppError } from '../../../http/errors.ts'
import { count, uncount } from '../../../http/limits/counts-store.ts'
import { databaseLimits } from '../../../http/limits/limits.ts'
import { clientAddress } from '../../../http/policy/client-address.ts'
import type { SignInDeps } from '../sign-in.ts'
import { SecondFactor } from './second-factor.ts'
import { digitsOf } from './totp.ts'

const OVER = 'This login has expired. Please start again.'

const tooManyWrong = (when: string) =>
  `Too many wrong codes. Use a recovery code, or try again ${when}.`

/** The second factor at the sign-in and in the settings. */
export async function secondFactorRoutes(plain: FastifyInstance, deps: SignInDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, signIns, requireUser, demandOwner } = deps
  const secondFactor = new SecondFactor(deps)
  const ofOwner = { onRequest: requireUser }

  app.post(
    '/api/auth/sign-in/second-factor',
    { schema: { body: secondFactorCode, response: { 200: signedIn } } },
    async (request, reply) => {
      await count(db, 'second-steps', clientAddress(request), clock())
      const waiting = await signIns.attempt(request)
      if (waiting) await spendCode(request, waiting.user_id, request.body.code)
      const answer = waiting && (await signIns.finish(request, reply, waiting))
      if (answer) return answer
      signIns.forget(reply)
      throw new AppError('sign_in_again', OVER)
    },
  )

  async function spendCode(request: FastifyRequest, userId: PersonId, typed: string) {
    const digits = digitsOf(typed)
    const isRight = digits
      ? await spendAppCode(request, userId, digits)
      : await secondFactor.spendRecoveryCode(request, userId, typed)
    if (!isRight) throw new AppError('wrong_code')
  }

  /** Counts wrong codes. The owner's own browser has its own count, so that strangers do not lock it out. */
  async function spendAppCode(request: FastifyRequest, userId: PersonId, digits: string) {
    const isKnown = await signIns.isKnown(request, userId)
    const who = isKnown ? `${userId} known device` : userId
    // Counted before the check, so that guesses sent at once are all counted.
    const guesses = await count(db, 'wrong-codes', who, clock(), { message: tooManyWrong })
    if (await secondFactor.spendAppCode(userId, digits)) {
      await uncount(db, 'wrong-codes', who)
      return true
    }
    if (!isKnown && guesses === databaseLimits['wrong-codes'].max)
      await secondFactor.warn(request, userId)
    return false
  }

  app.post(
    '/api/account/second-factor',
    { ...ofOwner, schema: { body: proofOnly, response: { 200: secondFactorOffer } } },
    async (request) => {
      await demandOwner(request, request.body.password)
      return secondFactor.offer(request.actor)
    },
  )

  app.post(
    '/api/account/second-factor/confirm',
    { ...ofOwner, schema: { body: secondFactorProof, response: { 200: recoveryCodes } } },
    async (request) => {
      await demandOwner(request, request.body.password)
      return { codes: await secondFactor.confirm(request, request.body.code) }
    },
  )

  app.post(
    '/api/account/second-factor/off',
    { ...ofOwner, schema: { body: proofOnly } },
    async (request, reply) => {
      await demandOwner(request, request.body.password)
      await secondFactor.turnOff(request)
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/account/recovery-codes',
    { ...ofOwner, schema: { body: proofOnly, response: { 200: recoveryCodes } } },
    async (request) => {
      await demandOwner(request, request.body.password)
      return { codes: await secondFactor.renewCodes(request) }
    },
  )
}
