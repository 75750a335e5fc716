import { tagOf } from './codes/code-values.ts'
import { z } from './zod.ts'

/** RFC 9110 §8.8.3: an entity tag, weak or strong. A tag may hold a comma, but no quote. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const PLACE = String.raw`[ \t]*(?:${TAG}[ \t]*)?`
const LIST = new RegExp(`^${PLACE}(?:,${PLACE})*$`)
/** Characters of the header: enough for every version that a client has read. */
const TEXT_MAX = 1000

/** A condition on the version (RFC 9110 §13.1.1, §13.1.2): `*`, or a list of tags, in which places may be empty. */
const condition = (header: string, words: string) =>
  z
    .string()
    .max(TEXT_MAX)
    .transform((text, context): '*' | string[] => {
      if (text.trim() === '*') return '*'
      const tags: string[] = LIST.test(text) ? (text.match(new RegExp(TAG, 'g')) ?? []) : []
      if (tags.length > 0) return tags
      context.addIssue({
        code: 'custom',
        message: `${header} must be * or a list of tags such as "3"`,
      })
      return z.NEVER
    })
    .optional()
    .describe(words)

/** The headers of calls that change one thing, which has to meet both. */
export const conditionHeaders = z.looseObject({
  'if-match': condition(
    'If-Match',
    'The `ETag` you read. If the code has changed since, the response is 412.',
  ),
  'if-none-match': condition(
    'If-None-Match',
    '`*` if the code must not be there yet, or the `ETag` of a version that it must not have: else the response is 412.',
  ),
})
export type ConditionHeaders = z.output<typeof conditionHeaders>

/**
 * Whether a version, or null for a thing that is not there, meets the conditions. A weak tag never meets
 * If-Match, whose comparison is the strong one; that of If-None-Match is the weak one.
 */
export function meetsConditions(
  { 'if-match': wanted, 'if-none-match': unwanted = [] }: ConditionHeaders,
  version: number | null,
): boolean {
  if (version === null) return wanted === undefined
  const tag = tagOf(version)
  const isWanted = wanted === undefined || wanted === '*' || wanted.includes(tag)
  return isWanted && unwanted !== '*' && !unwanted.some((each) => each.replace(/^W\//, '') === tag)
}

/**
 * Headers of the calls that make codes. A call that is repeated with the same key makes nothing again
 * and has the same answer, for 24 hours: draft-ietf-httpapi-idempotency-key-header-07.
 */
export const onceHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'Idempotency-Key has 1 to 255 printable ASCII characters')
    .optional()
    .describe(
      'Your own name for this call, 1 to 255 characters. Repeated calls with the same key run only once in 24 hours.',
    ),
})
