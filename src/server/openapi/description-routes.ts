import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ORIGIN_PLACEHOLDER } from '#contract/codes/placeholders.ts'
import { openToSites } from '../http/policy/allowed-methods.ts'
import { type CompressedPage, sendCompressed } from '../pages/compressed.ts'

export type DescriptionDeps = {
  publicUrl: string
  /** The page that shows the document */
  page: string
  /** The built OpenAPI document: scripts/api-document writes it. */
  file: string
}

type ServedDocument = CompressedPage & { etag: string }

/** The reference's program asks only this server. Its styles come from scripts, as those of our own pages. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the description of the API: to programs, and to people. */
export async function descriptionRoutes(app: FastifyInstance, deps: DescriptionDeps) {
  app.get('/api/docs', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(deps.page),
  )

  // It is read at the first request: most servers are never asked for it.
  let served: Promise<ServedDocument> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    served ??= readDocument(deps).catch((error) => {
      served = undefined
      throw error
    })
    const document = await served
    reply.headers({
      etag: document.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=300',
      ...openToSites,
    })
    if (request.headers['if-none-match'] === document.etag) return reply.code(304).send()
    return sendCompressed(request, reply.type('application/json; charset=utf-8'), document)
  })
}

/** The built document with this server's address in it. */
async function readDocument({ file, publicUrl }: DescriptionDeps): Promise<ServedDocument> {
  const built = await readFile(file, 'utf8')
  const plain = built.replaceAll(ORIGIN_PLACEHOLDER, () => publicUrl)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, quality),
    promisify(gzip)(plain),
  ])
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
  return { plain, br, gzip: gz, etag }
}
