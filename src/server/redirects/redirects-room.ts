import type { FastifyInstance } from 'fastify'
import type { ProcessBus } from '../database/process-bus.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db } from '../database/schema.ts'
import { addressFinder } from '../http/policy/client-address.ts'
import { commonHeaders } from '../http/policy/site-policy.ts'
import type { RoomDeps } from '../room.ts'
import { ChangeChannel } from './change-channel.ts'
import { LookupThrottle } from './lookup-throttle.ts'
import { lookUpTogether } from './lookups.ts'
import { type RecordScan, redirectSender, shortcutOf } from './redirect.ts'
import { redirectRoutes } from './routes.ts'
import { type ResolveNow, type Target, TargetCache } from './target-cache.ts'

export type RedirectsRoomDeps = Pick<RoomDeps, 'config' | 'database' | 'clock' | 'log'> & {
  /** To the other processes; it starts after this room is made. */
  bus: ProcessBus
  recorder: { record: RecordScan }
  /** Where each of these names leads, without those that have no live code. */
  resolvePaths: (db: Db, keys: string[]) => Promise<Map<string, Target>>
  resolvePathBy: (quick: QuickReads, db: Db) => ResolveNow
}

/** The redirect, its cache, and the news of changes between processes. */
export function redirectsRoom(deps: RedirectsRoomDeps) {
  const { bus, recorder, config, clock, log } = deps
  const { lookups, quick } = deps.database
  const headers = commonHeaders(config)
  const addressOf = addressFinder(config.trustProxy)
  const targets = new TargetCache({
    resolve: lookUpTogether((keys) => deps.resolvePaths(lookups, keys)),
    ...(quick && { resolveNow: deps.resolvePathBy(quick, lookups) }),
  })
  const throttle = new LookupThrottle(targets)
  const changes = new ChangeChannel({ bus, targets, log })
  const send = redirectSender(
    (codeId, visit, answer) => recorder.record(codeId, visit, answer),
    headers,
  )
  return {
    publicRoutes: async (scope: FastifyInstance) => {
      // No child logger for each scan; a log line of a scan names the request itself.
      scope.setChildLoggerFactory((logger) => logger)
      await redirectRoutes(scope, { throttle, clock, headers, send })
    },
    shortcut: shortcutOf({ targets, throttle, clock, addressOf, send }),
    metrics: () => throttle.turns.metrics('guesses', 'Look-ups of addresses that guess names'),
    announce: (keys: string[]) => changes.announce(keys),
  }
}
