import { newLook, savedLook } from '../codes.ts'
import { chosenCodes } from '../series.ts'
import { plainText, z } from '../zod.ts'

/** Styles that an account keeps. */
export const STYLES_MAX = 50

export const STYLE_NAME_MAX = 60

/** The name of a style. An account has no two that differ in capitals only. */
export const styleName = plainText
  .min(1, 'Name is required')
  .max(STYLE_NAME_MAX, `Name must be at most ${STYLE_NAME_MAX} characters`)

/** A look that is kept under a name, which people call a style, as every call answers it. */
export const keptStyle = z.strictObject({
  id: z.string(),
  name: z.string(),
  look: savedLook,
  /** New codes begin with it. At most one of an account's styles is the default. */
  isDefault: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type KeptStyle = z.infer<typeof keptStyle>

/** Body of POST /api/looks. */
export const newStyle = z.object({
  name: styleName,
  look: newLook,
  isDefault: z.boolean().default(false),
})
export type NewStyle = z.output<typeof newStyle>
/** A style as a client sends it. */
export type StyleAsked = z.input<typeof newStyle>

/** Body of PATCH /api/looks/{id}: an absent field stays as it is. */
export const styleChange = z
  .object({ name: styleName, look: newLook, isDefault: z.boolean() })
  .partial()
export type StyleChange = z.output<typeof styleChange>

export const styleParams = z.object({ id: z.string() })

/** Body of POST /api/looks/{id}/apply: all of these codes get the look, or none. */
export const styledCodes = chosenCodes

/** Its answer: how many codes look different now. */
export const styleApplied = z.strictObject({ changed: z.int().min(0) })
