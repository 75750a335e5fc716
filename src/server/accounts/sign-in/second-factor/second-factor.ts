import { randomBytes } from 'node:crypto'
import {
  ownerProof,
  recoveryCodes,
  secondFactorOffer,
  secondFactorProof,
} from '#contract/accounts/account-settings.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { lockPerson, sessionOf, transactAs } from '../../../actor.ts'
import { recordEvent } from '../../../audit.ts'
import { isAhead } from '../../../clock.ts'
import type { PersonId } from '../../../database/ids.ts'
import type { Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { count, forgetCount } from '../../../http/limits/counts-store.ts'
import type { Api } from '../../../room.ts'
import type { AccountDeps } from '../../account-deps.ts'
import { changeAccount, EVENT_LETTER_MS } from '../../account-events.ts'
import {
  operatorTurnedOffLetter,
  recoveryCodesLetter,
  secondFactorOffLetter,
  secondFactorOnLetter,
} from '../../letters.ts'
import { endSessions } from '../../sessions/sessions-store.ts'
import { findAccount, ownAccount } from '../../users-store.ts'
import {
  confirmOffer,
  findSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  saveOffer,
} from './second-factor-store.ts'
import {
  base32,
  makeRecoveryCodes,
  recoveryHash,
  seal,
  stepOfTyped,
  TOTP_SECRET_BYTES,
  totpUri,
} from './totp.ts'

/** How long an offered secret takes its first code */
const OFFER_LIFE_MS = 15 * MINUTE_MS
const TOO_MANY_WRONG = 'Too many wrong codes. Set up two-step verification again in 15 minutes.'

/** The second factor in the settings. */
export async function secondFactorRoutes(app: Api, deps: AccountDeps) {
  const { db, clock, secret: key, demandOwner } = deps
  app.addHook('onRequest', deps.requireUser)

  /** A new secret for an app. It counts after its first code. @throws AppError second_factor_on */
  const offer = { schema: { body: ownerProof, response: { 200: secondFactorOffer } } }
  app.post('/api/account/second-factor', offer, async (request) => {
    const { actor } = request
    const { personId: userId } = actor
    await demandOwner(request, request.body.password)
    const { email } = await ownAccount(db, userId)
    const secret = randomBytes(TOTP_SECRET_BYTES)
    const offer = { sealed: seal(key, userId, secret), now: clock() }
    if (!(await transactAs(db, actor, (tx) => saveOffer(tx, userId, offer)))) {
      throw new AppError('second_factor_on')
    }
    return { secret: base32(secret), uri: totpUri(secret, email) }
  })

  /**
   * Turns on what was offered. Other browsers may be signed in without a code: they are signed out.
   * @throws AppError wrong_code, rate_limited, second_factor_on, second_factor_off,
   * second_factor_offer_over
   */
  const confirm = { schema: { body: secondFactorProof, response: { 200: recoveryCodes } } }
  app.post('/api/account/second-factor/confirm', confirm, async (request) => {
    const { actor, body } = request
    const { personId: userId } = actor
    await demandOwner(request, body.password)
    const found = await findSecondFactor(db, userId)
    if (!found) throw new AppError('second_factor_off')
    if (found.isOn) throw new AppError('second_factor_on')
    const { sealed, offeredAt } = found
    if (!isAhead(offeredAt + OFFER_LIFE_MS, OFFER_LIFE_MS, clock())) {
      throw new AppError('second_factor_offer_over')
    }
    // Counted before the check, so that guesses sent at once are all counted.
    await count(db, 'first-codes', userId, clock(), { message: TOO_MANY_WRONG })
    const step = stepOfTyped(deps, userId, { sealed, typed: body.code })
    if (step === undefined) throw new AppError('wrong_code')
    await forgetCount(db, 'first-codes', userId)
    return changeAccount(deps, actor, async ({ tx, report }) => {
      if (!(await confirmOffer(tx, userId, { sealed, step, now: clock() }))) {
        throw new AppError('wrong_code')
      }
      await endSessions(tx, userId, sessionOf(request)?.id)
      await report('second-factor-on', secondFactorOnLetter)
      return newCodes(tx, userId)
    })
  })

  /** Turns it off, or drops an offer. Other browsers are signed out, in case a stranger turned it off. */
  const proved = { schema: { body: ownerProof } }
  app.post('/api/account/second-factor/off', proved, async (request, reply) => {
    const { personId: userId } = request.actor
    await demandOwner(request, request.body.password)
    await changeAccount(deps, request.actor, async ({ tx, report }) => {
      if (!(await removeSecondFactor(tx, userId))) return
      await endSessions(tx, userId, sessionOf(request)?.id)
      await report('second-factor-off', secondFactorOffLetter)
    })
    return reply.code(204).send()
  })

  /** Makes new recovery codes in place of the earlier ones. @throws AppError second_factor_off */
  const renewal = { schema: { body: ownerProof, response: { 200: recoveryCodes } } }
  app.post('/api/account/recovery-codes', renewal, async (request) => {
    const { personId: userId } = request.actor
    await demandOwner(request, request.body.password)
    return changeAccount(deps, request.actor, async ({ tx, report }) => {
      if (!(await hasSecondFactor(tx, userId))) throw new AppError('second_factor_off')
      await report('recovery-codes-made', recoveryCodesLetter)
      return newCodes(tx, userId)
    })
  })
}

async function newCodes(tx: Tx, userId: PersonId): Promise<{ codes: string[] }> {
  const codes = makeRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, codes.map(recoveryHash))
  return { codes }
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
    await lockPerson(tx, id)
    if (!(await hasSecondFactor(tx, id))) return 'no-second-step'
    await removeSecondFactor(tx, id)
    await endSessions(tx, id)
    const event = 'second-factor-off'
    await recordEvent(tx, { userId: id, actor: 'operator', event }, now)
    const letter = operatorTurnedOffLetter(publicUrl)
    await mailer.queue(tx, { kind: event, to: email, letter, lifeMs: EVENT_LETTER_MS })
    return 'off'
  })
}
