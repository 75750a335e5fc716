import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import type { PersonId } from '../../../database/ids.ts'
import type { RoomDeps } from '../../../room.ts'
import { isSame } from '../../../same-secret.ts'

/*
 * Codes of authenticator apps (RFC 6238), with what every app takes: SHA-1, six digits, 30 seconds. And the
 * recovery codes for the day when the phone is gone.
 */

const STEP_MS = 30_000
const DIGITS = 6
/** Bytes of a secret: as many as the hash has (RFC 4226 §4, R6). */
export const TOTP_SECRET_BYTES = 20
/** Time steps that the clock of a phone may be off, either way */
const STEPS_OFF = 1

/** The time step of an instant. */
export const stepAt = (now: Date) => Math.floor(now.getTime() / STEP_MS)

/** The code of a time step (RFC 4226 §5.3). */
export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step near `now` that has this code; undefined for a wrong code. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | undefined {
  const here = stepAt(now)
  for (let step = here - STEPS_OFF; step <= here + STEPS_OFF; step++) {
    if (isSame(code, codeOfStep(secret, step))) return step
  }
  return undefined
}

/** The digits of a typed code, such as "123 456"; undefined for other text. */
export function digitsOf(typed: string): string | undefined {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, without padding, as apps take it. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const fives = bits.match(/.{1,5}/g) ?? []
  return fives.map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address that an authenticator app reads from a QR code (Google Authenticator's "Key Uri Format"). */
export function totpUri(secret: Uint8Array, email: string): string {
  return `otpauth://totp/Tessera:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=Tessera`
}

/** Crockford's Base 32, without letters that look alike */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: too many to try, even with the hashes at hand */
const CHARACTERS = 16
const CODES = 10

/** Makes ten recovery codes, such as `7k2m-x0q9-4hcd-n8vt`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % 32])
    return characters.join('').replace(/.{4}(?!$)/g, '$&-')
  })
}

/** The hash of a typed code: in any case, with or without dashes, with O for 0. */
export function recoveryHash(typed: string): string {
  const plain = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return hash('sha256', plain, 'base64url')
}

/*
 * Secrets that the server must read again are encrypted in the database: a copy of it, such as a
 * backup, opens no account. AES-256-GCM; the key comes from the one that signs cookies (RFC 5869).
 */

const IV_BYTES = 12
const TAG_BYTES = 16

const keyOf = (key: string) =>
  Buffer.from(hkdfSync('sha256', key, '', 'Tessera: secrets of second factors', 32))

/** `secret`, readable only with this key and for this account. */
export function seal(key: string, userId: PersonId, secret: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** The secret; undefined if it was sealed with another key or for another account, or is damaged. */
export function unseal(key: string, userId: PersonId, sealed: string): Uint8Array | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
  try {
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv('aes-256-gcm', keyOf(key), iv, options)
    decipher.setAAD(Buffer.from(userId)).setAuthTag(tag)
    const text = bytes.subarray(IV_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}

/** The time step of a typed code by a sealed secret; undefined for a wrong code. */
export function stepOfTyped(
  { secret: key, clock }: Pick<RoomDeps, 'secret' | 'clock'>,
  userId: PersonId,
  { sealed, typed }: { sealed: string; typed: string },
): number | undefined {
  const digits = digitsOf(typed)
  // Undefined after a change of SESSION_SECRET. Recovery codes still work then.
  const secret = unseal(key, userId, sealed)
  return digits && secret ? stepOfCode(secret, digits, clock()) : undefined
}
