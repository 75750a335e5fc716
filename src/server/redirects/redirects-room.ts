import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { OwnerOf, Target } from '../codes/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db } from '../database/schema.ts'
import { addressFinder } from '../http/policy/client-address.ts'
import { commonHeaders } from '../http/policy/site-policy.ts'
import type { RoomDeps } from '../room.ts'
import { LookupThrottle } from './lookup-throttle.ts'
import { lookUpTogether } from './lookups.ts'
import { type RecordScan, redirectSender, shortcutOf } from './redirect.ts'
import { redirectRoutes } from './routes.ts'
import { type ResolveNow, TargetCache, within } from './target-cache.ts'
import type { Site, SitesByHost } from './types.ts'
import type { Contact } from './visitor-pages.ts'

export type RedirectsRoomDeps = Pick<RoomDeps, 'config' | 'database' | 'clock' | 'log'> & {
  /** To the other processes; it starts after this room is made. */
  bus: ProcessBus
  recorder: { record: RecordScan }
  /** Where each of these names leads, without those that have no live code. */
  resolvePaths: (db: Db, keys: string[], ownerOf: OwnerOf) => Promise<Map<string, Target>>
  resolvePathBy: (quick: QuickReads, db: Db, ownerOf: OwnerOf) => ResolveNow
  /** The hosts of customers */
  sites: SitesByHost & { ownerOf: OwnerOf }
  /** The contact texts of the owners of these codes, for codes that do not work. */
  contactsOf: (db: Db, codeIds: string[]) => Promise<Map<string, Contact | undefined>>
  /** The contact texts of these accounts. */
  contactsOfAccounts: (
    db: Db,
    workspaceIds: WorkspaceId[],
  ) => Promise<Map<string, Contact | undefined>>
}

const CHANNEL = 'tessera_codes'
const SEPARATOR = ','
/** A name on a domain has at most 240 characters: they fit into one message of PostgreSQL (8,000 bytes). */
const NAMES_MAX = 30
/** A page of a code that does not work waits this long for its owner's contact. */
const CONTACT_LIMIT_MS = 2_000

/** The redirect, its cache, and the announcement of changes to other processes. */
export function redirectsRoom(deps: RedirectsRoomDeps) {
  const { bus, recorder, config, clock, log, sites } = deps
  const { lookups, quick } = deps.database
  const headers = commonHeaders(config)
  const addressOf = addressFinder(config.trustProxy)
  const targets = new TargetCache({
    resolve: lookUpTogether((keys) => deps.resolvePaths(lookups, keys, sites.ownerOf)),
    ...(quick && { resolveNow: deps.resolvePathBy(quick, lookups, sites.ownerOf) }),
  })
  const contactOfCode = lookUpTogether((ids) => deps.contactsOf(lookups, ids))
  /** A database that fails or hangs costs the page its contact only. */
  const contactOf = (codeId: string) =>
    within(CONTACT_LIMIT_MS, contactOfCode(codeId)).catch(() => undefined)
  const contactOfOwner = lookUpTogether((ids) =>
    deps.contactsOfAccounts(lookups, ids as WorkspaceId[]),
  )
  const contactOfAccount = (workspaceId: WorkspaceId) =>
    within(CONTACT_LIMIT_MS, contactOfOwner(workspaceId)).catch(() => undefined)
  const throttle = new LookupThrottle(targets)
  const siteOf = new WeakMap<IncomingMessage, Site>()
  bus.read(CHANNEL, {
    hear: (message) => targets.invalidate(message.split(SEPARATOR)),
    // Look every name up again.
    missed: () => targets.invalidateAll(),
  })
  /** Announces names that have a new target, to this process and to all others on one PostgreSQL. */
  function announce(keys: string[]) {
    targets.invalidate(keys)
    if (!bus.hasOthers) return
    for (let start = 0; start < keys.length; start += NAMES_MAX) {
      const some = keys.slice(start, start + NAMES_MAX)
      bus.tell(CHANNEL, some.join(SEPARATOR)).catch((err) => {
        log.warn({ err }, 'change of a code not announced; other processes see it in seconds')
      })
    }
  }
  const send = redirectSender((...scan) => recorder.record(...scan), headers)
  const shared = { throttle, clock, headers, send, siteOf }
  return {
    publicRoutes: async (scope: FastifyInstance) => {
      // No child logger for each scan; a log line of a scan names the request itself.
      scope.setChildLoggerFactory((logger) => logger)
      const { expiredCodesContinue } = config
      await redirectRoutes(scope, { ...shared, contactOf, contactOfAccount, expiredCodesContinue })
    },
    shortcut: shortcutOf({ ...shared, targets, addressOf, sites }),
    metrics: () => throttle.turns.metrics('guesses', 'Look-ups of addresses that guess names'),
    announce,
  }
}
