import { z } from './zod.ts'

/** From best to worst. An inverted code (light on dark) is never better than risky. */
export const verdicts = ['excellent', 'good', 'risky', 'unreadable'] as const
export const verdict = z.enum(verdicts)
export type Verdict = z.infer<typeof verdict>

/** How a picture is shown to the decoders: as delivered, at 2 pixels a module, out of focus, in the dusk. */
export const scanConditions = ['asIs', 'small', 'blurred', 'lowLight'] as const
export type ScanCondition = (typeof scanConditions)[number]

export const decoderNames = ['zxing', 'jsqr'] as const
export type DecoderName = (typeof decoderNames)[number]

/** Answer of GET /api/qr-codes/{id}/legibility. */
export const legibility = z.object({
  verdict,
  /** One plain sentence: why, and what to do where something should be done. */
  reason: z.string(),
  /** Between foreground and background, 1 to 21 (WCAG 2.2, contrast ratio). */
  contrast: z.number(),
  /** Light modules on a dark ground. */
  inverted: z.boolean(),
  /** Which decoder reads the code in which condition. */
  reads: z.record(z.enum(scanConditions), z.record(z.enum(decoderNames), z.boolean())),
  /** Share of the symbol, 0 to 1, that can be covered before it stops being read. */
  damageMargin: z.number(),
})
export type Legibility = z.infer<typeof legibility>
