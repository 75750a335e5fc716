import { tagOf } from './code-values.ts'
import { z } from './zod.ts'

/** RFC 9110 §8.8.3: an entity tag, weak or strong. A tag may hold a comma, but no quote. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const PLACE = String.raw`[ \t]*(?:${TAG}[ \t]*)?`
const LIST = new RegExp(`^${PLACE}(?:,${PLACE})*$`)
/** Characters of the header: enough for every version that a client has read. */
const TEXT_MAX = 1000

/** The header If-Match (RFC 9110 §13.1.1): `*`, or a list of tags, in which places may be empty. */
export const ifMatch = z
  .string()
  .max(TEXT_MAX)
  .transform((text, context): '*' | string[] => {
    if (text.trim() === '*') return '*'
    const tags: string[] = LIST.test(text) ? (text.match(new RegExp(TAG, 'g')) ?? []) : []
    if (tags.length > 0) return tags
    context.addIssue({
      code: 'custom',
      message: 'If-Match must be * or a list of tags such as "3"',
    })
    return z.NEVER
  })
export type IfMatch = z.output<typeof ifMatch>

/** Whether a version meets the condition. A weak tag meets none: the comparison is the strong one. */
export const isMatch = (condition: IfMatch | undefined, version: number): boolean =>
  condition === undefined || condition === '*' || condition.includes(tagOf(version))

/**
 * Headers of the calls that make codes. A call that is repeated with the same key makes nothing again
 * and has the same answer, for 24 hours: draft-ietf-httpapi-idempotency-key-header-07.
 */
export const onceHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'Idempotency-Key has 1 to 255 printable ASCII characters')
    .optional(),
})
