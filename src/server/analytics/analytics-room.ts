import type { FastifyInstance } from 'fastify'
import { FIGURES_UNTIL } from '#contract/analytics/figures-until.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { Db, Tx } from '../database/schema.ts'
import { AppError, invalidInput } from '../http/errors.ts'
import { queues } from '../http/limits/limits.ts'
import type { Metric } from '../http/metrics.ts'
import { takesKeys } from '../http/policy/route-rules.ts'
import { FairQueue } from '../http/queue/fair-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../http/queue/request-queue.ts'
import type { Job } from '../jobs.ts'
import type { RoomDeps } from '../room.ts'
import { exportRoutes, type ListedCode } from './export/export-routes.ts'
import { scanTables } from './export/scan-tables.ts'
import { Live } from './live/live.ts'
import { liveRoutes } from './live/live-routes.ts'
import type { Reader } from './live/open-streams.ts'
import { type FigureMailsDeps, sendFigureMails } from './mails/figure-mails-job.ts'
import { type FigureMailsRoutesDeps, figureMailsRoutes } from './mails/figure-mails-routes.ts'
import { type AnalyticsDeps, analyticsRoutes } from './query/analytics-routes.ts'
import { type InCountTurn, openCounter } from './query/counter.ts'
import { figuresRoutes } from './query/figures-routes.ts'
import type { AskedCodes, CodesFor } from './query/query.ts'
import { type RankingDeps, rankingRoutes } from './query/ranking-routes.ts'
import { type SilencesDeps, silences } from './query/silences.ts'
import type { Capture } from './record/capture.ts'
import { shareOwnerRoutes, shareVisitorRoutes } from './share/share-routes.ts'
import { forgetShares } from './share/shares-store.ts'
import { type SharingDeps, sharingOf, sweepShares } from './share/sharing.ts'
import type { PurgedCode, ScansStore } from './store/scans-store.ts'

export type AnalyticsRoomDeps = RoomDeps &
  Pick<AnalyticsDeps, 'inListTurn'> &
  Pick<FigureMailsRoutesDeps, 'requireUser'> &
  Pick<SilencesDeps, 'activeIds' | 'workAgainSince'> &
  Pick<FigureMailsDeps, 'mailer' | 'readerOf' | 'unsubscribeUrl'> & {
    entitlementsOf: EntitlementsOf
    scans: ScansStore
    /** To the other processes; it starts after this room is made. */
    bus: ProcessBus
    capture: Capture
    /** Called when scans have come into the ledger */
    onScanned: () => void
    listSeries: (db: Db, workspaceId: WorkspaceId, asked?: AskedCodes) => Promise<ListedCode[]>
    hasTag: (db: Db, workspaceId: WorkspaceId, name: string) => Promise<boolean>
    ownCode: (db: Db, workspaceId: WorkspaceId, id: string) => Promise<ListedCode>
    tagsOf: RankingDeps['tagsOf']
    ownersOf: (db: Db, ids: string[]) => Promise<Map<string, WorkspaceId>>
    livingReaders: (db: Db, readers: Reader[]) => Promise<Set<Reader>>
    record: FigureMailsRoutesDeps['record'] & SharingDeps['record']
  }

/** Removes what the scans of purged codes have left, and ends what is shared of them. */
export const forgetCodes =
  ({ forget }: Pick<ScansStore, 'forget'>) =>
  async (tx: Tx, codes: PurgedCode[]): Promise<void> => {
    await forgetShares(
      tx,
      codes.map(({ id }) => id),
    )
    await forget(tx, codes)
  }

