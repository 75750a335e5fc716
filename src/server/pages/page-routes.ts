import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { plans } from '#contract/billing/plans.ts'
import { errorTable } from '#contract/errors.ts'
import { AppError, answerError, toAppError } from '../http/errors.ts'
import { errorPage, escapeHtml, isPageView, sendPlainPage } from '../http/plain-page.ts'
import type { AllowedMethods } from '../http/policy/allowed-methods.ts'
import { type CompressedPage, sendCompressed } from './compressed.ts'
import type { Pages } from './pages.ts'

export type PageRoutesDeps = {
  pages: Pages
  publicUrl: string
  /** The account that is signed in, if any. */
  userOf: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>
}

const asHtml = (reply: FastifyReply) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')

const html = (reply: FastifyReply, text: string) => asHtml(reply).send(text)

/** The HTML pages and their assets. `/` is the landing page for visitors and the app for accounts. */
export async function pageRoutes(
  app: FastifyInstance,
  { pages, publicUrl, userOf }: PageRoutesDeps,
) {
  // A folder or a path with NUL cannot be a file of ours, so the answer is the 404 page too.
  app.setErrorHandler((error, request, reply) => {
    const isRefusal = error instanceof AppError
    if (!isRefusal && toAppError(error).status < 500) return reply.callNotFound()
    return answerError(error, request, reply)
  })

  await app.register(fastifyStatic, {
    root: pages.assets,
    index: false,
    acceptRanges: false,
    // The build puts compressed forms beside the files.
    preCompressed: true,
    // Names of built assets carry a hash of their content.
    setHeaders(reply, path) {
      if (relative(pages.assets, path).startsWith(`assets${sep}`)) {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return
      }
      reply.header('cache-control', 'public, max-age=3600')
      // Other sites show these pictures beside a link to us.
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
    // The compressed forms are sent under the plain file's name only.
    allowedPath: (path) => !/\.(html|br|gz)$/.test(path),
  })

  await app.register(fontRoutes, pages)
  await app.register(searchRoutes, { publicUrl })

  const landing = compressPage(pages.html.landing)
  const screen = (reply: FastifyReply) => html(reply.header('link', CALLS_AHEAD), pages.html.app)
  app.get('/', async (request, reply) => {
    reply.header('vary', 'Cookie, Accept-Encoding')
    // If the sessions cannot be read now, the app informs the visitor and tries again.
    const signedIn = await userOf(request, reply).catch((error) => {
      request.log.error({ err: error }, 'session not read')
      reply.code(503)
      return 'unknown'
    })
    if (signedIn) return screen(reply)
    return sendCompressed(request, asHtml(reply), landing)
  })

  for (const path of ['/dashboard', '/profile', '/subscription', '/connect']) {
    app.get(path, async (_request, reply) => screen(reply))
  }
}

/** Each screen begins with these calls: the browser makes them while it fetches the script (RFC 8288). */
const CALLS_AHEAD = ['/api/auth/user', '/api/config']
  .map((path) => `<${path}>; rel=preload; as=fetch; crossorigin=use-credentials`)
  .join(', ')

/** The pages that the server writes do not know the names of built files, so these addresses lead to them. */
async function fontRoutes(app: FastifyInstance, { assets }: Pick<Pages, 'assets'>) {
  const built = readdirSync(join(assets, 'assets'))
  for (const font of ['figtree', 'bricolage-grotesque']) {
    const file = built.find((name) => name.startsWith(`${font}-latin-wght-normal-`))
    app.get(`/fonts/${font}.woff2`, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').redirect(`/assets/${file}`),
    )
  }
}

/** Compresses once a page that is the same for all visitors. */
function compressPage(plain: string): CompressedPage {
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) }
}

/** The answer for every other path: browsers get the app's 404 page, programs the contract's error. */
export function notFound(pages: Pages, methods: AllowedMethods) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (methods.answer(request, reply)) return reply
    reply.code(404)
    const isPage = ['GET', 'HEAD'].includes(request.method) && !/^\/api(\/|\?|$)/.test(request.url)
    if (isPage) return html(reply, pages.html.app)
    if (isPageView(request)) return sendPlainPage(reply, 404, errorPage(new AppError('not_found')))
    return reply.send({ message: errorTable.not_found.message, code: 'not_found' })
  }
}

/** Screens that only their owner sees. Short links stay open, for link previews. */
const CLOSED = ['/api/', '/dashboard', '/profile', '/subscription', '/connect', '/oauth/']
/**
 * Exceptions from `CLOSED` (RFC 9309 §2.2.2: the longest match counts): pages about us, and shared pages,
 * which say that they may not be listed.
 */
const OPEN = ['/api/share/', '/api/docs', '/api/openapi.json', '/api/help', '/api/integrations']

/** Says what language models can read here, in Markdown (llmstxt.org). */
const modelsText = (publicUrl: string) =>
  readFileSync(new URL('./llms.txt', import.meta.url), 'utf8')
    .replaceAll('{url}', () => publicUrl)
    .replace('{plan}', plans.unlimited.name)

/** Tells search engines which one page they may list, and language models where they can read. */
async function searchRoutes(app: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  const robots = [
    'User-agent: *',
    ...CLOSED.map((path) => `Disallow: ${path}`),
    ...OPEN.map((path) => `Allow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    `<url><loc>${escapeHtml(publicUrl)}/</loc></url>`,
    '</urlset>',
    '',
  ].join('\n')

  const models = modelsText(publicUrl)

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=3600')
  })
  app.get('/robots.txt', async (_request, reply) => reply.type('text/plain').send(robots))
  app.get('/llms.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(models),
  )
  app.get('/sitemap.xml', async (_request, reply) => reply.type('application/xml').send(sitemap))
}
