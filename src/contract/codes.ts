import { DEFAULT_LOOK, eccLevels, styles } from '#qr/symbol/look.ts'
import {
  CURSOR_PAGE,
  EXTERNAL_ID_MAX,
  HOST_MAX,
  LIST_MAX,
  listFilters,
  NAME_MAX,
  URL_MAX,
  VANITY_MAX,
  VANITY_MIN,
} from './code-values.ts'
import { destinationOf, destinationProblem, URL_TOO_LONG } from './links.ts'
import { artwork, artworkChange, codeArtwork, colour, queryArtwork } from './pictures/artwork.ts'
import { IMAGE_SIZE, isForPress, PRINT_SIZE, pictureFormats } from './pictures/pictures.ts'
import { verdict } from './pictures/scan-checks.ts'
import { codeTags } from './tags.ts'
import { plainText, z } from './zod.ts'

export const style = z.enum(styles)

export const pictureFormat = z.enum(pictureFormats)

export const ecc = z.enum(eccLevels)

export const codeName = plainText
  .min(1, 'Name is required')
  .max(NAME_MAX, `Name must be at most ${NAME_MAX} characters`)

/** A destination, as `destinationOf` spells it. */
export const destination = z
  .string()
  .trim()
  .max(URL_MAX, URL_TOO_LONG)
  .transform((text, context) => {
    const address = destinationOf(text)
    if (address !== null) return address
    context.addIssue({ code: 'custom', message: destinationProblem(text) })
    return z.NEVER
  })

/** A custom path; empty or null means none. The output is lower-case, since paths are looked up that way. */
export const vanityUrl = z
  .string()
  .trim()
  .transform((text) => text.toLowerCase())
  .pipe(
    z.union([
      z.literal(''),
      z
        .string()
        .min(VANITY_MIN, `Vanity URL must be at least ${VANITY_MIN} characters`)
        .max(VANITY_MAX, `Vanity URL must be at most ${VANITY_MAX} characters`)
        .regex(
          /^[a-z0-9_-]+$/,
          'Vanity URL can only contain letters, numbers, hyphens, and underscores',
        ),
    ]),
  )
  .nullable()
  .transform((text) => text || null)

/**
 * The custom path of a change: one by the rules above, which the server checks, or the one that the code has. An
 * import may have brought that from another service.
 */
const changedPath = z
  .string()
  .trim()
  .max(URL_MAX)
  .nullable()
  .transform((text) => text || null)

/** The host of a code's link, one of the account's domains; null for this server's. */
export const codeDomain = plainText
  .toLowerCase()
  .max(HOST_MAX)
  .nullable()
  .transform((host) => host || null)

/** The owner's own id of a code. No two codes of an account have the same one, and none has it after null. */
export const externalId = plainText
  .min(1, 'An id has at least 1 character')
  .max(EXTERNAL_ID_MAX, `An id has at most ${EXTERNAL_ID_MAX} characters`)

/** The path of a call on one code. A text that is not an id is answered like the id of a missing code. */
export const codeParams = z.object({ id: z.string() })

/** Body of PATCH /api/qr-codes/{id}: an absent field stays as it is. */
export const codeChange = z
  .object({
    name: codeName,
    url: destination,
    domain: codeDomain,
    vanityUrl: changedPath,
    style,
    foregroundColor: colour,
    backgroundColor: colour,
    ecc,
    compact: z.boolean(),
    artwork: artworkChange,
    tags: codeTags,
    isActive: z.boolean(),
    externalId: externalId.nullable(),
    passQuery: z.boolean(),
  })
  .partial()
export type CodeChange = z.infer<typeof codeChange>

/** Body of POST /api/qr-codes. Absent parts of the look are as in the account's default style. */
export const newCode = codeChange
  .required({ name: true, url: true })
  .extend({ vanityUrl: vanityUrl.optional(), artwork: codeArtwork.optional() })
export type NewCode = z.infer<typeof newCode>

/** A look to save. Absent parts are as in the plain look. */
export const newLook = z.object({
  style: style.default(DEFAULT_LOOK.style),
  foregroundColor: colour.default(DEFAULT_LOOK.foreground),
  backgroundColor: colour.default(DEFAULT_LOOK.background),
  ecc: ecc.default(DEFAULT_LOOK.ecc),
  compact: z.boolean().default(DEFAULT_LOOK.compact),
  artwork: codeArtwork.default(null),
})

/** The editor's form: the same rules, but name and destination are required and the look has defaults. */
export const codeForm = z.object({
  name: codeName,
  url: destination,
  domain: codeDomain.optional(),
  vanityUrl: vanityUrl.optional(),
  ...newLook.shape,
  tags: codeTags.default([]),
  passQuery: z.boolean().default(false),
})
export type CodeForm = z.input<typeof codeForm>