/** The reports about scans, the jobs on the ledger, and the counters of scans. */
export function analyticsRoom(deps: AnalyticsRoomDeps) {
  const { capture, config, database, reads, clock, log, publicUrl, requireUser, scans } = deps
  // A stream or a shared page waits for neither writers nor reports.
  const { lookups } = database
  /** A report has the scans that its reader has just made. */
  const inListTurn: AnalyticsDeps['inListTurn'] = (request, work) =>
    deps.inListTurn(request, async () => {
      await capture.flush()
      return work()
    })
  const codesFor: CodesFor<ListedCode> = async (workspaceId, { qr, tag, externalId } = {}) => {
    const ids = qr && new Set(qr.toLowerCase().split(','))
    const own =
      ids && (await Promise.all([...ids].map((id) => deps.ownCode(reads, workspaceId, id))))
    if (own && tag === undefined && externalId === undefined) return own
    const found = await deps.listSeries(reads, workspaceId, { tag, externalId })
    if (externalId !== undefined && found.length === 0) throw new AppError('code_not_found')
    if (tag !== undefined && found.length === 0 && !(await deps.hasTag(reads, workspaceId, tag))) {
      throw invalidInput([{ path: 'tag', message: 'You have no tag with this name' }])
    }
    return ids ? found.filter(({ id }) => ids.has(id)) : found
  }
  const counter = openCounter(database.location)
  const inCounterTurn: InCountTurn = async (request, work) => {
    leaveSiteQueue(request)
    await capture.flush()
    return counter.run(request.rateLimitKey, work, hangUpSignal(request))
  }
  const tables = scanTables(database.location)
  const tableQueue = new FairQueue(queues.scanTables)
  const sharedQueue = new FairQueue(queues.shared)
  const isPaid = async (db: Db, workspaceId: WorkspaceId) =>
    (await deps.entitlementsOf(db, workspaceId)).tier !== 'free'
  const silencesOf = silences(deps)
  const mails = {
    ...deps,
    silencesOf,
    codesFor,
    inCounterTurn: counter.run,
    isPaid,
    flush: (limitMs: number) => capture.flush(limitMs),
  }
  const jobs: Job[] = [
    ...scans.upkeep(config.scanRetention),
    capture.salts.sweep(),
    sendFigureMails(mails),
    sweepShares(deps),
  ]
  const sharing = sharingOf({ ...deps, lookups, isPaid })
  const live = new Live({
    bus: deps.bus,
    log,
    ownersOf: (ids) => deps.ownersOf(lookups, ids),
    livingReaders: (readers) => deps.livingReaders(lookups, readers),
  })
  capture.fold((codes) => {
    live.tell(codes)
    deps.onScanned()
  })
  return {
    routes: async (site: FastifyInstance) => {
      site.addHook('onSend', async (_request, reply) => {
        const until = capture.lateSince()
        if (until) reply.header(FIGURES_UNTIL, until.toISOString())
      })
      const asked = { scans, clock, requireUser, inListTurn, codesFor }
      const counted = { ...asked, inTurn: inCounterTurn }
      await site.register(async (own) => {
        own.addHook('onRequest', requireUser)
        own.addHook('onRoute', takesKeys)
        await own.register(analyticsRoutes, {
          ...asked,
          silencesOf,
          warmUp: () => counter.warmUp(),
        })
        await own.register(figuresRoutes, {
          ...counted,
          path: '/api/analytics',
          askerOf: ({ actor: { workspaceId } }) => ({ workspaceId, codesFor }),
        })
        await own.register(rankingRoutes, { ...counted, tagsOf: deps.tagsOf })
        await own.register(exportRoutes, { ...counted, publicUrl, tables, turns: tableQueue })
        await shareOwnerRoutes(own, sharing)
      })
      await site.register(liveRoutes, { ...asked, live })
      await site.register(figureMailsRoutes, mails)
      await site.register(shareVisitorRoutes, {
        sharing,
        scans,
        clock,
        inCounterTurn: counter.run,
        page: () => deps.pages.html.share,
        queue: sharedQueue,
      })
    },
    jobs,
    /** Scans of these codes came into the numbers past the redirect. */
    onScanned: (codes: Iterable<string>) => live.tell(codes),
    metrics: (): Metric[] => [
      ...capture.metrics(),
      ...(scans.metrics?.() ?? []),
      ...counter.metrics(),
      ...tableQueue.metrics('scan_tables', 'Tables of single scans'),
      ...live.metrics(),
      ...sharedQueue.metrics('shared', 'Figures of shared pages'),
    ],
    /** Ends what would go on for ever, before the requests under way are waited for. */
    endStreams: () => live.end(),
    stop: async () => {
      await Promise.all([counter.stop(), tables.stop(), live.stop()])
    },
  }
}
