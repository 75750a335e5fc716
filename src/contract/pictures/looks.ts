import { ecc, style } from '../codes.ts'
import { chosenCodes, seriesLook } from '../series.ts'
import { plainText, z } from '../zod.ts'
import { artwork } from './artwork.ts'

/** Styles that an account keeps. */
export const LOOKS_MAX = 50

export const LOOK_NAME_MAX = 60

/** The name of a style. An account has no two that differ in capitals only. */
export const lookName = plainText
  .min(1, 'Name is required')
  .max(LOOK_NAME_MAX, `Name must be at most ${LOOK_NAME_MAX} characters`)

/** A look that is kept under a name, which people call a style, as every call answers it. */
export const keptLook = z.strictObject({
  id: z.string(),
  name: z.string(),
  look: z.strictObject({
    style,
    foregroundColor: z.string(),
    backgroundColor: z.string(),
    ecc,
    compact: z.boolean(),
    artwork: artwork.nullable(),
  }),
  /** New codes begin with it. At most one of an account's styles is the default. */
  isDefault: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type KeptLook = z.infer<typeof keptLook>

/** Body of POST /api/looks. */
export const newLook = z.object({
  name: lookName,
  look: seriesLook,
  isDefault: z.boolean().default(false),
})
export type NewLook = z.output<typeof newLook>
/** What a client sends. */
export type LookAsked = z.input<typeof newLook>

/** Body of PATCH /api/looks/{id}: an absent field stays as it is. */
export const lookChange = z
  .object({ name: lookName, look: seriesLook, isDefault: z.boolean() })
  .partial()
export type LookChange = z.output<typeof lookChange>

export const lookParams = z.object({ id: z.string() })

/** Body of POST /api/looks/{id}/apply: all of these codes get the look, or none. */
export const lookedCodes = chosenCodes

/** Its answer: how many codes look different now. */
export const lookApplied = z.strictObject({ changed: z.int().min(0) })
