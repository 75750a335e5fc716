import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/*
 * Secrets that the server must read again are encrypted in the database: a copy of it, such as a
 * backup, opens no account. AES-256-GCM; the key comes from the one that signs cookies (RFC 5869).
 */

const IV_BYTES = 12
const TAG_BYTES = 16

const keyOf = (key: string) =>
  Buffer.from(hkdfSync('sha256', key, '', 'Tessera: secrets of second factors', 32))

/** `secret`, readable only with this key and for this account. */
export function seal(key: string, userId: string, secret: Uint8Array): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), iv).setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** What was sealed; undefined where key or account is another one, or the text is damaged. */
export function unseal(key: string, userId: string, sealed: string): Uint8Array | undefined {
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
