import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { SecondFactorOffer } from '#contract/account-settings.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Actor, checkedActor, lockWorkspace, sessionOf, transactAs } from '../../../actor.ts'
import { recordEvent } from '../../../audit.ts'
import { CLOCKS_APART_MS, isAhead } from '../../../clock.ts'
import type { PersonId } from '../../../database/ids.ts'
import type { Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { count, forgetCount } from '../../../http/limits/counts-store.ts'
import type { AccountDeps } from '../../account-deps.ts'
import { changeAccount, EVENT_LETTER_MS } from '../../account-events.ts'
import {
  operatorTurnedOffLetter,
  recoveryCodesLetter,
  recoveryCodeUsedLetter,
  secondFactorOffLetter,
  secondFactorOnLetter,
  wrongCodesLetter,
} from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { endSessions } from '../../sessions/sessions-store.ts'
import { findAccount, ownAccount } from '../../users-store.ts'
import {
  confirmOffer,
  countRecoveryCodes,
  findSecondFactor,
  hasSecondFactor,
  makeRecoveryCodes,
  recoveryHash,
  removeRecoveryCodes,
  removeSecondFactor,
  replaceRecoveryCodes,
  saveOffer,
  spendRecoveryCode,
  spendStep,
} from './second-factor-store.ts'
import {
  base32,
  digitsOf,
  seal,
  stepAt,
  stepOfCode,
  TOTP_SECRET_BYTES,
  totpUri,
  unseal,
} from './totp.ts'

/** How long an offered secret takes its first code */
const OFFER_LIFE_MS = 15 * MINUTE_MS
const TOO_MANY_WRONG = 'Too many wrong codes. Set up two-step verification again in 15 minutes.'

/** The second step: the code of an authenticator app, or a recovery code. */
export class SecondFactor {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** A new secret for an app. It counts after its first code. @throws AppError second_factor_on */
  async offer(actor: Actor): Promise<SecondFactorOffer> {
    const { db, clock, secret: key } = this.#deps
    const { personId: userId } = actor
    const { email } = await ownAccount(db, userId)
    const secret = randomBytes(TOTP_SECRET_BYTES)
    const offer = { sealed: seal(key, userId, secret), now: clock() }
    if (!(await transactAs(db, actor, (tx) => saveOffer(tx, userId, offer)))) {
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
    const { personId: userId } = request.actor
    const found = await findSecondFactor(db, userId)
    if (!found) throw new AppError('second_factor_off')
    if (found.isOn) throw new AppError('second_factor_on')
    const { sealed, offeredAt } = found
    if (!isAhead(offeredAt + OFFER_LIFE_MS, OFFER_LIFE_MS, clock())) {
      throw new AppError('second_factor_offer_over')
    }
    // Counted before the check, so that guesses sent at once are all counted.
    await count(db, 'first-codes', userId, clock(), { message: TOO_MANY_WRONG })
    const step = this.#stepOf(userId, sealed, typed)
    if (step === undefined) throw new AppError('wrong_code')
    await forgetCount(db, 'first-codes', userId)
    return changeAccount(this.#deps, request.actor, async ({ tx, report }) => {
      const now = clock()
      if (!(await confirmOffer(tx, userId, { sealed, step, now }))) throw new AppError('wrong_code')
      await endSessions(tx, userId, sessionOf(request)?.id)
      await report('second-factor-on', secondFactorOnLetter)
      return newCodes(tx, userId)
    })
  }

  /** Turns it off, or drops an offer. Other browsers are signed out, in case a stranger turned it off. */
  async turnOff(request: FastifyRequest): Promise<void> {
    const { personId: userId } = request.actor
    await changeAccount(this.#deps, request.actor, async ({ tx, report }) => {
      const wasOn = await removeSecondFactor(tx, userId)
      await removeRecoveryCodes(tx, userId)
      if (!wasOn) return
      await endSessions(tx, userId, sessionOf(request)?.id)
      await report('second-factor-off', secondFactorOffLetter)
    })
  }

  /** Makes new recovery codes in place of the earlier ones. @throws AppError second_factor_off */
  async renewCodes(request: FastifyRequest): Promise<string[]> {
    const { personId: userId } = request.actor
    return changeAccount(this.#deps, request.actor, async ({ tx, report }) => {
      if (!(await hasSecondFactor(tx, userId))) throw new AppError('second_factor_off')
      await report('recovery-codes-made', recoveryCodesLetter)
      return newCodes(tx, userId)
    })
  }

  /** Uses up a code of the app. @returns false for a wrong or used one */
  async spendAppCode(userId: PersonId, digits: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const found = await findSecondFactor(db, userId)
    if (!found?.isOn) return false
    const step = this.#stepOf(userId, found.sealed, digits)
    if (step === undefined) return false
    const latest = stepAt(new Date(clock().getTime() + CLOCKS_APART_MS)) + 1
    return spendStep(db, userId, { step, latest })
  }

  /** Uses up a recovery code and mails the owner. @returns false for a wrong or used one */
  spendRecoveryCode(request: FastifyRequest, userId: PersonId, typed: string): Promise<boolean> {
    const by = checkedActor(userId, originOf(request))
    return changeAccount(this.#deps, by, async ({ tx, report }) => {
      if (!(await hasSecondFactor(tx, userId))) return false
      if (!(await spendRecoveryCode(tx, userId, recoveryHash(typed)))) return false
      const left = await countRecoveryCodes(tx, userId)
      await report('recovery-code-used', (context) => recoveryCodeUsedLetter(context, left))
      return true
    })
  }

  /** Mails the owner that a stranger with the password or a mailed link gave many wrong codes. */
  async warn(request: FastifyRequest, userId: PersonId): Promise<void> {
    const by = checkedActor(userId, originOf(request))
    await changeAccount(this.#deps, by, ({ report }) =>
      report('sign-in-failed', wrongCodesLetter, { actor: 'stranger' }),
    )
  }

  #stepOf(userId: PersonId, sealed: string, typed: string): number | undefined {
    const digits = digitsOf(typed)
    // Undefined after a change of SESSION_SECRET. Recovery codes still work then.
    const secret = unseal(this.#deps.secret, userId, sealed)
    return digits && secret ? stepOfCode(secret, digits, this.#deps.clock()) : undefined
  }
}

async function newCodes(tx: Tx, userId: PersonId): Promise<string[]> {
  const codes = makeRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, codes.map(recoveryHash))
  return codes
}

/**
 * Turns off the second step of a user who has lost phone and recovery codes, by the operator's command.
 * Signs out all their browsers and queues a mail, which the server sends.
 */
export async function turnOffLost(
  { db, mailer, publicUrl }: Pick<AccountDeps, 'db' | 'mailer' | 'publicUrl'>,
  address: string,
  now: Date,
): Promise<'off' | 'no-account' | 'no-second-step'> {
  return transact(db, async (tx) => {
    const account = await findAccount(tx, { email: address })
    if (!account) return 'no-account'
    const { id, email } = account
    await lockWorkspace(tx, id)
    if (!(await hasSecondFactor(tx, id))) return 'no-second-step'
    await removeSecondFactor(tx, id)
    await removeRecoveryCodes(tx, id)
    await endSessions(tx, id)
    const event = 'second-factor-off'
    await recordEvent(tx, { userId: id, actor: 'operator', event }, now)
    const letter = operatorTurnedOffLetter(publicUrl)
    await mailer.queue(tx, { kind: event, to: email, letter, lifeMs: EVENT_LETTER_MS })
    return 'off'
  })
}
