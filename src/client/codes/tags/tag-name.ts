import { foldedTag, TAG_NAME_MAX } from '#contract/code-values.ts'

/** A typed name without blanks around it and commas, which separate tags. */
export const typedTag = (text: string) => text.replaceAll(',', ' ').replace(/\s+/g, ' ').trim()

/** What is wrong with a typed name, if something is. The server checks the rest. */
export const tagProblem = (name: string): string | null =>
  name.length > TAG_NAME_MAX ? `The name of a tag has at most ${TAG_NAME_MAX} characters` : null

/** The tag of that name as the account spells it. */
export const known = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => foldedTag(one) === foldedTag(name))
