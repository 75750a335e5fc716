import { DEFAULT_LOOK, eccLevels, styles } from '#qr/symbol/look.ts'
import {
  ARTWORK,
  artwork,
  artworkChange,
  codeArtwork,
  colour,
  queryArtwork,
} from '../pictures/artwork.ts'
import { IMAGE_SIZE, isForPress, PRINT_SIZE, pictureFormats } from '../pictures/pictures.ts'
import { verdict } from '../pictures/scan-checks.ts'
import {
  anyTime,
  chosenOf,
  countFrom1,
  createdAt,
  flag,
  list,
  oneOf,
  ownId,
  plainText,
  text,
  textOrNull,
  time,
  timeOrNull,
  URL_WORDS,
  wholeOrNull,
  wordsOf,
  z,
} from '../zod.ts'
import { codeRules, savedRules } from './code-rules.ts'
import {
  CODE_PASSWORD_MAX,
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
import { destination } from './destination.ts'
import { destinationHealth } from './health.ts'
import { SCANS_MAX } from './rule-values.ts'
import { codeTags } from './tags.ts'

export const style = oneOf(styles, 'Classic (sharp corners) or rounded.')

export const pictureFormat = oneOf(pictureFormats, 'The file format.')

export const ecc = oneOf(eccLevels, 'Error correction: L (7%), M, Q or H (30%).')

export const codeName = plainText
  .min(1, 'Name is required')
  .max(NAME_MAX, `Name must be at most ${NAME_MAX} characters`)

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

/** The host of a code's link, one of the workspace's domains; null for this server's. */
export const codeDomain = plainText
  .toLowerCase()
  .max(HOST_MAX)
  .nullable()
  .transform((host) => host || null)

/** The owner's own id of a code. No two codes of a workspace have the same one, and none has it after null. */
export const externalId = plainText
  .min(1, 'An id has at least 1 character')
  .max(EXTERNAL_ID_MAX, `An id has at most ${EXTERNAL_ID_MAX} characters`)

/* The meaning of fields that calls take in another form than answers have them. */
const NAME = 'For you: people who scan the code don’t see it.'
const DOMAIN = 'The host of its link: one of your domains, or null for this site’s.'
export const PATH_WORDS =
  'The custom URL: the path of the short link; null for none. It’s in lower case, unless an import onto your domain brought it. Earlier ones keep working.'
const FOREGROUND = 'Hex color of the modules, such as #1e40af.'
const BACKGROUND = 'Hex color behind them, such as #f0f9ff.'
export const EXTERNAL_ID =
  'Your own id for the code. No two codes of a workspace have the same one, and one in the trash keeps its own.'
export const IDS_OF_CODES = 'The ids of the codes, up to 1,000.'
export const LOOK_OF_CODES = 'The codes’ design. Without it they get your default design.'

const compact = flag('Writes the link in capitals, which makes the code less dense.')
const isActive = flag('False if the code is paused: people who scan it see that.')
const passQuery = flag(
  'True adds the parameters of the scanned link, such as ?table=7, to the destination. Those that it has itself come first, and stay.',
)

const STARTS_AT = 'Until then visitors see when it starts; null if it has started.'
const ENDS_AT =
  'Your own end: from then on the code leads nowhere, or to `fallbackUrl`; null for none. The end of a Free code is `expiresAt`.'
const SCAN_LIMIT =
  'Scans by persons after which the code is over, counting those that it has already; null for no limit.'
const FALLBACK_URL =
  'Where visitors go while the code is paused, hasn’t started, or is over; null shows them a page that says so.'
const checksDestination = flag('Checks once a day whether its destinations work.')
const fallbackWhenDead = flag('Leads to `fallbackUrl` while `url` is dead.')
const PASSWORD =
  'What visitors have to enter before the code leads on; null takes it away. No call returns it: see `hasPassword`.'
const RULES = 'Rules that lead some visitors elsewhere, in their order. They replace those it has.'

/** Body of PATCH /api/qr-codes/{id}: an absent field stays as it is. */
export const codeChange = z
  .object({
    name: codeName.describe(NAME),
    url: destination.describe(URL_WORDS),
    domain: codeDomain.describe(DOMAIN),
    vanityUrl: changedPath.describe(PATH_WORDS),
    style,
    foregroundColor: colour.describe(FOREGROUND),
    backgroundColor: colour.describe(BACKGROUND),
    ecc,
    compact,
    artwork: artworkChange.describe(ARTWORK),
    tags: codeTags,
    isActive,
    externalId: externalId.nullable().describe(EXTERNAL_ID),
    passQuery,
    startsAt: anyTime.nullable().describe(STARTS_AT),
    endsAt: anyTime.nullable().describe(ENDS_AT),
    scanLimit: z.int().min(1).max(SCANS_MAX).nullable().describe(SCAN_LIMIT),
    password: plainText
      .min(1, 'Password is required')
      .max(CODE_PASSWORD_MAX, `A password has at most ${CODE_PASSWORD_MAX} characters`)
      .nullable()
      .describe(PASSWORD),
    fallbackUrl: destination.nullable().describe(FALLBACK_URL),
    rules: codeRules.describe(RULES),
    checksDestination,
    fallbackWhenDead,
  })
  .partial()
export type CodeChange = z.infer<typeof codeChange>

/** Body of POST /api/qr-codes. Absent parts of the look are as in the account's default style. */
export const newCode = codeChange.required({ name: true, url: true }).extend({
  vanityUrl: vanityUrl.optional().describe(PATH_WORDS),
  artwork: codeArtwork.optional(),
})
export type NewCode = z.infer<typeof newCode>

/** A look to save. Absent parts are as in the plain look. */
export const newLook = z.object({
  style: style.default(DEFAULT_LOOK.style),
  foregroundColor: colour.default(DEFAULT_LOOK.foreground).describe(FOREGROUND),
  backgroundColor: colour.default(DEFAULT_LOOK.background).describe(BACKGROUND),
  ecc: ecc.default(DEFAULT_LOOK.ecc),
  compact: compact.default(DEFAULT_LOOK.compact),
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
  passQuery: passQuery.default(false),
})
export type CodeForm = z.input<typeof codeForm>

/** A saved look as every call answers it. */
export const savedLook = z.strictObject({
  style,
  foregroundColor: text(FOREGROUND),
  backgroundColor: text(BACKGROUND),
  ecc,
  compact,
  artwork: artwork.nullable().describe(ARTWORK),
})

/** The parts of a code that a table has as its design, and an import takes from there */
export const design = newLook.extend({
  passQuery: passQuery.default(false),
  startsAt: anyTime.nullable().default(null),
  endsAt: anyTime.nullable().default(null),
  scanLimit: codeChange.shape.scanLimit.unwrap().default(null),
  fallbackUrl: destination.nullable().default(null),
  rules: codeRules.default([]),
  checksDestination: checksDestination.default(true),
  fallbackWhenDead: fallbackWhenDead.default(false),
  /** A password itself is in no file. */
  hasPassword: z.boolean().default(false),
})

/** A code's design as the cell of a table: JSON */
export const designCell = (code: Pick<QrCode, keyof typeof design.shape>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.keys(design.shape).map((key) => [key, code[key as keyof typeof code]]),
    ),
  )

