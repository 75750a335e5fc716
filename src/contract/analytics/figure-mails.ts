import { z } from '../zod.ts'
import { timeZone } from './analytics.ts'

/** How often an account is mailed the figures of its codes. */
export const figureMailTimes = ['off', 'weekly', 'monthly'] as const
export type FigureMailTime = (typeof figureMailTimes)[number]

/**
 * `timeZone` says when it is seven in the morning; null where they are off. `nextAt` is when the next
 * mail comes; null where none does: they are off, or the plan of the account does not have them.
 */
export const figureMails = z.object({
  every: z.enum(figureMailTimes),
  timeZone: z.string().nullable(),
  nextAt: z.iso.datetime().nullable(),
})
export type FigureMails = z.infer<typeof figureMails>

/** Body of PUT /api/analytics/mails. */
export const figureMailsChange = z.strictObject({ every: z.enum(figureMailTimes), timeZone })
export type FigureMailsChange = z.infer<typeof figureMailsChange>
