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
import { plainText, z } from '../zod.ts'

export const colour = z.string().regex(HEX_COLOUR, 'Must be a hex colour such as #1e40af')

const within = ({ min, max }: { min: number; max: number }) =>
  z.int(`Must be a whole number from ${min} to ${max}`).min(min).max(max)

const gradient = z.strictObject({
  kind: z.enum(gradientKinds),
  to: colour,
  angle: z.int().min(0).max(359).default(0),
})

/** A digest, in base64url, of the account's logo. */
export const logoId = z.string().regex(/^[\w-]{16,64}$/, 'This is not the id of a logo')

const placedLogo = z.strictObject({
  id: logoId,
  size: within(LOGO_SIZE),
  plate: z.enum(plates).default('square'),
  margin: z.number().min(LOGO_MARGIN.min).max(LOGO_MARGIN.max).multipleOf(0.5).default(0.5),
})

const frame = z.strictObject({
  shape: z.enum(frameShapes),
  text: plainText
    .max(FRAME_TEXT_MAX, `Must be at most ${FRAME_TEXT_MAX} characters`)
    .superRefine((text, context) => {
      const message = frameTextFault(text)
      if (message !== null) context.addIssue({ code: 'custom', message })
    }),
  size: z.enum(frameSizes).default('medium'),
  color: colour,
  textColor: colour,
})

/**
 * The parts of a picture beyond style and two colours. A field that is absent is as in a plain picture;
 * where a shape or a colour is null, style and foreground decide.
 */
export const artwork = z.strictObject({
  modules: z.enum(moduleShapes).nullable().default(null),
  eyeFrame: z.enum(eyeShapes).nullable().default(null),
  eyeBall: z.enum(eyeShapes).nullable().default(null),
  eyeFrameColor: colour.nullable().default(null),
  eyeBallColor: colour.nullable().default(null),
  gradient: gradient.nullable().default(null),
  transparent: z.boolean().default(false),
  margin: within(MARGIN).default(MARGIN.min),
  logo: placedLogo.nullable().default(null),
  frame: frame.nullable().default(null),
})

/** The same fields, each of which may be absent and then is as it was. */
function changeOf<Shape extends z.core.$ZodShape>(schema: z.ZodObject<Shape>) {
  const fields = Object.entries<z.core.$ZodType>(schema.shape) as [string, z.ZodType][]
  // An absent field with a default would be reset.
  const bare = fields.map(([name, field]) => [
    name,
    (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType).nullable() : field).optional(),
  ])
  return z.strictObject(Object.fromEntries(bare) as Record<keyof Shape, z.ZodType>)
}

/**
 * Artwork of a change: an absent part stays as it is, also inside the gradient, the logo and the frame, and null
 * resets a part (RFC 7396). Null in its place resets all of it.
 */
export const artworkChange = changeOf(artwork)
  .extend({
    gradient: changeOf(gradient).nullable().optional(),
    logo: changeOf(placedLogo).nullable().optional(),
    frame: changeOf(frame).nullable().optional(),
  })
  .nullable()
export type ArtworkChange = z.output<typeof artworkChange>

const PLAIN = JSON.stringify(PLAIN_ARTWORK)

/** A code's artwork. One that changes nothing is none. */
export const codeArtwork = artwork
  .nullable()
  .transform((chosen) => (JSON.stringify(chosen) === PLAIN ? null : chosen))

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

/** Largest body of POST /api/logos in bytes. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024
/** Logos that an account keeps, and how much all of them may take. */
export const LOGOS_MAX = 50
export const LOGOS_MAX_BYTES = 20 * 1024 * 1024

export const LOGO_NAME_MAX = 100

/** A logo as every call answers it; its picture is at /api/logos/{id}. */
export const logo = z.object({
  id: logoId,
  name: z.string(),
  /** In pixels */
  width: z.number().int(),
  height: z.number().int(),
  /** How far it is visible from its middle, in halves of its longer edge: what a round plate has room for */
  reach: z.number(),
  createdAt: z.iso.datetime(),
})
export type Logo = z.infer<typeof logo>

/** Query of POST /api/logos: the name of the file that is sent. */
export const logoQuery = z.object({ name: plainText.max(LOGO_NAME_MAX).default('') })

export const logoParams = z.object({ id: logoId })
