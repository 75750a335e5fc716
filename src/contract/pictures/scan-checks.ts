import { printTroubles } from '#qr/photo/troubles.ts'
import { decoderNames, type Legibility, scanConditions, verdicts } from '#qr/scan-check/verdict.ts'
import { VANITY_MAX } from '../code-values.ts'
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

/** Checks of prints that are kept of a code, the last ones. */
export const PROOFS_MAX = 10

/** Why a photo cannot be read. */
export const printTrouble = z.enum(printTroubles)

/** The result of a photo of a printed code. `other-address` leads to none of the account's codes. */
export const proofVerdict = z.enum(['reads', 'other-code', 'other-address', ...printTroubles])
export type ProofVerdict = z.infer<typeof proofVerdict>

/** One check of a print. The photo itself never leaves the browser. */
export const printProof = z.strictObject({ verdict: proofVerdict, checkedAt: z.iso.datetime() })
export type PrintProof = z.infer<typeof printProof>

/** Answer of GET /api/qr-codes/{id}/print-proofs, the last check first. */
export const printProofs = z.array(printProof).max(PROOFS_MAX)

/**
 * Body of POST /api/qr-codes/{id}/print-proofs: what the browser read in the photo. A link of this
 * service is sent as its path; any other text is not sent.
 */
export const printReading = z.discriminatedUnion('found', [
  z.object({
    found: z.literal('link'),
    path: z
      .string()
      .max(VANITY_MAX)
      .regex(/^[A-Za-z0-9_-]+$/, 'Must be the path of a code'),
  }),
  z.object({ found: z.literal('other-address') }),
  z.object({ found: z.literal('nothing'), trouble: printTrouble }),
])
export type PrintReading = z.output<typeof printReading>

/** Its answer: what is kept of it, and which of the account's codes the photo shows. */
export const checkedPrint = z.strictObject({
  proof: printProof,
  shown: z
    .strictObject({ id: z.string(), name: z.string(), url: z.string(), isInBin: z.boolean() })
    .nullable(),
})
export type CheckedPrint = z.infer<typeof checkedPrint>
