import { createdAt, idsUpTo, oneOf, ownId, plainText, text, z } from '../zod.ts'
import { CODE_TAGS_MAX, SERIES_MAX, TAG_NAME_MAX, tagColours } from './code-values.ts'

/** The name of a tag. An account has no two that differ in capitals only. A comma separates tags in a list. */
export const tagName = plainText
  .min(1, 'Name is required')
  .max(TAG_NAME_MAX, `A tag’s name must be at most ${TAG_NAME_MAX} characters`)
  .refine((name) => !name.includes(','), 'A tag’s name can’t have a comma')

/** The tags of a code, by name. Those that the account does not have yet are made. */
export const codeTags = z
  .array(tagName)
  .max(CODE_TAGS_MAX, `A QR code can have up to ${CODE_TAGS_MAX} tags`)
  .describe('Names of tags. Those you don’t have yet are created.')

export const tagColour = oneOf(tagColours, 'The tag’s color.')

/** A tag as every call answers it. `codes` is how many listed codes have it. */
export const tag = z.strictObject({
  id: ownId,
  name: text('Two tags never differ only in capitals.'),
  colour: tagColour,
  codes: z.int().min(0).describe('How many codes have it.'),
  createdAt,
})
export type Tag = z.infer<typeof tag>

const name = tagName.describe(`At most ${TAG_NAME_MAX} characters, without a comma.`)

/** Body of POST /api/tags. Without a colour the tag gets the one that fewest of the account's tags have. */
export const newTag = z.object({ name, colour: tagColour.optional() })
export type NewTag = z.infer<typeof newTag>

/** Body of PATCH /api/tags/{id}: an absent field stays as it is. */
export const tagChange = z.object({ name, colour: tagColour }).partial()
export type TagChange = z.infer<typeof tagChange>

/** Body of POST /api/tags/{id}/codes: all of these codes get the tag, or lose it, or none does. */
export const taggedCodes = z.object({
  add: idsUpTo(SERIES_MAX, 'Ids of codes to add the tag to.').default([]),
  remove: idsUpTo(SERIES_MAX, 'Ids of codes to remove it from.').default([]),
})
export type TaggedCodes = z.output<typeof taggedCodes>

/** Its answer: how many codes have other tags now. */
export const tagged = z.strictObject({
  changed: z.int().min(0).describe('How many codes have changed.'),
})
