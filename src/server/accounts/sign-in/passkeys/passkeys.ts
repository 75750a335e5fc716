import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PasskeyEntry } from '#contract/account-settings.ts'
import { type NewPasskey, PASSKEYS_MAX, type PasskeySignIn } from '#contract/passkeys.ts'
import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import type { Mailer } from '../../../mail/mail-room.ts'
import { recordAndTell } from '../../account-events.ts'
import { originOf } from '../../origin.ts'
import type { CookieSettings } from '../../sessions/cookies.ts'
import { type AccountRow, findAccount, lockUser } from '../../users-store.ts'
import {
  passkeyAddedLetter,
  passkeyCopiedLetter,
  passkeyRemovedLetter,
} from '../second-factor/factor-letters.ts'
import { giveChallenge, type Purpose, spendChallenge, takeChallenge } from './passkey-challenge.ts'
import {
  creationOptions,
  handleOf,
  requestOptions,
  verifyCreation,
  verifySignIn,
} from './passkey-protocol.ts'
import {
  addPasskey,
  credentialsOf,
  findPasskey,
  notePasskeyUse,
  type Passkey,
  presentPasskey,
  removePasskey,
} from './passkeys-store.ts'

export type PasskeysDeps = {
  db: Db
  clock: Clock
  mailer: Mailer
  cookies: CookieSettings
  config: { publicUrl: string }
}

const TOO_LATE = 'This took too long. Please try again.'
const NOT_ADDED = 'This passkey could not be added. Please try again.'
const SIGN_IN: Purpose = { cookie: 'passkey_sign_in' }
const addTo = (userId: string): Purpose => ({ cookie: 'passkey_add', userId })

/** Passkeys: a device or password manager signs what we give it, for this site only. */
export class Passkeys {
  readonly #deps: PasskeysDeps

  constructor(deps: PasskeysDeps) {
    this.#deps = deps
  }

  /** What a browser needs to make a passkey for its account. @throws AppError passkeys_full */
  async creationOptions(request: FastifyRequest, reply: FastifyReply) {
    const { db, config } = this.#deps
    const user = await this.#account(request.userId)
    const rows = await credentialsOf(db, user.id)
    if (rows.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
    const known = rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) }))
    const { id: challenge } = giveChallenge(this.#deps, request, reply, addTo(user.id))
    return creationOptions(config, { challenge, user, known })
  }

  /** Adds what the browser made. @throws AppError invalid_input, passkeys_full */
  async add(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, response }: NewPasskey,
  ): Promise<PasskeyEntry> {
    const { db, clock, config, mailer } = this.#deps
    const account = await this.#account(request.userId)
    const challenge = takeChallenge(this.#deps, request, reply, addTo(account.id))
    if (!challenge) throw new AppError('invalid_input', TOO_LATE)
    const made = await orRefused(request, verifyCreation(config, challenge.id, response))
    if (!made) throw new AppError('invalid_input', NOT_ADDED)
    const row = {
      user_id: account.id,
      name: name || (originOf(request).device ?? 'Passkey'),
      added_at: clock().getTime(),
      ...columnsOf(made, response.response.transports),
    }
    const added = await transact(db, async (tx) => {
      await lockUser(tx, account.id)
      if (!(await spendChallenge(tx, challenge)) || (await findPasskey(tx, made.id))) {
        throw new AppError('invalid_input', NOT_ADDED)
      }
      const passkey = await addPasskey(tx, row)
      if (!passkey) throw new AppError('passkeys_full')
      await recordAndTell(tx, this.#deps, {
        event: 'passkey-added',
        account,
        origin: originOf(request),
        subject: passkey.id,
        letter: (happening) => passkeyAddedLetter(happening, passkey.name, account),
      })
      return passkey
    })
    mailer.soon()
    return presentPasskey(added)
  }

  /** @throws AppError not_found, also for another account's */
  async remove(request: FastifyRequest, id: string): Promise<void> {
    const { db, mailer } = this.#deps
    const account = await this.#account(request.userId)
    await transact(db, async (tx) => {
      const name = await removePasskey(tx, account.id, id)
      if (name === undefined) throw new AppError('not_found')
      await recordAndTell(tx, this.#deps, {
        event: 'passkey-removed',
        account,
        origin: originOf(request),
        subject: id,
        letter: (happening) => passkeyRemovedLetter(happening, name, account),
      })
    })
    mailer.soon()
  }

  /** What a browser needs to find a passkey of this site, whoever it belongs to. */
  requestOptions(request: FastifyRequest, reply: FastifyReply) {
    const { id } = giveChallenge(this.#deps, request, reply, SIGN_IN)
    return requestOptions(this.#deps.config, id)
  }

  /** Whose passkey answered. @throws AppError passkey_refused */
  async ownerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: PasskeySignIn['response'],
  ): Promise<AccountRow> {
    const { db, clock, config } = this.#deps
    const challenge = takeChallenge(this.#deps, request, reply, SIGN_IN)
    if (!challenge) throw new AppError('passkey_refused', TOO_LATE)
    const passkey = await findPasskey(db, answer.id)
    // §7.2 step 6: who was not named before is named by the passkey.
    if (!passkey || answer.response.userHandle !== handleOf(passkey.user_id)) {
      throw new AppError('passkey_refused')
    }
    const given = { answer, credential: credentialOf(passkey) }
    const counter = await orRefused(request, verifySignIn(config, challenge.id, given))
    const account = await findAccount(db, { id: passkey.user_id })
    if (counter === undefined || !account || !(await spendChallenge(db, challenge))) {
      throw new AppError('passkey_refused')
    }
    if (await notePasskeyUse(db, passkey.id, { counter, now: clock() })) return account
    await this.#tellOfCopy(request, account, passkey)
    throw new AppError('passkey_refused')
  }

  /** Tells the owner that the count of a passkey went back, unless it was removed just now. */
  async #tellOfCopy(request: FastifyRequest, account: AccountRow, { id, credential_id }: Passkey) {
    const { db, mailer } = this.#deps
    await transact(db, async (tx) => {
      const passkey = await findPasskey(tx, credential_id)
      if (!passkey) return
      await recordAndTell(tx, this.#deps, {
        event: 'passkey-copied',
        account,
        origin: originOf(request),
        actor: 'stranger',
        subject: id,
        letter: (happening) => passkeyCopiedLetter(happening, passkey.name, account),
      })
    })
    mailer.soon()
  }

  async #account(userId: string): Promise<AccountRow> {
    const account = await findAccount(this.#deps.db, { id: userId })
    if (!account) throw new AppError('unauthorized')
    return account
  }
}

/** What is checked, or undefined. The log says why, such as a PUBLIC_URL that is not the one in use. */
async function orRefused<T>(request: FastifyRequest, check: Promise<T>): Promise<T | undefined> {
  try {
    return await check
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    request.log.info({ reason }, 'a passkey is refused')
    return undefined
  }
}

const transportsOf = (row: Pick<Passkey, 'transports'>): string[] => JSON.parse(row.transports)

function columnsOf({ id, publicKey, counter }: WebAuthnCredential, transports: string[]) {
  return {
    ...{ credential_id: id, counter, transports: JSON.stringify(transports) },
    public_key: Buffer.from(publicKey).toString('base64url'),
  }
}

function credentialOf(row: Passkey): WebAuthnCredential {
  const publicKey = new Uint8Array(Buffer.from(row.public_key, 'base64url'))
  return { id: row.credential_id, publicKey, counter: row.counter, transports: transportsOf(row) }
}
