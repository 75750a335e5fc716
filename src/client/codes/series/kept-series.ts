import { z } from '#contract/zod.ts'
import { KEPT_MS, keptValues, parsed } from '../editor/reopened-form.ts'

/** NaN, which an empty field gives, is null in JSON. */
const number = z.number().catch(Number.NaN)

/** The form of a series that was open when the session ended. */
const keptSeries = z.object({
  userId: z.string(),
  /** When it was kept, in epoch milliseconds. */
  at: z.number(),
  values: keptValues,
  kind: z.enum(['numbers', 'lines']),
  numbers: z.object({
    ...{ kind: z.literal('numbers'), from: number, to: number, leadingZeros: z.boolean() },
  }),
  text: z.string(),
})
export type KeptSeries = z.infer<typeof keptSeries>

/** The series in a stored text; null if it is another user's, too old or no series at all. */
export function readSeries(text: string | null, userId: string, now: number): KeptSeries | null {
  const { data } = keptSeries.safeParse(parsed(text))
  return data && data.userId === userId && now - data.at <= KEPT_MS ? data : null
}
