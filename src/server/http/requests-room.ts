import type { FastifyInstance } from 'fastify'
import { checkProof } from '../actor.ts'
import type { Room, RoomDeps } from '../room.ts'
import { tryAgainIn } from './errors.ts'
import { keepAnswers, sweepAnswers } from './idempotency-record.ts'
import { sweepCounts } from './limits/counts-store.ts'
import { queues } from './limits/limits.ts'
import { applyCommonHeaders, applySitePolicy } from './policy/site-policy.ts'
import { FairQueue } from './queue/fair-queue.ts'
import { type InTurn, queueByAccount } from './queue/request-queue.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Seconds after which a save may be tried again while the database is being moved */
const TRY_AGAIN_S = 30

type RequestsRoom = Room & {
  /** Does work for a list or a report when the turn of its account comes. */
  inListTurn: InTurn
  /** Applies the rules for every request except scans and the payment provider's events. */
  applyPolicy: (site: FastifyInstance) => Promise<void>
}

/** The parts that all requests share: their queues, counts and rules, and the answers that are kept. */
export function requestsRoom(
  { config, pages, db, clock }: RoomDeps,
  areWritesPaused: () => Promise<boolean>,
): RequestsRoom {
  const siteQueue = new FairQueue(queues.site)
  const listQueue = new FairQueue(queues.lists)
  return {
    inListTurn: queueByAccount(listQueue),
    applyPolicy: async (site) => {
      applyCommonHeaders(site, config)
      site.addHook('onRoute', keepAnswers(clock))
      await applySitePolicy(site, { config, scripts: pages.scriptHashes, queue: siteQueue })
      site.addHook('onRequest', async ({ method }) => {
        if (!READS.has(method) && (await areWritesPaused()))
          throw tryAgainIn(TRY_AGAIN_S, 'unavailable')
      })
      // A body may take long: the right of its sender may have ended since its head.
      site.addHook('preHandler', async ({ method, actor }) => {
        if (!READS.has(method) && actor) await checkProof(db, actor)
      })
    },
    jobs: [sweepCounts({ db, clock }), sweepAnswers({ db, clock })],
    metrics: () => [
      ...siteQueue.metrics('site', 'Requests'),
      ...listQueue.metrics('lists', 'Lists and reports'),
    ],
  }
}
