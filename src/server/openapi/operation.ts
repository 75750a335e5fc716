import type { ErrorCode } from '#contract/errors.ts'

/** The description of a route beyond its schemas. */
export type Operation = {
  /** The name of the call in generated clients */
  name: string
  /** A few words, if they are others than those of its name: `changeTag` is 'Change a tag'. */
  summary?: string
  /** Whole sentences, in Markdown */
  description?: string
  /** Its refusals, beyond those that follow from the kind of call and from its inputs */
  errors?: readonly ErrorCode[]
  /** The media type of the file that it answers with, under a name of its own */
  file?: string
  /** Media types of the picture that it answers with */
  gives?: readonly string[]
  /** Media types of the file that is its body */
  takes?: readonly string[]
  /** Its answers without a body, by status */
  also?: Record<number, string>
  /** Headers of its good answers, beyond those of all calls */
  headers?: readonly AnswerHeader[]
}

/** Calls about one thing, by method and path as the route has them: 'GET /api/tags/:id'. */
export type Group = {
  name: string
  description: string
  operations: Record<string, Operation>
}

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
