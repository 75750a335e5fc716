import { analytics } from '../../src/server/analytics/query/described-analytics.ts'
import { codes } from '../../src/server/codes/described-codes.ts'
import { imports } from '../../src/server/codes/imports/described-imports.ts'
import { pictures } from '../../src/server/codes/pictures/described-pictures.ts'
import { styles } from '../../src/server/codes/styles/described-styles.ts'
import { tags } from '../../src/server/codes/tags/described-tags.ts'
import { domains } from '../../src/server/domains/described-domains.ts'
import type { Group, Operation } from '../../src/server/openapi/operation.ts'
import { webhooks } from '../../src/server/webhooks/described-webhooks.ts'
import type { AnswerHeader } from './answer-headers.ts'
import recorded from './examples.json' with { type: 'json' }

/** Texts of a JSON example: what a request sends, and what it is answered. */
export type Example = {
  /** Values of the path's `:names` */
  path?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** JSON; for a call that takes a file, the file's text */
  body?: unknown
  /** `body` is left out where the answer is a file, or is empty. */
  answer?: { status: number; body?: unknown }
}

/** An example for each call. A test makes these calls, and writes down the answers that are missing. */
export const examples: Record<string, Example> = recorded

/** In the order of the reference, which is also that of the story that the examples tell. */
export const groups: readonly Group[] = [
  codes,
  pictures,
  tags,
  styles,
  analytics,
  imports,
  domains,
  webhooks,
]

export type Words = Omit<Operation, 'headers'> & {
  group: string
  example: Example
  headers?: readonly AnswerHeader[]
}

/** A route's description, or undefined if it has none. */
export function wordsFor(method: string, url: string): Words | undefined {
  const key = `${method} ${url}`
  const group = groups.find(({ operations }) => Object.hasOwn(operations, key))
  const operation = group?.operations[key]
  return group && operation && { ...operation, group: group.name, example: examples[key] ?? {} }
}
