/*
 * Values only, as in code-values.ts: the dashboard shows tags with these, and loads Zod only with the form.
 */

/** Tags of an account. */
export const TAGS_MAX = 200
/** Tags of one code. */
export const CODE_TAGS_MAX = 20
export const TAG_NAME_MAX = 40

/** What a tag can be coloured with; the client has a text colour and a ground for each. */
export const tagColours = [
  'green',
  'orange',
  'blue',
  'yellow',
  'purple',
  'red',
  'teal',
  'pink',
  'brown',
  'grey',
] as const
export type TagColour = (typeof tagColours)[number]

/** Two names that fold to the same are one tag. */
export const foldedTag = (name: string) => name.trim().normalize('NFC').toLowerCase()
