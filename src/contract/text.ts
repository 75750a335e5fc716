import { CONTROL } from './characters.ts'
import { z } from './zod.ts'

/** Text a person typed: trimmed, well-formed Unicode, no control characters. */
export const plainText = z
  .string()
  .trim()
  .refine(
    (text) => !CONTROL.test(text) && text.isWellFormed(),
    'Contains characters that cannot be used',
  )
