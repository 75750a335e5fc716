import { ecc, style } from '#contract/codes.ts'
import { z } from '#contract/zod.ts'
import { forgetForm, keptText } from './kept-form.ts'

/** Whoever comes back later than this has begun something else. */
const KEPT_MS = 60 * 60 * 1000

const values = z.object({
  name: z.string(),
  url: z.string(),
  vanityUrl: z.string(),
  style,
  // A colour may be half typed.
  foregroundColor: z.string(),
  backgroundColor: z.string(),
  ecc,
  compact: z.boolean(),
})

const keptForm = z.object({
  /** Whose it is: nobody else who signs in on this tab sees it. Null: whoever is the first to. */
  userId: z.string().nullable(),
  /** When it was put away, in epoch milliseconds. */
  at: z.number(),
  /** The edited code; null where a new one was made. */
  code: z.object({ id: z.string(), name: z.string() }).nullable(),
  values,
  /** The fields that differed from the code's own. */
  typed: values.keyof().array(),
})

/** A form that was open when the session ended or that crashed, or a code begun before there was an account. */
export type KeptForm = z.infer<typeof keptForm>

/** What this tab keeps for a user. What it keeps for anybody else is gone, whoever has asked. */
export function keptFormOf(userId: string): KeptForm | null {
  const form = readForm(keptText(), userId, Date.now())
  if (!form) forgetForm()
  return form
}

/** The form in a stored text; null where it is another user's, too old or no form at all. */
export function readForm(text: string | null, userId: string, now: number): KeptForm | null {
  const { data } = keptForm.safeParse(parsed(text))
  if (!data || now - data.at > KEPT_MS) return null
  return data.userId === null || data.userId === userId ? data : null
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
