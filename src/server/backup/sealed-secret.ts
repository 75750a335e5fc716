import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/** The session secret, encrypted by AES-256-GCM with a key that scrypt makes of BACKUP_KEY; all base64url */
export type SealedSecret = { salt: string; iv: string; tag: string; text: string }

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
/** OWASP's cheat sheet for passwords: N = 2^17, r = 8, p = 1, which takes 128 MB */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 << 20 }

const text = (bytes: Buffer) => bytes.toString('base64url')
const bytes = (part: string) => Buffer.from(part, 'base64url')

export function sealSecret(secret: string, backupKey: string): SealedSecret {
  const [salt, iv] = [randomBytes(KEY_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv(CIPHER, scryptSync(backupKey, salt, KEY_BYTES, COST), iv)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return { salt: text(salt), iv: text(iv), tag: text(cipher.getAuthTag()), text: text(sealed) }
}

/** The secret, or undefined if the key is another one. */
export function openSecret(sealed: SealedSecret, backupKey: string): string | undefined {
  const key = scryptSync(backupKey, bytes(sealed.salt), KEY_BYTES, COST)
  const decipher = createDecipheriv(CIPHER, key, bytes(sealed.iv))
  decipher.setAuthTag(bytes(sealed.tag))
  try {
    return Buffer.concat([decipher.update(bytes(sealed.text)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
