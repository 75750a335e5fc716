import { destinationOf, destinationProblem, URL_TOO_LONG } from '../links.ts'
import { z } from '../zod.ts'
import { URL_MAX } from './code-values.ts'

/** A destination, as `destinationOf` spells it. */
export const destination = z
  .string()
  .trim()
  .max(URL_MAX, URL_TOO_LONG)
  .transform((text, context) => {
    const address = destinationOf(text)
    if (address !== null) return address
    context.addIssue({ code: 'custom', message: destinationProblem(text) })
    return z.NEVER
  })
