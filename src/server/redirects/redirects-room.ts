import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import type { CommonHeaders } from '../http/common-headers.ts'
import { ChangeChannel } from './change-channel.ts'
import { followWith, type Record } from './follow.ts'
import { lookUpTogether } from './lookups.ts'
import { redirectRoutes } from './routes.ts'
import { shortcutOf } from './shortcut.ts'
import { type Target, TargetCache } from './target-cache.ts'

export type RedirectsRoomDeps = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  headers: CommonHeaders
  /** The address that a request comes from, behind the proxies that we trust */
  addressOf: (request: IncomingMessage) => string
  capture: { record: Record }
  /** Where each of these names leads, without those that have no live code. */
  resolvePaths: (db: Db, keys: string[]) => Promise<Map<string, Target>>
}

/** The redirect, its cache, and the news of changes between processes. */
export function redirectsRoom(deps: RedirectsRoomDeps) {
  const { database, clock, log, headers, capture } = deps
  const targets = new TargetCache(lookUpTogether((keys) => deps.resolvePaths(database.db, keys)))
  const changes = new ChangeChannel({ database, targets, log })
  const record: Record = (codeId, visit, answer) => capture.record(codeId, visit, answer)
  const follow = followWith(record, headers)
  return {
    routes: async (scope: FastifyInstance) => {
      // No child logger for each scan; a log line of a scan names the request itself.
      scope.setChildLoggerFactory((logger) => logger)
      await redirectRoutes(scope, { targets, clock, headers, follow })
    },
    shortcut: shortcutOf({ targets, clock, addressOf: deps.addressOf, follow }),
    announce: (keys: string[]) => changes.announce(keys),
    start: () => changes.start(),
    stop: () => changes.stop(),
  }
}
