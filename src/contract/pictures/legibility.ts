import { decoderNames, type Legibility, scanConditions, verdicts } from '#qr/scan-check/verdict.ts'
import { z } from '../zod.ts'

export const verdict = z.enum(verdicts)

/** Answer of GET /api/qr-codes/{id}/legibility: the scan check's own words. */
export const legibility = z.object({
  verdict,
  reason: z.string(),
  contrast: z.number(),
  inverted: z.boolean(),
  reads: z.record(z.enum(scanConditions), z.record(z.enum(decoderNames), z.boolean())),
  damageMargin: z.number(),
}) satisfies z.ZodType<Legibility>