/** A saved look as every call answers it. */
export const savedLook = z.strictObject({
  style,
  foregroundColor: z.string(),
  backgroundColor: z.string(),
  ecc,
  /** The picture has the link in capitals, which makes the symbol smaller. */
  compact: z.boolean(),
  /** Shapes, eyes, gradient, margin, logo and frame; null for a code that has none of them */
  artwork: artwork.nullable(),
})

/** The parts of a code that a table has as its design, and an import takes from there */
export const design = newLook.extend({ passQuery: z.boolean().default(false) })

/** A code's design as the cell of a table: JSON */
export const designCell = (code: z.infer<typeof savedLook> & { passQuery: boolean }) =>
  JSON.stringify(
    Object.fromEntries(
      Object.keys(design.shape).map((key) => [key, code[key as keyof typeof code]]),
    ),
  )

/** A code as every call answers it. A draft has an empty name and url. Times are ISO 8601 in UTC. */
export const qrCode = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  /** The short link that its picture holds: by its custom path, or else by its short code */
  link: z.string(),
  /** The host of its link; null for this server's */
  domain: z.string().nullable(),
  vanityUrl: z.string().nullable(),
  ...savedLook.shape,
  /** Names the saved look: it changes with every change of any of the code's pictures. */
  pictureVersion: z.string(),
  /** The scan check's verdict on the saved look; null until the check has run. */
  legibility: verdict.nullable(),
  /** Names, in their order; GET /api/tags has their colours. */
  tags: z.array(z.string()),
  shortCode: z.string(),
  isActive: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  externalId: z.string().nullable(),
  /** Its redirect adds the parameters of the scanned link to the destination. */
  passQuery: z.boolean(),
  /** From 1. Each change that a person makes adds 1; scans and the end of a plan do not. */
  version: z.int().min(1),
})
export type QrCode = z.infer<typeof qrCode>

/** A code in the trash: when it was deleted, and when the server purges it with its scans. */
export const binnedCode = qrCode.extend({
  deletedAt: z.iso.datetime(),
  purgedAt: z.iso.datetime(),
})
export type BinnedCode = z.infer<typeof binnedCode>

/**
 * A list in parts: with `limit` or `cursor` the answer has at most that many items, and the
 * cursor of the next ones or null after the last. A code that is made or deleted between two parts moves
 * no other.
 */
const parts = {
  limit: z.coerce.number().int().min(1).max(CURSOR_PAGE.max).optional(),
  cursor: z.string().min(1).max(8_000).optional(),
}

export const partOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() })

/** Query of GET /api/qr-codes/bin. Without parameters the answer has all codes. */
export const binQuery = z.object(parts)
export type PartQuery = z.infer<typeof binQuery>

/** A short list: whole, or with `limit` or `cursor` a part of it */
export const wholeOrPart = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), partOf(item)])

/** Query of GET /api/qr-codes. Without parameters the answer has all codes. */
export const codeListQuery = z.object({
  ...parts,
  page: z.coerce.number().int().min(1).max(LIST_MAX).optional(),
  q: z.string().max(200).optional(),
  status: z.enum(listFilters).optional(),
  /** The name of a tag, whatever its capitals */
  tag: z.string().max(200).optional(),
  /** A code's link, or a name in one: its short code, or a custom path that it has or had */
  link: z.string().min(1).max(URL_MAX).optional(),
  externalId: z.string().min(1).max(EXTERNAL_ID_MAX).optional(),
  /** Codes of an import that is still listed */
  importId: z.uuid().optional(),
  /** Codes made at this instant or later, and before that one */
  createdFrom: z.iso.datetime({ offset: true }).optional(),
  createdBefore: z.iso.datetime({ offset: true }).optional(),
  sort: z
    .enum(['created', '-created', 'name', '-name', 'url', '-url', 'scans', '-scans'])
    .optional(),
})
export type CodeListQuery = z.infer<typeof codeListQuery>

/** A colour in a query. It may omit its #, since an address ends at a # that is not encoded. */
const queryColour = z
  .string()
  .transform((text) => (text.startsWith('#') ? text : `#${text}`))
  .pipe(colour)

