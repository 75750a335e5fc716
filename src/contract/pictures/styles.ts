import { newLook, savedLook } from '../codes/codes.ts'
import { tagged } from '../codes/tags.ts'
import { chosenCodes } from '../series/series.ts'
import { createdAt, flag, ownId, plainText, text, z } from '../zod.ts'

/** Styles that an account keeps. */
export const STYLES_MAX = 50

export const STYLE_NAME_MAX = 60

const NAME_WORDS = `At most ${STYLE_NAME_MAX} characters.`

const isDefault = flag('New codes start with it. At most one of your designs is the default.')

/** The name of a style. An account has no two that differ in capitals only. */
export const styleName = plainText
  .min(1, 'Name is required')
  .max(STYLE_NAME_MAX, `Name must be at most ${STYLE_NAME_MAX} characters`)
  .describe(NAME_WORDS)

/** A look that is kept under a name, which people call a style, as every call answers it. */
export const keptStyle = z.strictObject({
  id: ownId,
  name: text(NAME_WORDS),
  look: savedLook.describe('What new codes with this design look like.'),
  isDefault,
  createdAt,
})
export type KeptStyle = z.infer<typeof keptStyle>

const look = newLook.describe('What you leave out is as in a plain code.')

/** Body of POST /api/looks. */
export const newStyle = z.object({
  name: styleName,
  look,
  isDefault: isDefault.default(false),
})
export type NewStyle = z.output<typeof newStyle>
/** A style as a client sends it. */
export type StyleAsked = z.input<typeof newStyle>

/** Body of PATCH /api/looks/{id}: an absent field stays as it is. */
export const styleChange = z.object({ name: styleName, look, isDefault }).partial()
export type StyleChange = z.output<typeof styleChange>

/** Body of POST /api/looks/{id}/apply: all of these codes get the look, or none. */
export const styledCodes = chosenCodes

/** Its answer: how many codes look different now. */
export const styleApplied = tagged