/** A code as every call answers it. A draft has an empty name and url. Times are ISO 8601 in UTC. */
export const qrCode = z.strictObject({
  id: ownId,
  name: text(NAME),
  url: text(URL_WORDS),
  /** By its custom path, or else by its short code */
  link: text('The short link that the picture holds.'),
  domain: textOrNull(DOMAIN),
  vanityUrl: textOrNull(PATH_WORDS),
  ...savedLook.shape,
  pictureVersion: text(
    'Changes whenever the picture changes. An address with it can be cached forever.',
  ),
  legibility: verdict.nullable().describe('The scan rating; null until the code is checked.'),
  /** In their order; GET /api/tags has their colours. */
  tags: list(z.string(), 'The names of its tags.'),
  shortCode: text('The path that always works: /qr/{shortCode}.'),
  isActive,
  expiresAt: timeOrNull('When a code from the Free plan expires; null if it never does.'),
  createdAt,
  externalId: textOrNull(EXTERNAL_ID),
  passQuery,
  startsAt: timeOrNull(STARTS_AT),
  endsAt: timeOrNull(ENDS_AT),
  scanLimit: wholeOrNull(SCAN_LIMIT),
  hasPassword: flag('Whether visitors have to enter a password.'),
  fallbackUrl: textOrNull(FALLBACK_URL),
  rules: savedRules,
  checksDestination,
  fallbackWhenDead,
  health: destinationHealth,
  /** From 1. Each change that a person makes adds 1; scans and the end of a plan do not. */
  version: z.int().min(1).describe('Counts the changes. `ETag` and `If-Match` have it in quotes.'),
})
export type QrCode = z.infer<typeof qrCode>

/** A code in the trash: when it was deleted, and when the server purges it with its scans. */
export const binnedCode = qrCode.extend({
  deletedAt: time('When it was deleted.'),
  purgedAt: time('When it leaves the trash for good, with its scans.'),
})
export type BinnedCode = z.infer<typeof binnedCode>

/** The size of a part of a list, in a query. */
export const pageLimit = (max: number) =>
  countFrom1.max(max).describe('How many to return. The response then has `nextCursor`.')
export const PAGE_CURSOR = '`nextCursor` of the previous page.'

/**
 * A list in parts: with `limit` or `cursor` the answer has at most that many items, and the
 * cursor of the next ones or null after the last. A code that is made or deleted between two parts moves
 * no other.
 */
const parts = {
  limit: pageLimit(CURSOR_PAGE.max),
  cursor: z.string().min(1).max(8_000).describe(PAGE_CURSOR),
}

export const partOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: list(item, 'This page of the list.'),
    nextCursor: textOrNull('Send it as `cursor` to get the next page; null after the last.'),
  })

