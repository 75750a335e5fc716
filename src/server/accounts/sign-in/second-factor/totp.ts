import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * Codes of authenticator apps (RFC 6238), with what every app takes: SHA-1, six digits, 30 seconds.
 */

const STEP_MS = 30_000
const DIGITS = 6
/** Bytes of a secret: as many as the hash has (RFC 4226 §4, R6). */
export const TOTP_SECRET_BYTES = 20
/** Time steps that the clock of a phone may be off, either way. */
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

/** The time step near `now` whose code this is; undefined for a code that is wrong. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | undefined {
  const here = stepAt(now)
  for (let step = here - STEPS_OFF; step <= here + STEPS_OFF; step++) {
    if (isSame(codeOfStep(secret, step), code)) return step
  }
  return undefined
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The digits of a code as somebody typed it, "123 456"; undefined for what is no such code. */
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
