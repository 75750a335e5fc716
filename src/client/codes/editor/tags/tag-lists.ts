import { foldedTag } from '#contract/tag-values.ts'

/** Whether two lists have the same tags, in whatever order and case. */
export function isSameTags(one: readonly string[], other: readonly string[]): boolean {
  const both = [one, other].map((names) => JSON.stringify(names.map(foldedTag).sort()))
  return both[0] === both[1]
}

/** The tags of a list that another one does not have. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const folded = new Set(others.map(foldedTag))
  return names.filter((name) => !folded.has(foldedTag(name)))
}

/** Puts two changes of a code's tags together: what either side took away is gone, what either added is there. */
export function mergedTags(
  began: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const added = without(without(mine, began), theirs)
  return [...without(theirs, without(began, mine)), ...added]
}
