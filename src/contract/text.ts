/*
 * Values only: the landing page reads links and the dashboard ids without Zod.
 */

/** Characters that no database column, header, mail or file name of ours should ever meet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL = /[\u0000-\u001f\u007f]/

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The text as an id in the spelling of the database, lower case; undefined where it is no UUID. */
export function uuidOf(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined
}
