import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { now } from '#contract/analytics/figures.ts'
import { sharedCode } from '#contract/analytics/shares.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { plainPage, sendPlainPage } from '../../http/plain-page.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { FairQueue } from '../../http/queue/fair-queue.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import { presentNow } from '../live/now.ts'
import { scansNow } from '../live/now-store.ts'
import type { Counter } from '../query/counter.ts'
import { figuresRoutes } from '../query/figures-routes.ts'
import type { Shared, Sharing } from './sharing.ts'

export type VisitorRoutesDeps = {
  sharing: Sharing
  reads: Db
  clock: Clock
  counter: Counter
  turns: FairQueue
  /** The page's HTML. */
  page: () => string
}

const PATH = '/api/share/:token'

/** The address opens the page: nobody lists it, keeps it, or learns it from a link that is followed. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

const notSharedPage = plainPage(
  'This page is not shared',
  '<p>Its link has ended, or its owner does not share it at the moment. Ask the person who gave it to you.</p>',
)

const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

/**
 * What everybody who has a link reads: one code's name and figures. No session is read and no cookie set; all
 * who have the link take turns with each other, apart from the owner's own.
 */
export async function shareVisitorRoutes(plain: FastifyInstance, deps: VisitorRoutesDeps) {
  const { sharing, reads, clock, counter, turns } = deps
  plain.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
  plain.addHook('onRequest', rateLimit(memoryLimits['shared-reads'], clientAddress))

  plain.get(PATH, async (request, reply) => {
    const isShared = await isReadable(sharing, tokenOf(request))
    if (isShared === false) return sendPlainPage(reply, 404, notSharedPage)
    // The page itself says so where nothing can be read now.
    return reply.type('text/html; charset=utf-8').send(deps.page())
  })

  await plain.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>()
    const shared = new WeakMap<FastifyRequest, Shared>()
    const sharedOf = (request: FastifyRequest) => shared.get(request) as Shared
    app.addHook('onRequest', async (request) => {
      shared.set(request, await sharing.read(tokenOf(request)))
    })
    app.addHook(
      'onRequest',
      rateLimit(memoryLimits['shared-page-reads'], (each) => sharedOf(each).id),
    )
    const inTurn: InTurn = (request, work) => {
      leaveSiteQueue(request)
      return turns.run(sharedOf(request).id, work, hangUpSignal(request))
    }

    app.get(`${PATH}/code`, { schema: { response: { 200: sharedCode } } }, async (request) => {
      const opened = sharedOf(request)
      await sharing
        .noteOpened(opened)
        .catch((error) => request.log.warn({ err: error }, 'opening of a shared page not noted'))
      return { name: opened.code.name, endsAt: new Date(opened.endsAt).toISOString() }
    })

    await app.register(figuresRoutes, {
      ...{ reads, clock, counter, inTurn, path: PATH },
      readerOf: (request) => {
        const { id, userId, code } = sharedOf(request)
        const [codesOf, ownCode] = [async () => [code], async () => code]
        return { userId, owner: `shared ${id}`, codesOf, ownCode }
      },
    })

    app.get(`${PATH}/now`, { schema: { response: { 200: now } } }, (request) =>
      inTurn(request, async () => {
        const { code } = sharedOf(request)
        const at = clock().getTime()
        // Single scans are for the owner's eyes.
        const { minutes, since } = await scansNow(reads, [code.id], at)
        return presentNow({ minutes, since, scans: [] }, [], at)
      }),
    )
  })
}

/** Undefined where it cannot be said now. */
async function isReadable(sharing: Sharing, token: string): Promise<boolean | undefined> {
  try {
    await sharing.read(token)
    return true
  } catch (error) {
    return error instanceof AppError && error.code === 'share_not_found' ? false : undefined
  }
}
