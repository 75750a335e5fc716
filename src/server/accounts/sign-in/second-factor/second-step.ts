import type { FastifyRequest } from 'fastify'
import { secondFactorCode, signedIn } from '#contract/accounts/accounts.ts'
import { checkedActor } from '../../../actor.ts'
import { CLOCKS_APART_MS } from '../../../clock.ts'
import type { PersonId } from '../../../database/ids.ts'
import { AppError } from '../../../http/errors.ts'
import { count, uncount } from '../../../http/limits/counts-store.ts'
import { databaseLimits } from '../../../http/limits/limits.ts'
import { clientAddress } from '../../../http/policy/client-address.ts'
import type { Api } from '../../../room.ts'
import { changeAccount } from '../../account-events.ts'
import { recoveryCodeUsedLetter, wrongCodesLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import type { SignInDeps } from '../sign-in.ts'
import {
  countRecoveryCodes,
  findSecondFactor,
  hasSecondFactor,
  spendRecoveryCode,
  spendStep,
} from './second-factor-store.ts'
import { digitsOf, recoveryHash, stepAt, stepOfTyped } from './totp.ts'

const OVER = 'This login has expired. Please start again.'

const tooManyWrong = (when: string) =>
  `Too many wrong codes. Use a recovery code, or try again ${when}.`

/** The second step of a sign-in: the code of an authenticator app, or a recovery code. */
export async function secondStepRoutes(app: Api, deps: SignInDeps) {
  const { db, clock, sessions, signIns } = deps

  const secondStep = { schema: { body: secondFactorCode, response: { 200: signedIn } } }
  app.post('/api/auth/sign-in/second-factor', secondStep, async (request, reply) => {
    await count(db, 'second-steps', clientAddress(request), clock())
    const waiting = await signIns.attempt(request)
    if (waiting) await spendCode(request, waiting.user_id, request.body.code)
    const answer = waiting && (await signIns.finish(request, reply, waiting))
    if (answer) return answer
    signIns.forget(reply)
    throw new AppError('sign_in_again', OVER)
  })

  /** @throws AppError wrong_code, rate_limited */
  async function spendCode(request: FastifyRequest, userId: PersonId, typed: string) {
    const isRight = digitsOf(typed)
      ? await spendAppCode(request, userId, typed)
      : await takeRecoveryCode(request, userId, typed)
    if (!isRight) throw new AppError('wrong_code')
  }

  /** Counts wrong codes. The owner's own browser has its own count, so that strangers do not lock it out. */
  async function spendAppCode(request: FastifyRequest, userId: PersonId, typed: string) {
    const isKnown = await sessions.isKnown(request, userId)
    const who = isKnown ? `${userId} known device` : userId
    // Counted before the check, so that guesses sent at once are all counted.
    const guesses = await count(db, 'wrong-codes', who, clock(), { message: tooManyWrong })
    const found = await findSecondFactor(db, userId)
    const step = found?.isOn ? stepOfTyped(deps, userId, { ...found, typed }) : undefined
    const latest = stepAt(new Date(clock().getTime() + CLOCKS_APART_MS)) + 1
    if (step !== undefined && (await spendStep(db, userId, { step, latest }))) {
      await uncount(db, 'wrong-codes', who)
      return true
    }
    if (!isKnown && guesses === databaseLimits['wrong-codes'].max) {
      // A stranger who has the password or a mailed link may have given them.
      await changeAccount(deps, checkedActor(userId, originOf(request)), ({ report }) =>
        report('sign-in-failed', wrongCodesLetter, { actor: 'stranger' }),
      )
    }
    return false
  }

  /** Uses up a recovery code and mails the owner. @returns false for a wrong or used one */
  function takeRecoveryCode(request: FastifyRequest, userId: PersonId, typed: string) {
    const by = checkedActor(userId, originOf(request))
    return changeAccount(deps, by, async ({ tx, report }) => {
      if (!(await hasSecondFactor(tx, userId))) return false
      if (!(await spendRecoveryCode(tx, userId, recoveryHash(typed)))) return false
      const left = await countRecoveryCodes(tx, userId)
      await report('recovery-code-used', recoveryCodeUsedLetter(left))
      return true
    })
  }
}
