import { z } from 'zod'
import { CONTROL, TURNING } from './code-values.ts'

// Zod probes `new Function` to compile its parsers; a page with a strict
// Content-Security-Policy would report that probe, so browsers interpret.
if ('window' in globalThis) z.config({ jitless: true })

export { z }

/** Nothing that can be seen */
const INVISIBLE = /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]+$/u

/** Text that a person typed: trimmed, well-formed Unicode, no control characters, nothing that turns its surroundings. */
export const plainText = z
  .string()
  .trim()
  .overwrite((text) => (INVISIBLE.test(text) ? '' : text))
  .refine(
    (text) => !CONTROL.test(text) && !TURNING.test(text) && text.isWellFormed(),
    'Contains characters that cannot be used',
  )
