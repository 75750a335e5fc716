import { batchesOf } from '../batches.ts'
import type { OwnerOf, Target } from '../codes/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { ProcessBus } from '../database/process-bus.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db } from '../database/schema.ts'
import type { RoomDeps } from '../room.ts'
import { LookupThrottle } from './lookup-throttle.ts'
import { lookUpTogether } from './lookups.ts'
import { type RedirectDeps, redirect } from './redirect.ts'
import { type ScanCountsDeps, scanCounts } from './scan-counts.ts'
import { type ResolveNow, TargetCache, within } from './target-cache.ts'
import type { DomainsByHost } from './types.ts'
import type { Contact } from './visitor-pages.ts'

export type RedirectsRoomDeps = Pick<RoomDeps, 'config' | 'database' | 'clock' | 'log'> & {
  /** To the other processes; it starts after this room is made. */
  bus: ProcessBus
  recorder: RedirectDeps['recorder']
  verifyPassword: RedirectDeps['verifyPassword']
  scansOf: ScanCountsDeps['scansOf']
  /** Where each of these names leads, if it has a live code */
  resolvePaths: (
    db: Db,
    keys: string[],
    ownerOf: OwnerOf,
  ) => Promise<Map<string, Target | undefined>>
  resolvePathBy: (quick: QuickReads, db: Db, ownerOf: OwnerOf) => ResolveNow
  /** The domains of customers */
  domains: DomainsByHost & { ownerOf: OwnerOf }
  /** The contact texts of these accounts, for codes that do not work and names that are unknown. */
  contactsOf: (db: Db, workspaceIds: WorkspaceId[]) => Promise<Map<string, Contact | undefined>>
}

const CHANNEL = 'tessera_codes'
const SEPARATOR = ','
/** A name on a domain has at most 240 characters: they fit into one message of PostgreSQL (8,000 bytes). */
const NAMES_MAX = 30
/** A page of a code that does not work waits this long for its owner's contact. */
const CONTACT_LIMIT_MS = 2_000

/** The redirect, its cache, and the announcement of changes to other processes. */
export function redirectsRoom(deps: RedirectsRoomDeps) {
  const { bus, log } = deps
  const { lookups, quick } = deps.database
  const { ownerOf } = deps.domains
  const targets = new TargetCache({
    resolve: lookUpTogether((keys) => deps.resolvePaths(lookups, keys, ownerOf)),
    ...(quick && { resolveNow: deps.resolvePathBy(quick, lookups, ownerOf) }),
  })
  const findContact = lookUpTogether((ids) => deps.contactsOf(lookups, ids as WorkspaceId[]))
  /** A database that fails or hangs costs the page its contact only. */
  const contactOf = (workspaceId: WorkspaceId) =>
    within(CONTACT_LIMIT_MS, findContact(workspaceId)).catch(() => undefined)
  const throttle = new LookupThrottle(targets)
  bus.read(CHANNEL, {
    hear: (message) => targets.invalidate(message.split(SEPARATOR)),
    // Look every name up again.
    missed: () => targets.invalidateAll(),
  })
  /** Announces names that have a new target, to this process and to all others on one PostgreSQL. */
  function announce(keys: string[]) {
    targets.invalidate(keys)
    if (!bus.hasOthers) return
    for (const some of batchesOf(keys, NAMES_MAX)) {
      bus.tell(CHANNEL, some.join(SEPARATOR)).catch((err) => {
        log.warn({ err }, 'change of a code not announced; other processes see it in seconds')
      })
    }
  }
  return {
    shortcut: redirect({ ...deps, targets, throttle, contactOf, countScan: scanCounts(deps) }),
    metrics: () => throttle.turns.metrics('guesses', 'Look-ups of addresses that guess names'),
    announce,
  }
}