const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** How a picture looks. An absent field is taken from the code. */
export const lookQuery = z.strictObject(
  {
    style: style.optional(),
    fg: queryColour.optional(),
    bg: queryColour.optional(),
    ecc: ecc.optional(),
    compact: queryFlag.optional(),
    artwork: queryArtwork.optional(),
  },
  // A caller who misspells a parameter would print another picture than the one asked for.
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown parameter ‘${String(issue.keys[0])}’`
        : undefined,
  },
)
export type LookQuery = z.infer<typeof lookQuery>

/** Plain digits only: Number() would take 1e3, 0x400 and nothing at all for a number. */
const plainNumber = (pattern: RegExp, message: string, meta: Record<string, unknown>) =>
  // Described as the number that it is: a client has no use for its digits.
  z
    .string()
    .regex(pattern, message)
    .meta({ ...meta, pattern: undefined })
    .transform(Number)
const NOT_PIXELS = `Must be a whole number of pixels from ${IMAGE_SIZE.min} to ${IMAGE_SIZE.max}`
const NOT_MILLIMETRES = `Must be a number of millimeters from ${PRINT_SIZE.min} to ${PRINT_SIZE.max}`
const pixels = plainNumber(/^\d{1,6}$/, NOT_PIXELS, {
  type: 'integer',
  minimum: IMAGE_SIZE.min,
  maximum: IMAGE_SIZE.max,
  default: IMAGE_SIZE.default,
})
const millimetres = plainNumber(/^\d{1,6}(\.\d{1,3})?$/, NOT_MILLIMETRES, {
  type: 'number',
  minimum: PRINT_SIZE.min,
  maximum: PRINT_SIZE.max,
})

/** Query of GET /api/qr-codes/{id}/download-zip. `mm` is the edge in print. */
export const zipQuery = lookQuery.extend({
  size: pixels
    .pipe(z.number().min(IMAGE_SIZE.min, NOT_PIXELS).max(IMAGE_SIZE.max, NOT_PIXELS))
    .default(IMAGE_SIZE.default),
  mm: millimetres
    .pipe(z.number().min(PRINT_SIZE.min, NOT_MILLIMETRES).max(PRINT_SIZE.max, NOT_MILLIMETRES))
    .optional(),
  t: z.string().max(100).optional(),
})

/**
 * Query of GET /api/qr-codes/{id}/generate. `t` only defeats caches; `v` is the code's
 * pictureVersion: an address that carries the right one can be kept for ever. `cmyk` gives a PDF or an
 * EPS the four inks of a press in place of red, green and blue.
 */
export const imageQuery = zipQuery
  .extend({
    format: pictureFormat.default('png'),
    v: z.string().max(100).optional(),
    cmyk: queryFlag.optional(),
  })
  .refine(({ format, cmyk }) => !cmyk || isForPress(format), {
    path: ['cmyk'],
    message: 'Only PDF and EPS can have CMYK',
  })
export type ImageQuery = z.infer<typeof imageQuery>

/** The first line of a table of codes. An import knows these titles. */
export const codeTableTitles = [
  ...['Short link', 'Destination', 'Name', 'Custom URL', 'Tags'],
  ...['Scans', 'Visitors', 'Created', 'Status'],
  ...['Former custom URLs', 'External ID', 'Design'],
]

/** Query of GET /api/qr-codes/export.csv: all codes of such a list, in its order. */
export const codeTableQuery = codeListQuery.omit({ limit: true, cursor: true, page: true })

/** Which codes a call on many changes: those with these ids, or with this tag, at most 1,000. */
const target = {
  ids: z.array(z.string()).min(1).max(CURSOR_PAGE.max).optional(),
  tag: z.string().max(200).optional(),
  /** Says what would happen, and changes nothing. */
  dryRun: z.boolean().default(false),
}
const hasOneTarget = ({ ids, tag }: { ids?: unknown; tag?: unknown }) =>
  (ids === undefined) !== (tag === undefined)
const ONE_TARGET = { path: ['ids'], message: 'Send either ids or tag' }

/** Body of POST /api/qr-codes/bulk/change. No two codes can have the same custom path or id. */
export const codesChange = z
  .object({ ...target, change: codeChange.omit({ vanityUrl: true, externalId: true }) })
  .refine(hasOneTarget, ONE_TARGET)
export type CodesChange = z.output<typeof codesChange>

/** Body of POST /api/qr-codes/bulk/delete. */
export const codesDeletion = z.object(target).refine(hasOneTarget, ONE_TARGET)
export type CodesDeletion = z.output<typeof codesDeletion>

/** The answer of both: the codes that are changed or deleted, or would be. */
export const codesDone = z.strictObject({ ids: z.array(z.string()), dryRun: z.boolean() })
export type CodesDone = z.infer<typeof codesDone>

/** The path of PUT /api/qr-codes/external/{externalId}. */
export const externalParams = z.object({ externalId })

/** Body of POST /api/qr-codes/export.csv: these codes, in their order. */
export const codeTableAsked = z.object({
  ids: z
    .array(z.string())
    .min(1, 'Choose at least one QR code')
    .max(LIST_MAX, `Choose at most ${LIST_MAX.toLocaleString('en-US')} QR codes`),
})
export type CodeTableAsked = z.infer<typeof codeTableAsked>

/** Largest body of that call, in bytes. */
export const CODE_TABLE_BODY_MAX = 512 * 1024
