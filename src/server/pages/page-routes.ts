import { relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorTable } from '#contract/errors.ts'
import { answerError, toAppError } from '../http/errors.ts'
import { compressPage, sendCompressed } from './compressed-page.ts'
import type { Pages } from './pages.ts'

export type PageRoutesDeps = {
  pages: Pages
  isSignedIn: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
}

const asHtml = (reply: FastifyReply) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')

const html = (reply: FastifyReply, text: string) => asHtml(reply).send(text)

/** The HTML pages and their assets. Which page `/` is depends on who asks. */
export async function pageRoutes(app: FastifyInstance, { pages, isSignedIn }: PageRoutesDeps) {
  // A folder, a NUL in a path: what cannot be a file of ours is no page either.
  app.setErrorHandler((error, request, reply) => {
    if (toAppError(error).status < 500) return reply.callNotFound()
    return answerError(error, request, reply)
  })

  await app.register(fastifyStatic, {
    root: pages.assets,
    index: false,
    acceptRanges: false,
    // The build has put the compressed forms beside the files.
    preCompressed: true,
    // Names of built assets carry a hash of their content.
    setHeaders(reply, path) {
      if (relative(pages.assets, path).startsWith(`assets${sep}`)) {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        return
      }
      reply.header('cache-control', 'public, max-age=3600')
      // Pages of others show them beside a link to us.
      reply.header('cross-origin-resource-policy', 'cross-origin')
    },
    // The compressed forms have no names of their own to be asked by.
    allowedPath: (path) => !/\.(html|br|gz)$/.test(path),
  })

  const landing = compressPage(pages.html.landing)
  app.get('/', async (request, reply) => {
    reply.header('vary', 'Cookie, Accept-Encoding')
    // Where that cannot be told now, the app says so in words and tries again.
    const signedIn = await isSignedIn(request, reply).catch((error) => {
      request.log.error({ err: error }, 'session not read')
      reply.code(503)
      return true
    })
    if (signedIn) return html(reply, pages.html.app)
    return sendCompressed(request, asHtml(reply), landing)
  })

  for (const path of ['/dashboard', '/profile', '/subscription']) {
    app.get(path, async (_request, reply) => html(reply, pages.html.app))
  }
}

/** The answer to every other path: the app's 404 page for browsers, the contract's error for programs. */
export function notFound(pages: Pages) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.code(404)
    const isPage = ['GET', 'HEAD'].includes(request.method) && !/^\/api(\/|\?|$)/.test(request.url)
    if (isPage) return html(reply, pages.html.app)
    return reply.send({ message: errorTable.not_found.message, code: 'not_found' })
  }
}
