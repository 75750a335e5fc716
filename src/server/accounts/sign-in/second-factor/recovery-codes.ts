import { hash, randomBytes } from 'node:crypto'

/** Crockford's Base 32: nobody reads one letter for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: too many to try, even for somebody who has the hashes. */
const CHARACTERS = 16
const CODES = 10

/** Ten codes for the day when the phone is gone, such as `7k2m-x0q9-4hcd-n8vt`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % 32])
    return characters.join('').replace(/.{4}(?!$)/g, '$&-')
  })
}

/** The hash of a code as somebody typed it: in any case, with or without dashes, with O for 0. */
export function recoveryHash(typed: string): string {
  const plain = typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/o/g, '0')
    .replace(/[il]/g, '1')
  return hash('sha256', plain, 'base64url')
}
