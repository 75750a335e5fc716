import {
  eyeShapes,
  FRAME_TEXT_MAX,
  frameShapes,
  frameSizes,
  gradientKinds,
  LOGO_MARGIN,
  LOGO_SIZE,
  MARGIN,
  moduleShapes,
  PLAIN_ARTWORK,
  plates,
} from '#qr/artwork/artwork.ts'
import { frameTextFault } from '#qr/artwork/frame-text.ts'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import { createdAt, oneOf, plainText, text, whole, z } from '../zod.ts'

export const ARTWORK = 'Shapes, eyes, gradient, logo and frame; null for a plain code.'

export const colour = z.string().regex(HEX_COLOUR, 'Must be a hex colour such as #1e40af')

const within = ({ min, max }: { min: number; max: number }) =>
  z.int(`Must be a whole number from ${min} to ${max}`).min(min).max(max)

const gradient = z.strictObject({
  kind: oneOf(gradientKinds, 'Linear, or from the center to the corners.'),
  to: colour.describe('Hex color it ends with.'),
  angle: z.int().min(0).max(359).default(0).describe('In degrees: 0 runs right, 90 down.'),
})

/** A digest, in base64url, of the account's logo. */
export const logoId = z.string().regex(/^[\w-]{16,64}$/, 'This is not the id of a logo')

const placedLogo = z.strictObject({
  id: logoId.describe('The id of a logo you’ve uploaded.'),
  size: within(LOGO_SIZE).describe('Its size, in modules. Error correction sets the limit.'),
  plate: z.enum(plates).default('square').describe('What’s behind the logo.'),
  margin: z
    .number()
    .min(LOGO_MARGIN.min)
    .max(LOGO_MARGIN.max)
    .multipleOf(0.5)
    .default(0.5)
    .describe('Between the logo and its plate, in modules.'),
})

const frame = z.strictObject({
  shape: oneOf(frameShapes, 'The kind of frame.'),
  text: plainText
    .max(FRAME_TEXT_MAX, `Must be at most ${FRAME_TEXT_MAX} characters`)
    .superRefine((text, context) => {
      const message = frameTextFault(text)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .describe('What the frame says, such as “Scan me”.'),
  size: z.enum(frameSizes).default('medium').describe('How large the text is.'),
  color: colour.describe('Hex color of the frame.'),
  textColor: colour.describe('Hex color of its text.'),
})

const orNull = <Part extends z.ZodType>(part: Part, words: string) =>
  part.nullable().default(null).describe(words)

/**
 * The parts of a picture beyond style and two colours. A field that is absent is as in a plain picture;
 * where a shape or a colour is null, style and foreground decide.
 */
export const artwork = z.strictObject({
  modules: orNull(z.enum(moduleShapes), 'Shape of the modules; null follows `style`.'),
  eyeFrame: orNull(z.enum(eyeShapes), 'Shape of the eye frames, the rings in three corners.'),
  eyeBall: orNull(z.enum(eyeShapes), 'Shape of the eye centers.'),
  eyeFrameColor: orNull(colour, 'Hex color of the eye frames; null for the same as the modules.'),
  eyeBallColor: orNull(colour, 'Hex color of the eye centers; null for the same as the modules.'),
  gradient: orNull(gradient, 'From the color of the modules to another color.'),
  transparent: z.boolean().default(false).describe('Leaves out the background.'),
  margin: within(MARGIN)
    .default(MARGIN.min)
    .describe('The empty margin around the code, in modules.'),
  logo: orNull(placedLogo, 'A picture in the center.'),
  frame: orNull(frame, 'A frame with text around the code.'),
})

/** The same fields, each of which may be absent and then is as it was. */
function changeOf<Shape extends z.core.$ZodShape>(schema: z.ZodObject<Shape>) {
  const fields = Object.entries<z.core.$ZodType>(schema.shape) as [string, z.ZodType][]
  // An absent field with a default would be reset.
  const bare = fields.map(([name, field]) => [
    name,
    (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType).nullable() : field)
      .optional()
      .meta(field.meta() ?? {}),
  ])
  return z.strictObject(Object.fromEntries(bare) as Record<keyof Shape, z.ZodType>)
}

const partOf = <Shape extends z.core.$ZodShape>(
  name: keyof typeof artwork.shape,
  part: z.ZodObject<Shape>,
) =>
  changeOf(part)
    .nullable()
    .optional()
    .meta(artwork.shape[name].meta() ?? {})

/**
 * Artwork of a change: an absent part stays as it is, also inside the gradient, the logo and the frame, and null
 * resets a part (RFC 7396). Null in its place resets all of it.
 */
export const artworkChange = changeOf(artwork)
  .extend({
    gradient: partOf('gradient', gradient),
    logo: partOf('logo', placedLogo),
    frame: partOf('frame', frame),
  })
  .nullable()
export type ArtworkChange = z.output<typeof artworkChange>

const PLAIN = JSON.stringify(PLAIN_ARTWORK)

/** A code's artwork. One that changes nothing is none. */
export const codeArtwork = artwork
  .nullable()
  .transform((chosen) => (JSON.stringify(chosen) === PLAIN ? null : chosen))
  .describe(ARTWORK)

type Parts = Record<string, unknown>
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null

/** The artwork after a change, which may lack a part that only a new gradient, logo or frame has to have. */
export function changedArtwork(current: unknown, change: ArtworkChange) {
  return codeArtwork.safeParse(merged(current, change))
}

/** RFC 7396 §2: a part that is null is left out, so that its default comes. */
function merged(current: unknown, change: unknown): unknown {
  if (!isObject(change)) return change
  const before = isObject(current) ? current : {}
  const parts = Object.entries(change).map(([name, part]) => [name, merged(before[name], part)])
  const all = Object.entries({ ...before, ...Object.fromEntries(parts) })
  return Object.fromEntries(all.filter(([, part]) => part !== null))
}

/** Artwork in a query: its JSON, or 'none'. */
export const queryArtwork = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    if (text === 'none') return null
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON, or none' })
      return z.NEVER
    }
  })
  .pipe(codeArtwork)
  .describe(ARTWORK)

/** Largest body of POST /api/logos in bytes. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024
/** Logos that an account keeps, and how much all of them may take. */
export const LOGOS_MAX = 50
export const LOGOS_MAX_BYTES = 20 * 1024 * 1024

export const LOGO_NAME_MAX = 100

/** A logo as every call answers it; its picture is at /api/logos/{id}. */
export const logo = z.object({
  id: logoId.describe('Never changes.'),
  name: text('The name of the file.'),
  width: whole('In pixels.'),
  height: whole('In pixels.'),
  /** A round plate has room for this. */
  reach: z.number().describe('How far it’s visible from its center, in halves of its longer edge.'),
  createdAt,
})
export type Logo = z.infer<typeof logo>

/** Query of POST /api/logos: the name of the file that is sent. */
export const logoQuery = z.object({
  name: plainText.max(LOGO_NAME_MAX).default('').describe('The name of the file.'),
})

export const logoParams = z.object({
  id: logoId.describe('The id of what the call is about, as the lists have it.'),
})
