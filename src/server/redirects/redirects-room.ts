import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db } from '../database/schema.ts'
import type { CommonHeaders } from '../http/policy/site-policy.ts'
import { ChangeChannel } from './change-channel.ts'
import { LookupThrottle } from './lookup-throttle.ts'
import { lookUpTogether } from './lookups.ts'
import { type RecordScan, redirectSender, shortcutOf } from './redirect.ts'
import { redirectRoutes } from './routes.ts'
import { type ResolveNow, type Target, TargetCache } from './target-cache.ts'

export type RedirectsRoomDeps = {
  database: Database
  /** To the other processes; it starts after this room is made. */
  line: ProcessBus
  clock: Clock
  log: FastifyBaseLogger
  headers: CommonHeaders
  /** The address that a request comes from, behind the proxies that we trust */
  addressOf: (request: IncomingMessage) => string
  record: RecordScan
  /** Where each of these names leads, without those that have no live code. */
  resolvePaths: (db: Db, keys: string[]) => Promise<Map<string, Target>>
  resolvePathBy: (quick: QuickReads, db: Db) => ResolveNow
}

/** The redirect, its cache, and the news of changes between processes. */
export function redirectsRoom(deps: RedirectsRoomDeps) {
  const { database, clock, log, headers, addressOf } = deps
  const { lookups, quick } = database
  const targets = new TargetCache({
    resolve: lookUpTogether((keys) => deps.resolvePaths(lookups, keys)),
    ...(quick && { resolveNow: deps.resolvePathBy(quick, lookups) }),
  })
  const throttle = new LookupThrottle(targets)
  const changes = new ChangeChannel({ line: deps.line, targets, log })
  const send = redirectSender(deps.record, headers)
  return {
    routes: async (scope: FastifyInstance) => {
      // No child logger for each scan; a log line of a scan names the request itself.
      scope.setChildLoggerFactory((logger) => logger)
      await redirectRoutes(scope, { throttle, clock, headers, send })
    },
    shortcut: shortcutOf({ targets, throttle, clock, addressOf, send }),
    metrics: () => throttle.turns.metrics('guesses', 'Look-ups of addresses that guess names'),
    announce: (keys: string[]) => changes.announce(keys),
  }
}
