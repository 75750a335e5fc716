import { z } from 'zod'
import { CONTROL, TURNING } from './codes/code-values.ts'

// Zod probes `new Function` to compile its parsers; a page with a strict
// Content-Security-Policy would report that probe, so browsers interpret.
if ('window' in globalThis) z.config({ jitless: true })

export { z }

/*
 * Fields with what they mean, for the API's description.
 */

export const text = (words: string) => z.string().describe(words)
export const textOrNull = (words: string) => z.string().nullable().describe(words)
export const flag = (words: string) => z.boolean().describe(words)
export const whole = (words: string) => z.int().describe(words)
export const wholeOrNull = (words: string) => z.int().nullable().describe(words)
export const oneOf = <const Values extends readonly string[]>(values: Values, words: string) =>
  z.enum(values).describe(words)
/** An instant in any zone, of years that every calendar can show */
export const anyTime = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1970 && year < 9999
}, 'Must be a time from 1970 to 9998')
/** A number of a query, which is text */
export const countFrom1 = z.coerce.number().int().min(1)
export const instant = z.iso.datetime()
export const time = (words: string) => instant.describe(words)
export const timeOrNull = (words: string) => instant.nullable().describe(words)
export const list = <Item extends z.ZodType>(item: Item, words: string) =>
  z.array(item).describe(words)

/** The words of a schema, for another one that means the same */
export const wordsOf = (schema: z.ZodType) => schema.description ?? ''

/** The id of a thing in an answer */
export const ownId = text('Never changes.')

/** The path of a call on one thing. A text that is not an id is answered like the id of a missing thing. */
export const idParams = z.object({
  id: text('The id of what the call is about, as the lists have it.'),
})

/** A code in an answer about something else */
export const shownCode = z.strictObject({
  id: ownId,
  name: text('The name of the code.'),
})

export const idsUpTo = (max: number, words: string) =>
  list(z.string(), words).max(max, `Choose at most ${max.toLocaleString('en-US')} QR codes`)

/** Codes that a person has chosen, by their ids */
export const chosenOf = (max: number, words: string) =>
  idsUpTo(max, words).min(1, 'Choose at least one QR code')

export const URL_WORDS = 'The page the code leads to, with http:// or https://.'

export const createdAt = time('When it was created.')
export const scannedAt = time('When it was scanned.')

/** Nothing that can be seen */
const INVISIBLE = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]+$/u

/** Text that a person typed: trimmed, well-formed Unicode, no control characters, nothing that turns its surroundings. */
export const plainText = z
  .string()
  .trim()
  .overwrite((text) => (INVISIBLE.test(text) ? '' : text))
  .refine(
    (text) => !CONTROL.test(text) && !TURNING.test(text) && text.isWellFormed(),
    'Contains characters that cannot be used',
  )
