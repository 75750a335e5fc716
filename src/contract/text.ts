import { z } from './zod.ts'

/** Characters that no database column, header, mail or file name of ours should ever meet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL = /[\u0000-\u001f\u007f]/

/** Text a person typed: trimmed, well-formed Unicode, no control characters. */
export const plainText = z
  .string()
  .trim()
  .refine(
    (text) => !CONTROL.test(text) && text.isWellFormed(),
    'Contains characters that cannot be used',
  )