/** Query of GET /api/qr-codes/bin. Without parameters the answer has all codes. */
export const binQuery = z.object(parts).partial()
export type PartQuery = z.infer<typeof binQuery>

/** A short list: whole, or with `limit` or `cursor` a part of it */
export const wholeOrPart = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), partOf(item)])

export const WITH_TAG = 'Only codes with this tag, by its name.'

/** Query of GET /api/qr-codes. Without parameters the answer has all codes. */
export const codeListQuery = z
  .object({
    ...parts,
    page: countFrom1
      .max(LIST_MAX)
      .describe(
        'Which 25 codes, from 1. Programs should use `cursor`: nothing moves between pages.',
      ),
    q: z.string().max(200).describe('Words in the name, the destination or the path.'),
    status: oneOf(
      listFilters,
      'Only codes with this status; `unscanned` means no scans for 30 days.',
    ),
    /** Whatever its capitals */
    tag: z.string().max(200).describe(WITH_TAG),
    link: text(
      'A short link, or only its path: a short code, or a custom URL that the code has or had.',
    )
      .min(1)
      .max(URL_MAX),
    externalId: z.string().min(1).max(EXTERNAL_ID_MAX).describe(EXTERNAL_ID),
    importId: z
      .uuid()
      .describe(
        'Only codes of this import. Like the import itself, it’s known for a week after publishing.',
      ),
    createdFrom: anyTime.describe('Only codes created at this time or later.'),
    createdBefore: anyTime.describe('Only codes created before this time.'),
    sort: oneOf(
      ['created', '-created', 'name', '-name', 'url', '-url', 'scans', '-scans'],
      'The order; prefix a - to reverse it. Lists with a cursor can’t be sorted by scans.',
    ),
  })
  .partial()
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
    fg: queryColour
      .optional()
      .describe('Another color for the modules in this picture, such as 1e40af.'),
    bg: queryColour.optional().describe('Another color behind them.'),
    ecc: ecc.optional(),
    compact: queryFlag.optional().describe(wordsOf(compact)),
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
    .default(IMAGE_SIZE.default)
    .describe('The edge in pixels.'),
  mm: millimetres
    .pipe(z.number().min(PRINT_SIZE.min, NOT_MILLIMETRES).max(PRINT_SIZE.max, NOT_MILLIMETRES))
    .optional()
    .describe('The edge in print in millimeters, including the margin.'),
  t: z.string().max(100).optional().describe('Any value: a new one bypasses caches.'),
})

/**
 * Query of GET /api/qr-codes/{id}/generate. `t` only defeats caches; `v` is the code's
 * pictureVersion: an address that carries the right one can be kept for ever. `cmyk` gives a PDF or an
 * EPS the four inks of a press in place of red, green and blue.
 */
export const imageQuery = zipQuery
  .extend({
    format: pictureFormat.default('png'),
    v: text(
      'The code’s `pictureVersion`: with the current one, the response can be cached forever.',
    )
      .max(100)
      .optional(),
    cmyk: queryFlag.optional().describe('For PDF and EPS: the four inks of a printing press.'),
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
  ids: z.array(z.string()).min(1).max(CURSOR_PAGE.max).optional().describe(IDS_OF_CODES),
  tag: z.string().max(200).optional().describe('All codes with this tag, by its name.'),
  dryRun: flag('True changes nothing, and the response says what would.').default(false),
}
const hasOneTarget = ({ ids, tag }: { ids?: unknown; tag?: unknown }) =>
  (ids === undefined) !== (tag === undefined)
const ONE_TARGET = { path: ['ids'], message: 'Send either ids or tag' }

/** Body of POST /api/qr-codes/bulk/change. No two codes can have the same custom path or id. */
export const codesChange = z
  .object({
    ...target,
    change: codeChange
      .omit({ vanityUrl: true, externalId: true })
      .describe('The same fields for all of the codes.'),
  })
  .refine(hasOneTarget, ONE_TARGET)
export type CodesChange = z.output<typeof codesChange>

/** Body of POST /api/qr-codes/bulk/delete. */
export const codesDeletion = z.object(target).refine(hasOneTarget, ONE_TARGET)
export type CodesDeletion = z.output<typeof codesDeletion>

/** The answer of both: the codes that are changed or deleted, or would be. */
export const codesDone = z.strictObject({
  ids: list(z.string(), 'The codes that are different now, or would be.'),
  dryRun: flag('True if nothing was changed.'),
})
export type CodesDone = z.infer<typeof codesDone>

/** The path of PUT /api/qr-codes/external/{externalId}. */
export const externalParams = z.object({ externalId: externalId.describe(EXTERNAL_ID) })

/** Body of POST /api/qr-codes/export.csv: these codes, in their order. */
export const codeTableAsked = z.object({ ids: chosenOf(LIST_MAX, IDS_OF_CODES) })
export type CodeTableAsked = z.infer<typeof codeTableAsked>

/** Largest body of that call, in bytes. */
export const CODE_TABLE_BODY_MAX = 512 * 1024
