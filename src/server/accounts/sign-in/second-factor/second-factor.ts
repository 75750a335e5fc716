import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { SecondFactorOffer } from '#contract/account-settings.ts'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { recordEvent } from '../../../audit.ts'
import { CLOCKS_APART_MS, type Clock, isAhead } from '../../../clock.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { count, forgetCount } from '../../../http/limits/counts-store.ts'
import type { Mailer } from '../../../mail/mail-room.ts'
import { recordAndTell } from '../../account-events.ts'
import { originOf } from '../../origin.ts'
import { endSessions } from '../../sessions/sessions-store.ts'
import { type AccountRow, findAccount, lockUser } from '../../users-store.ts'
import {
  operatorTurnedOffLetter,
  recoveryCodesLetter,
  recoveryCodeUsedLetter,
  secondFactorOffLetter,
  secondFactorOnLetter,
  wrongCodesLetter,
} from './factor-letters.ts'
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  recoveryHash,
  removeRecoveryCodes,
  replaceRecoveryCodes,
  spendRecoveryCode,
} from './recovery-codes.ts'
import { seal, unseal } from './sealed-secret.ts'
import {
  confirmOffer,
  findSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
  saveOffer,
  spendStep,
} from './second-factor-store.ts'
import { base32, digitsOf, stepAt, stepOfCode, TOTP_SECRET_BYTES, totpUri } from './totp.ts'

/** How long an offered secret takes its first code. */
const OFFER_LIFE_MS = 15 * MINUTE_MS
const TOO_MANY_WRONG = 'Too many wrong codes. Set up the second step again in 15 minutes.'

export type SecondFactorDeps = {
  db: Db
  clock: Clock
  mailer: Mailer
  secret: string
  config: { publicUrl: string }
}

