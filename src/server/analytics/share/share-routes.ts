import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { now, nowQuery } from '#contract/analytics/figures.ts'
import { newShare, share, sharedCode, shareList, shareQuery } from '#contract/analytics/shares.ts'
import { binQuery, partOf } from '#contract/codes/codes.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { idParams, z } from '#contract/zod.ts'
import { programOf } from '../../actor.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { partOfList, wholeUnless } from '../../http/lists.ts'
import { plainPage, sendPlainPage } from '../../http/plain-page.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { FairQueue } from '../../http/queue/fair-queue.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import type { InCounterTurn } from '../query/counter.ts'
import { figuresRoutes } from '../query/figures-routes.ts'
import { type QueryDeps, wantedOf } from '../query/query.ts'
import { scansNow } from '../query/seen-scans.ts'
import type { Shared, Sharing } from './sharing.ts'

/** The links to a code's figures that its owner makes, sees, stops and turns on again. */
export async function shareOwnerRoutes(plain: FastifyInstance, sharing: Sharing) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  const answer = z.union([shareList, partOf(share)])
  const listQuery = shareQuery.extend(binQuery.shape)
  const list = { schema: { querystring: listQuery, response: { 200: answer } } }
  app.get('/api/analytics/shares', list, async (request) => {
    const { actor, query } = request
    const all = await sharing.list(actor.workspaceId, query.qr)
    // A link works after the key is revoked, so one that only reads does not get it.
    const isShown = programOf(request)?.scope !== 'read'
    const shares = all.shares.map((each) => (isShown ? each : { ...each, link: null }))
    return wholeUnless(partOfList(shares, query), { ...all, shares })
  })

  const make = {
    schema: {
      headers: onceHeaders,
      querystring: shareQuery,
      body: newShare,
      response: { 201: share },
    },
  }
  app.post('/api/analytics/shares', make, async (request, reply) => {
    const { actor, query, body } = request
    return reply.code(201).send(await sharing.make(actor, query.qr, body))
  })

  // A key may come from the same backup as the link, so only a session turns a link on.
  const resume = { schema: { params: idParams }, config: { key: false as const } }
  app.post('/api/analytics/shares/:id/resume', resume, async (request, reply) => {
    await sharing.resume(request.actor, request.params.id)
    return reply.code(204).send()
  })

  app.delete(
    '/api/analytics/shares/:id',
    { schema: { params: idParams } },
    async (request, reply) => {
      await sharing.end(request.actor, request.params.id)
      return reply.code(204).send()
    },
  )
}

export type VisitorRoutesDeps = QueryDeps & {
  sharing: Sharing
  inCounterTurn: InCounterTurn
  /** The queue of those who have a link */
  queue: FairQueue
  /** The page's HTML. */
  page: () => string
}

const PATH = '/api/share/:token'
/** The page's own address. It is at the calls' as well, where links of former versions lead. */
const PAGES = ['/s/:token', PATH]

/** The address opens the page: it is not listed or kept, and no followed link passes it on. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

const notSharedPage = plainPage(
  'This page is not shared',
  '<p>The link has ended, or its owner has stopped sharing. Please ask the person who sent it to you.</p>',
)

const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token

/**
 * The holder of a link reads one code's name and figures. No session is read and no cookie set; all
 * who have the link take turns with each other, apart from the owner's own.
 */
export async function shareVisitorRoutes(plain: FastifyInstance, deps: VisitorRoutesDeps) {
  const { sharing, scans, clock, inCounterTurn, queue } = deps
  plain.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
  plain.addHook('onRequest', rateLimit(memoryLimits['shared-reads'], clientAddress))

  for (const path of PAGES) {
    plain.get(path, async (request, reply) => {
      const shared = await sharing.find(tokenOf(request)).catch(() => null)
      if (shared === undefined) return sendPlainPage(reply, 404, notSharedPage)
      // The page itself says so if nothing can be read now.
      return reply.type('text/html; charset=utf-8').send(deps.page())
    })
  }

  await plain.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>()
    const shared = new WeakMap<FastifyRequest, Shared>()
    const sharedOf = (request: FastifyRequest) => shared.get(request) as Shared
    app.addHook('onRequest', async (request) => {
      const found = await sharing.find(tokenOf(request))
      if (!found) throw new AppError('share_not_found')
      shared.set(request, found)
    })
    app.addHook(
      'onRequest',
      rateLimit(memoryLimits['shared-page-reads'], (each) => sharedOf(each).id),
    )
    const inTurn: InTurn = (request, work) => {
      leaveSiteQueue(request)
      return queue.run(sharedOf(request).id, work, hangUpSignal(request))
    }

    app.get(`${PATH}/code`, { schema: { response: { 200: sharedCode } } }, async (request) => {
      const opened = sharedOf(request)
      await sharing
        .noteOpened(opened)
        .catch((error) => request.log.warn({ err: error }, 'opening of a shared page not noted'))
      return { name: opened.code.name, endsAt: iso(opened.endsAt) }
    })

    await app.register(figuresRoutes, {
      path: PATH,
      scans,
      clock,
      askerOf: (request) => {
        const { workspaceId, code } = sharedOf(request)
        return { workspaceId, codesFor: async () => [code] }
      },
      inTurn: (request, work) =>
        inTurn(request, () =>
          inCounterTurn(`shared ${sharedOf(request).id}`, work, hangUpSignal(request)),
        ),
    })

    const last = {
      schema: {
        querystring: nowQuery.omit({ qr: true, tag: true, externalId: true }),
        response: { 200: now },
      },
    }
    app.get(`${PATH}/now`, last, (request) =>
      inTurn(request, async () => {
        const { workspaceId, code } = sharedOf(request)
        const own = scans.of(workspaceId)
        const answer = await scansNow(own, [code], clock().getTime(), wantedOf(request.query))
        // Single scans are for the owner's eyes.
        return { ...answer, scans: [] }
      }),
    )
  })
}
