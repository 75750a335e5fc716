import { randomInt } from 'node:crypto'
import { z } from '#contract/zod.ts'

/** Without vowels, so that no word comes up by chance, and without 0 1 i l o, which look alike. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'
const SHORT_CODE_LENGTH = 7

/** A new short code: 27^7 = 10^10 possible ones, not guessable in sequence. */
export function newShortCode(): string {
  let rest = randomInt(ALPHABET.length ** SHORT_CODE_LENGTH)
  let code = ''
  while (code.length < SHORT_CODE_LENGTH) {
    code += ALPHABET[rest % ALPHABET.length]
    rest = Math.floor(rest / ALPHABET.length)
  }
  return code
}

/** A name that `newShortCode` could have made, in any capitals */
export const shortCode = z
  .string()
  .toLowerCase()
  .regex(new RegExp(`^[${ALPHABET}]{${SHORT_CODE_LENGTH}}$`))
