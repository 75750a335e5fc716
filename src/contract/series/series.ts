import { SERIES_MAX } from '../codes/code-values.ts'
import { IDS_OF_CODES, LOOK_OF_CODES, newCode, newLook } from '../codes/codes.ts'
import { codeTags } from '../codes/tags.ts'
import { chosenOf, z } from '../zod.ts'
import type { SeriesRow } from './series-rows.ts'

/** Largest body of POST /api/qr-codes/bulk and of the calls on chosen codes, in bytes. */
export const SERIES_BODY_MAX = 2 * 1024 * 1024

/** Body of POST /api/qr-codes/bulk: all of these codes are made, or none. */
export const newSeries = z.object({
  rows: z
    // A thousand passwords would take minutes to hash.
    .array(newCode.omit({ password: true }))
    .min(1, 'A series needs at least one QR code')
    .max(SERIES_MAX, `A series can have up to ${SERIES_MAX.toLocaleString('en-US')} QR codes`)
    .superRefine(refuseSharedPaths)
    .describe('One per code to create.'),
  /** The look of the codes, as far as a row has no own; without one, that of the style for new codes */
  look: newLook.optional().describe(LOOK_OF_CODES),
  /** All of the codes have them, besides those of their rows. */
  tags: codeTags.default([]),
})
export type NewSeries = z.output<typeof newSeries>
/** A series as a client sends it. */
export type SeriesAsked = z.input<typeof newSeries>

function refuseSharedPaths(
  rows: { vanityUrl?: string | null | undefined }[],
  context: z.RefinementCtx,
) {
  const seen = new Set<string>()
  rows.forEach(({ vanityUrl: path }, index) => {
    if (!path) return
    // No number: people count rows from 1, and `fields` from 0.
    const message = 'An earlier row has the same custom URL'
    if (seen.has(path)) context.addIssue({ code: 'custom', path: [index, 'vanityUrl'], message })
    seen.add(path)
  })
}

/**
 * Returns the problems of rows before they are sent, in the words of the server, by row from 0. Two equal
 * names are a slip here: their labels could not be told apart.
 */
export function problemsOf(rows: readonly SeriesRow[]): Map<number, string> {
  const problems = new Map<number, string>()
  const firstOf = new Map<string, number>()
  rows.forEach((row, index) => {
    const read = newCode.safeParse(row)
    const first = firstOf.get(row.name)
    if (!read.success) problems.set(index, read.error.issues[0]?.message ?? 'Invalid input')
    else if (first !== undefined) problems.set(index, `Row ${first + 1} has the same name`)
    else firstOf.set(row.name, index)
  })
  return problems
}

export const chosenIds = chosenOf(SERIES_MAX, IDS_OF_CODES)

/** Body of POST /api/qr-codes/pictures. */
export const chosenCodes = z.object({ ids: chosenIds })
