import { randomBytes, type ScryptOptions, scryptSync, timingSafeEqual } from 'node:crypto'

/**
 * OWASP Password Storage Cheat Sheet: scrypt with N=2^14, r=8, p=5 takes 16 MB a hash, so a burst of
 * sign-ins cannot exhaust the memory. A hash does not name its cost: all in a database have the same.
 */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 5, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 64
const SALT_BYTES = 16

/**
 * The key that scrypt makes of a password. At the usual cost it takes a quarter of a second, so it
 * belongs in a thread of hashing.ts.
 */
export function deriveKey(password: string, salt: Uint8Array, cost = COST): Uint8Array {
  return scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, cost)
}

/** `deriveKey`, in any thread. */
export type Derive = (password: string, salt: Uint8Array) => Promise<Uint8Array>

/** A salted scrypt hash as `salt:key`, both in hexadecimal. */
export async function hashPassword(password: string, derive: Derive): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = Buffer.from(await derive(password, salt))
  return `${salt.toString('hex')}:${key.toString('hex')}`
}

export async function verifyPassword(given: { hash: string; password: string }, derive: Derive) {
  const [salt = '', key = ''] = given.hash.split(':')
  const expected = Buffer.from(key, 'hex')
  const actual = await derive(given.password, Buffer.from(salt, 'hex'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