/** The code of an authenticator app, or a recovery code, beside what opens an account by itself. */
export class SecondFactor {
  readonly #deps: SecondFactorDeps

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps
  }

  /** A new secret for an app. It counts after its first code. @throws AppError second_factor_on */
  async offer(userId: string): Promise<SecondFactorOffer> {
    const { db, clock, secret: key } = this.#deps
    const { email } = await this.#account(userId)
    const secret = randomBytes(TOTP_SECRET_BYTES)
    if (!(await saveOffer(db, userId, { sealed: seal(key, userId, secret), now: clock() }))) {
      throw new AppError('second_factor_on')
    }
    return { secret: base32(secret), uri: totpUri(secret, email) }
  }

  /**
   * Turns on what was offered. Other browsers may be signed in without a code: they are signed out.
   * @returns the recovery codes
   * @throws AppError wrong_code, rate_limited, second_factor_on, second_factor_off,
   * second_factor_offer_over
   */
  async confirm(request: FastifyRequest, typed: string): Promise<string[]> {
    const { db, clock } = this.#deps
    const { userId } = request
    const found = await findSecondFactor(db, userId)
    if (!found) throw new AppError('second_factor_off')
    if (found.isOn) throw new AppError('second_factor_on')
    const { sealed, offeredAt } = found
    if (!isAhead(offeredAt + OFFER_LIFE_MS, OFFER_LIFE_MS, clock())) {
      throw new AppError('second_factor_offer_over')
    }
    // Before the code is checked, so that guesses sent at once are all counted.
    await count(db, 'first-codes', userId, clock(), { message: TOO_MANY_WRONG })
    const step = this.#stepOf(userId, sealed, typed)
    if (step === undefined) throw new AppError('wrong_code')
    await forgetCount(db, 'first-codes', userId)
    return this.#change(request, async (tx, account) => {
      const now = clock()
      if (!(await confirmOffer(tx, userId, { sealed, step, now }))) throw new AppError('wrong_code')
      await endSessions(tx, userId, request.session?.id)
      await recordAndTell(tx, this.#deps, {
        event: 'second-factor-on',
        account,
        origin: originOf(request),
        letter: secondFactorOnLetter,
      })
      return newCodes(tx, userId)
    })
  }

  /** Turns it off, or drops an offer. Other browsers are signed out, in case the owner did not want that. */
  async turnOff(request: FastifyRequest): Promise<void> {
    const { userId } = request
    await this.#change(request, async (tx, account) => {
      const wasOn = await removeSecondFactor(tx, userId)
      await removeRecoveryCodes(tx, userId)
      if (!wasOn) return
      await endSessions(tx, userId, request.session?.id)
      await recordAndTell(tx, this.#deps, {
        event: 'second-factor-off',
        account,
        origin: originOf(request),
        letter: secondFactorOffLetter,
      })
    })
  }

  /** New recovery codes in place of the earlier ones. @throws AppError second_factor_off */
  async renewCodes(request: FastifyRequest): Promise<string[]> {
    const { userId } = request
    return this.#change(request, async (tx, account) => {
      if (!(await hasSecondFactor(tx, userId))) throw new AppError('second_factor_off')
      await recordAndTell(tx, this.#deps, {
        event: 'recovery-codes-made',
        account,
        origin: originOf(request),
        letter: recoveryCodesLetter,
      })
      return newCodes(tx, userId)
    })
  }

  /** Uses up a code of the app. @returns false for a wrong or used one */
  async spendAppCode(userId: string, digits: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const found = await findSecondFactor(db, userId)
    if (!found?.isOn) return false
    const step = this.#stepOf(userId, found.sealed, digits)
    if (step === undefined) return false
    const latest = stepAt(new Date(clock().getTime() + CLOCKS_APART_MS)) + 1
    return spendStep(db, userId, { step, latest })
  }

  /** Uses up a recovery code and tells the owner. @returns false for a wrong or used one */
  async spendRecoveryCode(
    request: FastifyRequest,
    userId: string,
    typed: string,
  ): Promise<boolean> {
    const { db, mailer } = this.#deps
    const account = await findAccount(db, { id: userId })
    if (!account) return false
    const isUsed = await transact(db, async (tx) => {
      if (!(await hasSecondFactor(tx, userId))) return false
      if (!(await spendRecoveryCode(tx, userId, recoveryHash(typed)))) return false
      const left = await countRecoveryCodes(tx, userId)
      await recordAndTell(tx, this.#deps, {
        event: 'recovery-code-used',
        account,
        origin: originOf(request),
        letter: (happening) => recoveryCodeUsedLetter(happening, left),
      })
      return true
    })
    if (isUsed) mailer.soon()
    return isUsed
  }

  /** Tells the owner that somebody with the password or a mailed link gave many wrong codes. */
  async warn(request: FastifyRequest, userId: string): Promise<void> {
    const { db, mailer } = this.#deps
    const account = await findAccount(db, { id: userId })
    if (!account) return
    await transact(db, (tx) =>
      recordAndTell(tx, this.#deps, {
        event: 'sign-in-failed',
        actor: 'stranger',
        account,
        origin: originOf(request),
        letter: wrongCodesLetter,
      }),
    )
    mailer.soon()
  }

  #stepOf(userId: string, sealed: string, typed: string): number | undefined {
    const digits = digitsOf(typed)
    // After a change of SESSION_SECRET the recovery codes still work.
    const secret = unseal(this.#deps.secret, userId, sealed)
    return digits && secret ? stepOfCode(secret, digits, this.#deps.clock()) : undefined
  }

  async #change<T>(
    request: FastifyRequest,
    work: (tx: Tx, account: AccountRow) => Promise<T>,
  ): Promise<T> {
    const { db, mailer } = this.#deps
    const account = await this.#account(request.userId)
    const result = await transact(db, async (tx) => {
      await lockUser(tx, account.id)
      return work(tx, account)
    })
    mailer.soon()
    return result
  }

  async #account(userId: string): Promise<AccountRow> {
    const account = await findAccount(this.#deps.db, { id: userId })
    if (!account) throw new AppError('unauthorized')
    return account
  }
}

async function newCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, codes.map(recoveryHash))
  return codes
}

type Deps = { db: Db; mailer: Pick<Mailer, 'queue'>; config: { publicUrl: string } }

/**
 * The operator turns off the second step of somebody who has lost phone and recovery codes. All their
 * browsers are signed out, and they are told; the server sends the mail.
 * @returns what came of it
 */
export async function turnOffLost(
  { db, mailer, config }: Deps,
  address: string,
  now: Date,
): Promise<'off' | 'no-account' | 'no-second-step'> {
  return transact(db, async (tx) => {
    const account = await findAccount(tx, { email: address })
    if (!account) return 'no-account'
    const { id, email } = account
    await lockUser(tx, id)
    if (!(await hasSecondFactor(tx, id))) return 'no-second-step'
    await removeSecondFactor(tx, id)
    await removeRecoveryCodes(tx, id)
    await endSessions(tx, id)
    const event = 'second-factor-off' as const
    await recordEvent(tx, { userId: id, actor: 'operator', event }, now)
    const letter = operatorTurnedOffLetter(config.publicUrl)
    await mailer.queue(tx, { kind: event, to: email, letter, lifeMs: 2 * DAY_MS })
    return 'off'
  })
}
