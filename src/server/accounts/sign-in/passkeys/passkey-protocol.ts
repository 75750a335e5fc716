import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { NewPasskey, PasskeySignIn } from '#contract/accounts/passkeys.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { isAhead } from '../../../clock.ts'
import { NOBODY, type PersonId } from '../../../database/ids.ts'
import { addNew } from '../../../database/rows.ts'
import type { Db } from '../../../database/schema.ts'
import type { RoomDeps } from '../../../room.ts'
import { readCookie, setCookie } from '../../sessions/cookies.ts'
import { newToken } from '../../sessions/sessions-store.ts'

/*
 * WebAuthn Level 3 as we use it: passkeys that name their account themselves and verify their user by a
 * finger, a face or a PIN. The library is loaded when the first answer comes: it takes 30 MB.
 */

/** The site that passkeys belong to */
type Site = { publicUrl: string }

/** How long a browser waits for its user */
const TIMEOUT_MS = 5 * MINUTE_MS
/** The signatures that the library checks by default: ES256, Ed25519 and RS256 (IANA COSE Algorithms). */
const ALGORITHMS = [-7, -8, -257]

/** Far above the largest keys that authenticators make, which are of RSA. */
const KEY_MAX_BYTES = 2_048

const rpIdOf = ({ publicUrl }: Site) => new URL(publicUrl).hostname

export function creationOptions(
  site: Site,
  given: {
    challenge: string
    user: { id: PersonId; email: string; name: string }
    /** The account's passkeys, so that a device does not make a second one */
    known: { id: string; transports: string[] }[]
  },
): PublicKeyCredentialCreationOptionsJSON {
  const { challenge, user, known } = given
  return {
    challenge,
    rp: { name: 'Tessera', id: rpIdOf(site) },
    user: { id: handleOf(user.id), name: user.email, displayName: user.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map((credential) => ({ ...credential, type: 'public-key' })),
    // A key that cannot keep a passkey could never sign in here, where no address is asked for.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    extensions: { credProps: true },
  }
}

export function requestOptions(
  site: Site,
  challenge: string,
): PublicKeyCredentialRequestOptionsJSON {
  return { challenge, rpId: rpIdOf(site), timeout: TIMEOUT_MS, userVerification: 'required' }
}

/** An account's handle in a passkey (§5.4.3), without personal data. */
export const handleOf = (userId: PersonId) => Buffer.from(userId).toString('base64url')

/** The new passkey in an answer. @throws if anything about it is wrong */
export async function verifyCreation(
  site: Site,
  challenge: string,
  answer: NewPasskey['response'],
): Promise<WebAuthnCredential> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const attestationObject = await withoutAttestation(answer.response.attestationObject)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...answer, response: { ...answer.response, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: site.publicUrl,
    expectedRPID: rpIdOf(site),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('The attestation is not right')
  const { credential } = registrationInfo
  if (credential.publicKey.length > KEY_MAX_BYTES) throw new Error('The public key is too large')
  return credential
}

/**
 * Checks an answer of a passkey. Returns its count, which `notePasskeyUse` compares with the one before.
 * @throws if anything else about it is wrong
 */
export async function verifySignIn(
  site: Site,
  challenge: string,
  { answer, credential }: { answer: PasskeySignIn['response']; credential: WebAuthnCredential },
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: site.publicUrl,
    expectedRPID: rpIdOf(site),
    // With a count, a copy would be refused before its signature is checked.
    credential: { ...credential, counter: 0 },
    requireUserVerification: true,
  })
  if (!verified) throw new Error('The signature is not right')
  return authenticationInfo.newCounter
}

/**
 * An attestation without the certificate of the authenticator's maker. We ask for none and read none:
 * a certificate can name addresses that the server would load.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import(
    '@simplewebauthn/server/helpers'
  )
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const plain = new Map<string, string | Uint8Array | Map<string, string>>()
  plain.set('fmt', 'none').set('attStmt', new Map()).set('authData', authData)
  return isoBase64URL.fromBuffer(isoCBOR.encode(plain))
}

/** The bytes that an authenticator signs, in base64url, and until when they count */
type PasskeyChallenge = { id: string; until: number }

/** Long, because the sign-in page asks for one as it opens and may be open for a while. */
const LIFE_MS = 30 * MINUTE_MS

type Deps = Pick<RoomDeps, 'clock' | 'publicUrl' | 'secret'>

/** A challenge is for signing in, or for adding a passkey to an account. */
export type Purpose = { cookie: 'passkey_sign_in' | 'passkey_add'; userId?: PersonId }

/**
 * Gives this browser a challenge in a signed cookie. Two tabs of the sign-in page share it, so that
 * both work; its time is never extended.
 */
export function giveChallenge(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge {
  const now = deps.clock().getTime()
  const given = readChallenge(deps, request, purpose)
  if (given && given.until - now > LIFE_MS / 2) return given
  const id = newToken()
  const until = now + LIFE_MS
  const value = [id, until, purpose.userId ?? ''].join(' ')
  setCookie(reply, deps, { name: purpose.cookie, value, seconds: LIFE_MS / 1000 })
  return { id, until }
}

/** Takes the challenge back for an answer; undefined if this browser has none that counts. */
export function takeChallenge(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge | undefined {
  setCookie(reply, deps, { name: purpose.cookie, value: '', seconds: 0 })
  return readChallenge(deps, request, purpose)
}

function readChallenge(deps: Deps, request: FastifyRequest, { cookie, userId = NOBODY }: Purpose) {
  const [id, time, owner] = readCookie(request, deps, cookie)?.split(' ') ?? []
  const until = Number(time)
  return id && owner === userId && isAhead(until, LIFE_MS, deps.clock()) ? { id, until } : undefined
}

/** Marks a challenge as answered. @returns false if it was already: this answer is a replay */
export async function consumeChallenge(db: Db, challenge: PasskeyChallenge): Promise<boolean> {
  return addNew(db, 'used_challenges', { id: challenge.id, expires_at: challenge.until })
}
