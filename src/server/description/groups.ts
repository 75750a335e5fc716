import { analytics } from './groups/analytics.ts'
import { codes } from './groups/codes.ts'
import { imports } from './groups/imports.ts'
import { pictures } from './groups/pictures.ts'
import { styles } from './groups/styles.ts'
import { tags } from './groups/tags.ts'
import type { Group, Operation } from './operation.ts'

/** In the order of the reference, which is also that of the story that the examples tell. */
export const groups: readonly Group[] = [codes, pictures, tags, styles, analytics, imports]

export type Words = Operation & { group: string }

/** What is said of a route; undefined where nobody has said anything yet. */
export function wordsFor(method: string, url: string): Words | undefined {
  const key = `${method} ${url}`
  const group = groups.find(({ operations }) => Object.hasOwn(operations, key))
  const operation = group?.operations[key]
  return group && operation && { ...operation, group: group.name }
}
