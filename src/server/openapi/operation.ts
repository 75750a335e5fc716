import type { ErrorCode } from '#contract/errors.ts'
import type { AnswerHeader } from './headers.ts'

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
