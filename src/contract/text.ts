/*
 * Values only: the landing page reads links and the dashboard ids without Zod.
 */

/** Characters that no database column, header, mail or file name of ours should ever meet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Characters that turn the direction of the text around them until they are closed: a name with one
 * of these would turn whatever stands beside it (Unicode Standard Annex 9, 2.1 to 2.4). The marks that only letters
 * beside them feel, such as U+200F, stay: right-to-left names need them.
 */
export const TURNING = /[\u202a-\u202e\u2066-\u2069]/

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The text as an id in the spelling of the database, lower case; undefined if it is not a UUID. */
export function uuidOf(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined
}
