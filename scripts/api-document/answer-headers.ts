/*
 * The headers that answers have, in words.
 */

const text = { type: 'string' } as const
const number = { type: 'integer' } as const

export const answerHeaders = {
  ETag: {
    description:
      'The version of the response. Send it back in `If-Match` (a code) or `If-None-Match` (a picture).',
    schema: text,
    example: '"3"',
  },
  Location: { description: 'The path of what was created.', schema: text },
  'X-Total-Count': {
    description:
      'How many codes match in all: more than the list has if it was cut at 10,000. Not with `limit` or `cursor`.',
    schema: number,
  },
  'X-Total-Files': { description: 'How many pages or pictures the file has.', schema: number },
  'Content-Disposition': { description: 'The name of the file.', schema: text },
  'Idempotency-Replayed': {
    description: '`true` if this is the response to an earlier call with the same key.',
    schema: text,
  },
  RateLimit: {
    description: 'How many calls are left (`r`) for how many seconds (`t`).',
    schema: text,
    example: '"calls";r=1199;t=60',
  },
  'RateLimit-Policy': {
    description: 'How many calls a key has (`q`) in how many seconds (`w`).',
    schema: text,
    example: '"calls";q=1200;w=60',
  },
  'Retry-After': {
    description: 'How many seconds to wait before you call again.',
    schema: number,
    example: 12,
  },
} as const
export type AnswerHeader = keyof typeof answerHeaders

/** Each answer to a key has these. */
export const everyAnswer = ['RateLimit', 'RateLimit-Policy'] as const satisfies AnswerHeader[]
