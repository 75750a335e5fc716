import { ecc, style } from '#contract/codes.ts'
import { z } from '#contract/zod.ts'
import { forgetForm, type KeptForm, keptText } from '../../kept-form.ts'

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

const keptForm: z.ZodType<KeptForm> = z.object({
  userId: z.string().nullable(),
  at: z.number(),
  code: z.object({ id: z.string(), name: z.string() }).nullable(),
  values,
  typed: values.keyof().array(),
})

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
