import { printTroubles } from '#qr/photo/troubles.ts'
import { decoderNames, type Legibility, scanConditions, verdicts } from '#qr/scan-check/verdict.ts'
import { VANITY_MAX } from '../codes/code-values.ts'
import { flag, oneOf, shownCode, text, time, URL_WORDS, z } from '../zod.ts'

export const verdict = z.enum(verdicts)

/** Answer of GET /api/qr-codes/{id}/legibility: the scan check's own words. */
export const legibility = z.object({
  verdict: verdict.describe('The result in a word.'),
  reason: text('The result in a sentence.'),
  contrast: z.number().describe('Between the two colours, from 1 to 21.'),
  inverted: flag('The modules are lighter than the background, which some scanners can’t read.'),
  reads: z
    .record(z.enum(scanConditions), z.record(z.enum(decoderNames), z.boolean()))
    .describe('Which scanner reads it, and under which conditions.'),
  damageMargin: z
    .number()
    .describe('How much of the code can be covered before it stops scanning, from 0 to 1.'),
}) satisfies z.ZodType<Legibility>

/** Checks of prints that are kept of a code, the last ones. */
export const PROOFS_MAX = 10

/** Why a photo cannot be read. */
export const printTrouble = oneOf(printTroubles, 'Why the photo can’t be read.')

/** The result of a photo of a printed code. `other-address` leads to none of the account's codes. */
export const proofVerdict = z.enum(['reads', 'other-code', 'other-address', ...printTroubles])
export type ProofVerdict = z.infer<typeof proofVerdict>

/** One check of a print. The photo itself never leaves the browser. */
export const printProof = z.strictObject({
  verdict: proofVerdict.describe('The result in a word.'),
  checkedAt: time('When it was checked.'),
})
export type PrintProof = z.infer<typeof printProof>

/** Answer of GET /api/qr-codes/{id}/print-proofs, the last check first. */
export const printProofs = z.array(printProof).max(PROOFS_MAX)

const found = <Found extends string>(thing: Found) =>
  z.literal(thing).describe('What the photo shows.')

/**
 * Body of POST /api/qr-codes/{id}/print-proofs: what the browser read in the photo. A link of this
 * service is sent as its path; any other text is not sent.
 */
export const printReading = z.discriminatedUnion('found', [
  z.object({
    found: found('link'),
    path: text('The path of the short link that was read.')
      .max(VANITY_MAX)
      .regex(/^[A-Za-z0-9_-]+$/, 'Must be the path of a code'),
  }),
  z.object({ found: found('other-address') }),
  z.object({ found: found('nothing'), trouble: printTrouble }),
])
export type PrintReading = z.output<typeof printReading>

/** Its answer: what is kept of it, and which of the account's codes the photo shows. */
export const checkedPrint = z.strictObject({
  proof: printProof.describe('What’s kept of the check.'),
  shown: z
    .strictObject({
      ...shownCode.shape,
      url: text(URL_WORDS),
      isInBin: flag('Whether it’s in the trash.'),
    })
    .nullable()
    .describe('Your code in the photo; null for none.'),
})
export type CheckedPrint = z.infer<typeof checkedPrint>
