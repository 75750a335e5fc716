import {
  binnedCode,
  binQuery,
  codeChange,
  codeListQuery,
  newCode,
  partOf,
  qrCode,
} from '#contract/codes/codes.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { idParams, wordsOf, z } from '#contract/zod.ts'
import { AppError, toAppError } from '../../http/errors.ts'
import { type Tool, tool } from './tool.ts'

/** Codes in one call: a model reads or writes each of them. */
export const CODES_MAX = 100
const CODES_DEFAULT = 20

export const codeId = idParams.shape.id.describe('The id of the code, as the lists have it')
const limit = z
  .int()
  .min(1)
  .max(CODES_MAX)
  .default(CODES_DEFAULT)
  .describe(wordsOf(binQuery.shape.limit.unwrap()))

/** Where and when a code leads, beside its destination: `read_code` returns it, and of the inputs only `change_code` has it. */
const readableCourse = {
  startsAt: true,
  endsAt: true,
  scanLimit: true,
  fallbackUrl: true,
  rules: true,
  checksDestination: true,
  fallbackWhenDead: true,
} as const
export const course = { ...readableCourse, password: true } as const
/** The fields that only `read_code` has */
const long = {
  ...readableCourse,
  style: true,
  foregroundColor: true,
  backgroundColor: true,
  ecc: true,
  compact: true,
  artwork: true,
  pictureVersion: true,
  hasPassword: true,
  health: true,
} as const
const brief = qrCode.omit(long).strip()
const binned = binnedCode.omit(long).strip()
/** The fields of a new code */
export const inputOfNew = newCode.omit(course).shape
/** A code in the answer to a call on many. */
export const briefest = qrCode.pick({ id: true, name: true, url: true, link: true }).strip()

export const once = onceHeaders.shape['idempotency-key'].describe(
  'Your own name for this call. Repeated calls with the same name run only once in 24 hours.',
)

const { cursor, q, status, tag, sort, link, externalId } = codeListQuery.shape

const version = qrCode.shape.version
  .optional()
  .describe('The version you read. If someone has changed the code since, nothing is done')

export const codeTools: Tool[] = [
  tool({
    name: 'list_codes',
    title: 'List QR codes',
    call: 'GET /api/qr-codes',
    description:
      'Lists the account’s QR codes, newest first unless sorted otherwise, one page at a time: continue with nextCursor. Search by words, status or tag.',
    input: {
      q,
      status,
      tag,
      cursor,
      limit,
      sort: sort.unwrap().exclude(['scans', '-scans']).optional().describe(wordsOf(sort.unwrap())),
    },
    output: partOf(brief),
  }),
  tool(
    {
      name: 'find_code',
      title: 'Find a QR code',
      call: 'GET /api/qr-codes',
      description:
        'Finds a QR code by its link or by externalId, its id in the person’s own system.',
      input: z
        .strictObject({ link, externalId })
        .refine((given) => Object.keys(given).length === 1, 'Send either link or externalId'),
      output: brief,
    },
    async (query, { ask }) => {
      const [found] = await ask(query, z.array(brief))
      if (!found) throw new AppError('code_not_found')
      return found
    },
  ),
  tool({
    name: 'read_code',
    title: 'Read a QR code',
    call: 'GET /api/qr-codes/:id',
    description:
      'Reads one QR code: its name, its destination (url), its short link, its design, and its version.',
    input: { id: codeId },
    output: qrCode,
  }),
  tool({
    name: 'make_code',
    title: 'Create a QR code',
    call: 'POST /api/qr-codes',
    description: `Creates a QR code that leads to url. Its short link never changes, and its destination can be changed later, even after the code is printed. Tags that don’t exist yet are created. Send an idempotencyKey if you might repeat the call: then it creates only one code.`,
    input: { ...inputOfNew, idempotencyKey: once },
    output: brief,
  }),
  tool({
    name: 'change_code',
    title: 'Change a QR code',
    call: 'PATCH /api/qr-codes/:id',
    description: `Changes a QR code: what you leave out stays as it is. A new url applies at once to every printed copy. isActive: false pauses the code, and people who scan it see that it’s paused. tags replaces all its tags. Its earlier custom URLs keep working. rules replaces all its rules, which lead some visitors elsewhere: for example {"systems": ["iOS"], "variants": [{"url": "https://…"}]}.`,
    input: { id: codeId, version, ...codeChange.shape },
    output: brief,
  }),
  tool({
    name: 'delete_code',
    title: 'Delete a QR code',
    call: 'DELETE /api/qr-codes/:id',
    description:
      'Deletes a QR code: its printed copies stop working at once. It stays in the trash for 30 days, and restore_code brings it back. Ask the person first. To stop a code for a while, use change_code with isActive: false.',
    input: { id: codeId, version },
    done: 'Deleted. It can be restored for 30 days.',
  }),
  tool({
    name: 'list_deleted_codes',
    title: 'List the trash',
    call: 'GET /api/qr-codes/bin',
    description:
      'Lists the deleted QR codes that can still be restored, most recently deleted first, and until when.',
    input: { cursor: binQuery.shape.cursor, limit },
    output: partOf(binned),
  }),
  tool(
    {
      name: 'restore_code',
      title: 'Restore a deleted QR code',
      call: 'POST /api/qr-codes/:id/restore',
      isIdempotent: true,
      description: 'Restores a QR code from the trash, with its link and its scans.',
      input: { id: codeId },
      output: brief,
    },
    async (given, { ask, calls, path }) =>
      ask(given, brief).catch(async (error) => {
        // The API finds only deleted codes to restore.
        if (toAppError(error).code !== 'code_not_found') throw error
        const found = await calls.bytes({ path: path.replace('/restore', '') }).catch(() => null)
        throw found
          ? new AppError('bad_request', 'This QR code isn’t deleted, so nothing was restored.')
          : error
      }),
  ),
]
