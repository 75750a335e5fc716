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
  headers?: readonly ('ETag' | 'Location' | 'X-Total-Count' | 'X-Total-Files')[]
}

/** Calls about one thing, by method and path as the route has them: 'GET /api/tags/:id'. */
export type Group = {
  name: string
  description: string
  operations: Record<string, Operation>
}
