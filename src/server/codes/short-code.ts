import { randomInt } from 'node:crypto'

/** No vowels, so that no word arises by chance; no 0 1 i l o, which people mistake for each other. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'
const LENGTH = 7

/** A new short code: 27^7 = 10^10 possible ones, not guessable in sequence. */
export function newShortCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
