import type { WebAuthnCredential } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownerProof, passkeyEntry } from '#contract/accounts/account-settings.ts'
import { signInAnswer } from '#contract/accounts/accounts.ts'
import {
  newPasskey,
  PASSKEYS_MAX,
  type PasskeySignIn,
  passkeyOptions,
  passkeySignIn,
} from '#contract/accounts/passkeys.ts'
import { idParams } from '#contract/zod.ts'
import { checkedActor, sessionOf } from '../../../actor.ts'
import type { PersonId } from '../../../database/ids.ts'
import { AppError } from '../../../http/errors.ts'
import { count } from '../../../http/limits/counts-store.ts'
import { memoryLimits } from '../../../http/limits/limits.ts'
import { rateLimit } from '../../../http/limits/memory-counts.ts'
import { clientAddress } from '../../../http/policy/client-address.ts'
import type { Api } from '../../../room.ts'
import { changeAccount } from '../../account-events.ts'
import { passkeyAddedLetter, passkeyCopiedLetter, passkeyRemovedLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { demandPasswordLogin } from '../../passwords/password-rules.ts'
import { noteOwnerProof } from '../../sessions/sessions-store.ts'
import { type AccountRow, findAccount, ownAccount } from '../../users-store.ts'
import type { SignInDeps } from '../sign-in.ts'
import {
  consumeChallenge,
  creationOptions,
  giveChallenge,
  handleOf,
  type Purpose,
  requestOptions,
  takeChallenge,
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

/**
 * Passkeys at the sign-in and in the settings: a device or password manager signs what we give it, for this site
 * only.
 */
export async function passkeyRoutes(app: Api, deps: SignInDeps) {
  const { db, clock, signIns, requireUser, demandOwner } = deps
  const ofOwner = { onRequest: requireUser }

  /** Options for a browser to find a passkey of this site, of any account. */
  const anyPasskey = {
    onRequest: rateLimit(memoryLimits.visits, clientAddress),
    schema: { response: { 200: passkeyOptions } },
  }
  app.post('/api/auth/passkey/options', anyPasskey, async (request, reply) => {
    demandPasswordLogin(deps)
    reply.header('cache-control', 'no-store')
    const { id } = giveChallenge(deps, request, reply, SIGN_IN)
    return { ...requestOptions(deps, id) }
  })

  const byPasskey = { schema: { body: passkeySignIn, response: { 200: signInAnswer } } }
  app.post('/api/auth/sign-in/passkey', byPasskey, async (request, reply) => {
    demandPasswordLogin(deps)
    await count(db, 'sign-ins', clientAddress(request), clock())
    const account = await ownerOf(request, reply, request.body.response)
    const passkey = request.body.response.id
    return signIns.complete(request, reply, { account, method: 'passkey', passkey })
  })

  /** Options for a browser to make a passkey for its account. @throws AppError passkeys_full */
  const making = { ...ofOwner, schema: { body: ownerProof, response: { 200: passkeyOptions } } }
  app.post('/api/account/passkeys/options', making, async (request, reply) => {
    demandPasswordLogin(deps)
    await demandOwner(request, request.body.password)
    const user = await ownAccount(db, request.actor.personId)
    const rows = await credentialsOf(db, user.id)
    if (rows.length >= PASSKEYS_MAX) throw new AppError('passkeys_full')
    const known = rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) }))
    const { id: challenge } = giveChallenge(deps, request, reply, addTo(user.id))
    return { ...creationOptions(deps, { challenge, user, known }) }
  })

  /** Adds what the browser made. @throws AppError invalid_input, passkeys_full */
  const adding = { ...ofOwner, schema: { body: newPasskey, response: { 200: passkeyEntry } } }
  app.post('/api/account/passkeys', adding, async (request, reply) => {
    demandPasswordLogin(deps)
    const { personId: userId } = request.actor
    const { name, response } = request.body
    const challenge = takeChallenge(deps, request, reply, addTo(userId))
    if (!challenge) throw new AppError('invalid_input', TOO_LATE)
    const made = await orRefused(request, verifyCreation(deps, challenge.id, response))
    if (!made) throw new AppError('invalid_input', NOT_ADDED)
    const row = {
      user_id: userId,
      name: name || (originOf(request).device ?? 'Passkey'),
      added_at: clock().getTime(),
      credential_id: made.id,
      counter: made.counter,
      transports: JSON.stringify(response.response.transports),
      public_key: Buffer.from(made.publicKey).toString('base64url'),
    }
    return changeAccount(deps, request.actor, async ({ tx, report }) => {
      if (!(await consumeChallenge(tx, challenge)) || (await findPasskey(tx, made.id))) {
        throw new AppError('invalid_input', NOT_ADDED)
      }
      const passkey = await addPasskey(tx, row)
      if (!passkey) throw new AppError('passkeys_full')
      const session = sessionOf(request)
      if (session) await noteOwnerProof(tx, session.id)
      const { id: subject, name } = passkey
      await report('passkey-added', (context) => passkeyAddedLetter(context, name), { subject })
      return presentPasskey(passkey)
    })
  })

  const one = { ...ofOwner, schema: { params: idParams } }
  app.delete('/api/account/passkeys/:id', one, async (request, reply) => {
    const { id } = request.params
    await changeAccount(deps, request.actor, async ({ tx, account, report }) => {
      const name = await removePasskey(tx, account.id, id)
      if (name === undefined) throw new AppError('not_found')
      const about = { subject: id }
      await report('passkey-removed', (context) => passkeyRemovedLetter(context, name), about)
    })
    return reply.code(204).send()
  })

  /** The account whose passkey answered. @throws AppError passkey_refused */
  async function ownerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: PasskeySignIn['response'],
  ): Promise<AccountRow> {
    const challenge = takeChallenge(deps, request, reply, SIGN_IN)
    if (!challenge) throw new AppError('passkey_refused', TOO_LATE)
    const passkey = await findPasskey(db, answer.id)
    // §7.2 step 6: the passkey names its account.
    if (!passkey || answer.response.userHandle !== handleOf(passkey.user_id)) {
      throw new AppError('passkey_refused')
    }
    const given = { answer, credential: credentialOf(passkey) }
    const counter = await orRefused(request, verifySignIn(deps, challenge.id, given))
    const account = await findAccount(db, { id: passkey.user_id })
    if (counter === undefined || !account || !(await consumeChallenge(db, challenge))) {
      throw new AppError('passkey_refused')
    }
    if (await notePasskeyUse(db, passkey.id, { counter, now: clock() })) return account
    await reportCopy(request, passkey)
    throw new AppError('passkey_refused')
  }

  /** Mails the owner that the count of a passkey went back, unless it was removed just now. */
  async function reportCopy(request: FastifyRequest, passkey: Passkey) {
    const { id, name, user_id: userId, credential_id } = passkey
    const by = checkedActor(userId, originOf(request))
    await changeAccount(deps, by, async ({ tx, report }) => {
      if (!(await findPasskey(tx, credential_id))) return
      const about = { actor: 'stranger', subject: id } as const
      await report('passkey-copied', (context) => passkeyCopiedLetter(context, name), about)
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
