import { tagOf } from '#contract/code-values.ts'
import {
  binnedCode,
  binQuery,
  codeChange,
  codeListQuery,
  codeParams,
  newCode,
  partOf,
  qrCode,
} from '#contract/codes.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { z } from '#contract/zod.ts'
import { AppError, toAppError } from '../../http/errors.ts'
import type { InnerCalls } from '../inner-calls.ts'
import { pathsIn } from './paths.ts'
import { contentTool, dataTool, type Tool } from './tool.ts'

/** Codes in one call: a model reads or writes each of them. */
export const CODES_MAX = 100
const CODES_DEFAULT = 20

export const codeId = codeParams.shape.id.describe('The id of the code, as the lists have it')
const limit = z.int().min(1).max(CODES_MAX).default(CODES_DEFAULT)

/** The fields of a code's picture, which only `read_code` has */
const picture = {
  style: true,
  foregroundColor: true,
  backgroundColor: true,
  ecc: true,
  compact: true,
  artwork: true,
  pictureVersion: true,
} as const
const brief = qrCode.omit(picture).strip()
const binned = binnedCode.omit(picture).strip()
/** A code in the answer to a call on many. */
export const briefest = qrCode.pick({ id: true, name: true, url: true, link: true }).strip()

export const pathOf = pathsIn('/api/qr-codes', 'code_not_found')

export const once = onceHeaders.shape['idempotency-key'].describe(
  'Your own name for this call. Repeated calls with the same name run only once in 24 hours.',
)

const { cursor, q, status, tag, sort, link, externalId } = codeListQuery.shape

const ifVersion = {
  version: qrCode.shape.version
    .optional()
    .describe('The version you read. If someone has changed the code since, nothing is done'),
}
const ifMatch = (version?: number) => ({
  'if-match': version === undefined ? undefined : tagOf(version),
})

export const codeTools: Tool[] = [
  dataTool(
    {
      name: 'list_codes',
      title: 'List QR codes',
      effect: 'reads',
      description:
        'Lists the account’s QR codes, newest first unless sorted otherwise, one page at a time: continue with nextCursor. Search by words, status or tag.',
      input: z.strictObject({
        q,
        status,
        tag,
        cursor,
        limit,
        sort: sort.unwrap().exclude(['scans', '-scans']).optional(),
      }),
      output: partOf(brief),
    },
    async (query, { calls }) => calls.json(partOf(brief), { path: '/api/qr-codes', query }),
  ),
  dataTool(
    {
      name: 'find_code',
      title: 'Find a QR code',
      effect: 'reads',
      words: 'listQrCodes',
      description:
        'Finds a QR code by its link or by externalId, its id in the person’s own system.',
      input: z
        .strictObject({ link, externalId })
        .refine((given) => Object.keys(given).length === 1, 'Send either link or externalId'),
      output: brief,
    },
    async (query, { calls }) => {
      const [found] = await calls.json(z.array(brief), { path: '/api/qr-codes', query })
      if (!found) throw new AppError('code_not_found')
      return found
    },
  ),
  dataTool(
    {
      name: 'read_code',
      title: 'Read a QR code',
      effect: 'reads',
      description:
        'Reads one QR code: its name, its destination (url), its short link, its design, and its version.',
      input: z.strictObject({ id: codeId }),
      output: qrCode,
    },
    async ({ id }, { calls }) => calls.json(qrCode, { path: pathOf(id) }),
  ),
  dataTool(
    {
      name: 'make_code',
      title: 'Create a QR code',
      effect: 'adds',
      description: `Creates a QR code that leads to url. Its short link never changes, and its destination can be changed later, even after the code is printed. Tags that don’t exist yet are created. Send an idempotencyKey if you might repeat the call: then it creates only one code.`,
      input: z.strictObject({
        ...newCode.shape,
        idempotencyKey: once,
      }),
      output: brief,
    },
    async ({ idempotencyKey, ...body }, { calls }) => {
      const headers = { 'idempotency-key': idempotencyKey }
      return calls.json(brief, { method: 'POST', path: '/api/qr-codes', headers, body })
    },
  ),
  dataTool(
    {
      name: 'change_code',
      title: 'Change a QR code',
      effect: 'replaces',
      description: `Changes a QR code: what you leave out stays as it is. A new url applies at once to every printed copy. isActive: false pauses the code, and people who scan it see that it’s paused. tags replaces all its tags. Its earlier custom URLs keep working.`,
      input: z.strictObject({ id: codeId, ...ifVersion, ...codeChange.shape }),
      output: brief,
    },
    async ({ id, version, ...body }, { calls }) =>
      calls.json(brief, { method: 'PATCH', path: pathOf(id), headers: ifMatch(version), body }),
  ),
  contentTool(
    {
      name: 'delete_code',
      title: 'Delete a QR code',
      effect: 'replaces',
      description:
        'Deletes a QR code: its printed copies stop working at once. It stays in the trash for 30 days, and restore_code brings it back. Ask the person first. To stop a code for a while, use change_code with isActive: false.',
      input: z.strictObject({ id: codeId, ...ifVersion }),
    },
    async ({ id, version }, { calls }) => {
      await calls.bytes({ method: 'DELETE', path: pathOf(id), headers: ifMatch(version) })
      return { content: [{ type: 'text', text: 'Deleted. It can be restored for 30 days.' }] }
    },
  ),
  dataTool(
    {
      name: 'list_deleted_codes',
      title: 'List the trash',
      effect: 'reads',
      description:
        'Lists the deleted QR codes that can still be restored, most recently deleted first, and until when.',
      input: z.strictObject({ cursor: binQuery.shape.cursor, limit }),
      output: partOf(binned),
    },
    async (query, { calls }) => calls.json(partOf(binned), { path: '/api/qr-codes/bin', query }),
  ),
  dataTool(
    {
      name: 'restore_code',
      title: 'Restore a deleted QR code',
      effect: 'adds',
      isIdempotent: true,
      description: 'Restores a QR code from the trash, with its link and its scans.',
      input: z.strictObject({ id: codeId }),
      output: brief,
    },
    async ({ id }, { calls }) => {
      const restored = calls.json(brief, { method: 'POST', path: pathOf(id, '/restore') })
      return restored.catch((error) => refuseRestoring(error, id, calls))
    },
  ),
]

/** The API finds only deleted codes to restore: a code that isn't deleted is refused in words of its own. */
async function refuseRestoring(error: unknown, id: string, calls: InnerCalls): Promise<never> {
  if (toAppError(error).code !== 'code_not_found') throw error
  const found = await calls.bytes({ path: pathOf(id) }).catch(() => null)
  throw found
    ? new AppError('bad_request', 'This QR code isn’t deleted, so nothing was restored.')
    : error
}
