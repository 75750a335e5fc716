import type { ErrorCode } from '#contract/errors.ts'

/** Texts of a JSON example: what a request sends, and what it is answered. */
export type Example = {
  /** Values of the path's `:names` */
  path?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** JSON; for a call that takes a file, the file's text */
  body?: unknown
  /** `body` is left out where the answer is a file, or is empty. */
  answer: { status: number; body?: unknown }
}

/** The description of a route beyond its schemas. */
export type Operation = {
  /** The name of the call in generated clients */
  name: string
  /** A few words, such as 'Make a QR code' */
  summary: string
  /** Whole sentences, in Markdown */
  description?: string
  /** Its refusals, beyond those that `commonErrors` finds for every route */
  errors?: readonly ErrorCode[]
  /** Media types of the file that it answers with */
  gives?: readonly string[]
  /** Media types of the file that is its body */
  takes?: readonly string[]
  /** Its answers without a body, by status */
  also?: Record<number, string>
  /** Headers of its good answers, beyond those of all calls */
  headers?: readonly AnswerHeader[]
  example: Example
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
