import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { type CompressedPage, sendCompressed } from '../pages/compressed.ts'
import { WorkThread } from '../threads/work-thread.ts'
import type { Asked } from './document.ts'
import { plainRoutes } from './route-schemas.ts'

export type DescriptionDeps = {
  /** All routes of the server, once it has them */
  routes: readonly RouteOptions[]
  publicUrl: string
  version: string
  /** The reference, which shows the document */
  page: string
}

const thread = {
  thread: new URL('./description-thread.ts', import.meta.url),
  ...{ taskMs: 30_000, idleMs: 30_000, memory: { maxOldGenerationSizeMb: 128 } },
}

type Written = CompressedPage & { etag: string }

/** The reference's program asks nobody but us. Its styles come from scripts, as those of our own pages. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What programs can call, and how: for programs, and for people. */
export async function descriptionRoutes(app: FastifyInstance, deps: DescriptionDeps) {
  app.get('/api/docs', async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(deps.page),
  )

  // Written when somebody first asks for it.
  let written: Promise<Written> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    written ??= write(deps).catch((error) => {
      written = undefined
      throw error
    })
    const document = await written
    reply.headers({
      etag: document.etag,
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=300',
      // Public, so that the tools of other sites can read it.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match'] === document.etag) return reply.code(304).send()
    return sendCompressed(request, reply.type('application/json; charset=utf-8'), document)
  })
}

/** In a thread that ends afterwards, so that it costs the redirects neither time nor memory. */
async function write({ routes, publicUrl, version }: DescriptionDeps): Promise<Written> {
  const asked: Asked = { ...(await plainRoutes(routes)), publicUrl, version }
  const writer = new WorkThread<Asked, string>(thread, () => {})
  try {
    const plain = await writer.perform(asked)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(plain, quality),
      promisify(gzip)(plain),
    ])
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
    return { plain, br, gzip: gz, etag }
  } finally {
    await writer.end()
  }
}
