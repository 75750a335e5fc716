import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PasskeyEntry } from '#contract/account-settings.ts'
import { type NewPasskey, PASSKEYS_MAX, type PasskeySignIn } from '#contract/passkeys.ts'
import { checkedActor, sessionOf } from '../../../actor.ts'
import type { PersonId } from '../../../database/ids.ts'
import { AppError } from '../../../http/errors.ts'
import type { AccountDeps } from '../../account-deps.ts'
import { changeAccount } from '../../account-events.ts'
import { passkeyAddedLetter, passkeyCopiedLetter, passkeyRemovedLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { noteProof } from '../../sessions/sessions-store.ts'
import { type AccountRow, findAccount, ownAccount } from '../../users-store.ts'
import {
  consumeChallenge,
  giveChallenge,
  type Purpose,
  takeChallenge,
} from './passkey-challenge.ts'
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

const TOO_LATE = 'This took too long. Please try again.'
const NOT_ADDED = 'We couldn’t add this passkey. Please try again.'
const SIGN_IN: Purpose = { cookie: 'passkey_sign_in' }
const addTo = (userId: PersonId): Purpose => ({ cookie: 'passkey_add', userId })

/** Passkeys: a device or password manager signs what we give it, for this site only. */
export class Passkeys {
  readonly #deps: AccountDeps

  constructor(deps: AccountDeps) {
    this.#deps = deps
  }

  /** Options for a browser to make a passkey for its account. @throws AppError passkeys_full */
  async creationOptions(request: FastifyRequest, reply: FastifyReply) {
    const { db } = this.#deps
    const user = await ownAccount(db, request.actor.personId)
    const rows = await credentialsOf(db, user.id)
    if (rows.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
    const known = rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) }))
    const { id: challenge } = giveChallenge(this.#deps, request, reply, addTo(user.id))
    return creationOptions(this.#deps, { challenge, user, known })
  }

  /** Adds what the browser made. @throws AppError invalid_input, passkeys_full */
  async add(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, response }: NewPasskey,
  ): Promise<PasskeyEntry> {
    const { personId: userId } = request.actor
    const challenge = takeChallenge(this.#deps, request, reply, addTo(userId))
    if (!challenge) throw new AppError('invalid_input', TOO_LATE)
    const made = await orRefused(request, verifyCreation(this.#deps, challenge.id, response))
    if (!made) throw new AppError('invalid_input', NOT_ADDED)
    const row = {
      user_id: userId,
      name: name || (originOf(request).device ?? 'Passkey'),
      added_at: this.#deps.clock().getTime(),
      credential_id: made.id,
      counter: made.counter,
      transports: JSON.stringify(response.response.transports),
      public_key: Buffer.from(made.publicKey).toString('base64url'),
    }
    return changeAccount(this.#deps, request.actor, async ({ tx, account, report }) => {
      if (!(await consumeChallenge(tx, challenge)) || (await findPasskey(tx, made.id))) {
        throw new AppError('invalid_input', NOT_ADDED)
      }
      const passkey = await addPasskey(tx, row)
      if (!passkey) throw new AppError('passkeys_full')
      const session = sessionOf(request)
      if (session) await noteProof(tx, session.id)
      await report(
        'passkey-added',
        (context) => passkeyAddedLetter(context, { name: passkey.name, account }),
        { subject: passkey.id },
      )
      return presentPasskey(passkey)
    })
  }

  /** @throws AppError not_found, also for another account's */
  async remove(request: FastifyRequest, id: string): Promise<void> {
    await changeAccount(this.#deps, request.actor, async ({ tx, account, report }) => {
      const name = await removePasskey(tx, account.id, id)
      if (name === undefined) throw new AppError('not_found')
      await report(
        'passkey-removed',
        (context) => passkeyRemovedLetter(context, { name, account }),
        { subject: id },
      )
    })
  }

  /** Options for a browser to find a passkey of this site, of any account. */
  requestOptions(request: FastifyRequest, reply: FastifyReply) {
    const { id } = giveChallenge(this.#deps, request, reply, SIGN_IN)
    return requestOptions(this.#deps, id)
  }

  /** The account whose passkey answered. @throws AppError passkey_refused */
  async ownerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: PasskeySignIn['response'],
  ): Promise<AccountRow> {
    const { db, clock } = this.#deps
    const challenge = takeChallenge(this.#deps, request, reply, SIGN_IN)
    if (!challenge) throw new AppError('passkey_refused', TOO_LATE)
    const passkey = await findPasskey(db, answer.id)
    // §7.2 step 6: the passkey names its account.
    if (!passkey || answer.response.userHandle !== handleOf(passkey.user_id)) {
      throw new AppError('passkey_refused')
    }
    const given = { answer, credential: credentialOf(passkey) }
    const counter = await orRefused(request, verifySignIn(this.#deps, challenge.id, given))
    const account = await findAccount(db, { id: passkey.user_id })
    if (counter === undefined || !account || !(await consumeChallenge(db, challenge))) {
      throw new AppError('passkey_refused')
    }
    if (await notePasskeyUse(db, passkey.id, { counter, now: clock() })) return account
    await this.#reportCopy(request, passkey)
    throw new AppError('passkey_refused')
  }

  /** Mails the owner that the count of a passkey went back, unless it was removed just now. */
  async #reportCopy(request: FastifyRequest, passkey: Passkey) {
    const { id, name, user_id: userId, credential_id } = passkey
    const by = checkedActor(userId, originOf(request))
    await changeAccount(this.#deps, by, async ({ tx, account, report }) => {
      if (!(await findPasskey(tx, credential_id))) return
      await report('passkey-copied', (context) => passkeyCopiedLetter(context, { name, account }), {
        actor: 'stranger',
        subject: id,
      })
    })
  }
}

/** The result of a check, or undefined. The log says why, such as a PUBLIC_URL that is not the one in use. */
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

function credentialOf(row: Passkey): WebAuthnCredential {
  const publicKey = new Uint8Array(Buffer.from(row.public_key, 'base64url'))
  return { id: row.credential_id, publicKey, counter: row.counter, transports: transportsOf(row) }
}
