import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import type { Rule } from '#contract/codes/code-rules.ts'
import type { CodeChange, NewCode } from '#contract/codes/codes.ts'
import type { WebhookType } from '#contract/integrations/webhook-values.ts'
import type { Reading } from '../analytics/types.ts'
import type { Recording } from '../audit.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import type { InTurn } from '../http/queue/request-queue.ts'
import type { Asker } from '../pictures/drawing-pool.ts'
import type { Drawings } from '../pictures/drawings.ts'
import type { UploadedPictures } from '../pictures/uploads/uploaded-pictures.ts'
import type { RoomDeps } from '../room.ts'
import type { AskingOptions } from './health/asking.ts'

export type { Api } from '../room.ts'

/** A change, or a new code, with the hash of its password: null takes it away. */
export type Hashed<Change> = Omit<Change, 'password'> & { passwordHash?: string | null }
export type HashedChange = Hashed<CodeChange>
export type HashedCode = Hashed<NewCode>

/** An event of codes in the account's history. */
export type CodeEvent = Extract<AuditEvent, `code-${string}`>

/** Writes events of codes and tags for the webhooks of an account. `data` is called only if a webhook wants them. */
export type PublishCodes = (
  tx: Tx,
  workspaceId: WorkspaceId,
  type: Extract<WebhookType, `${'code' | 'tag'}.${string}`>,
  data: () => Promise<object[]>,
) => Promise<void>

/** A domain that an account has proved: its host and its id */
export type CodeDomain = { id: string; host: string }

/** A former custom path, and its domain; null for this server's host */
export type FormerPath = { name: string; domainId: string | null }

/** The dependencies of a change to codes. */
export type CodeDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  entitlementsOf: EntitlementsOf
  /** The domain of this host, if the account has it. */
  domainOf: (db: Db, workspaceId: WorkspaceId, host: string) => Promise<CodeDomain | undefined>
  /** The domain of the account's new codes */
  domainOfNew: (db: Db, workspaceId: WorkspaceId) => Promise<CodeDomain | null>
  /** Writes an event into the account's history, in the transaction of the change. */
  record: Recording<CodeEvent>
  /** Writes events for the account's webhooks, in the transaction of the change. */
  publish: PublishCodes
  /** Called after the commit with the names whose target has changed. */
  onCodeChanged: (keys: string[]) => void
  /** Called after the commit with the id of a code that has no verdict yet, and its owner's. */
  onUnchecked: (id: string, workspaceId: WorkspaceId) => void
}

/** The dependencies of the room on the rest of the server. */
export type CodesRoomDeps = RoomDeps &
  Omit<CodeDeps, 'onUnchecked'> & {
    requireUser: onRequestHookHandler
    /** The e-mail address of an account */
    contactOf: (db: Db, workspaceId: WorkspaceId) => Promise<{ email: string } | undefined>
    /** The queue of long lists */
    inListTurn: InTurn
    /** Whether nothing may be written now */
    areWritesPaused: () => Promise<boolean>
    /** In tests: how destinations are asked */
    asking?: Partial<AskingOptions> | undefined
    /** The hash of a code's password */
    hashPassword: (request: FastifyRequest, password: string) => Promise<string>
    drawings: Drawings
    uploads: UploadedPictures
    scansOf: ScansOf
    decide: Decide
    /** The visitors of these codes by id, a single number each */
    visitorsOf: (workspaceId: WorkspaceId, ids: string[]) => Promise<Map<string, number[]>>
    /** Removes the recorded scans of these codes. Without an owner it keeps no name. */
    forgetScans: (tx: Tx, codes: { id: string; workspaceId: WorkspaceId | null }[]) => Promise<void>
  }

/** The dependencies of the room's routes. */
export type CodeRoutesDeps = CodesRoomDeps &
  Pick<CodeDeps, 'onUnchecked'> & {
    /** Takes the turn of an account for a file of many codes; it ends with the answer. */
    sheetTurn: (request: FastifyRequest, reply: FastifyReply) => Promise<Asker>
    /** Publishes an import soon. */
    publishSoon: () => void
  }

/** The scans of a code: `lastScan` in epoch milliseconds. */
export type Scans = { total: number; lastScan: number }

/** The scans of these codes, without the codes that have none. */
export type ScansOf = (workspaceId: WorkspaceId, ids: string[]) => Promise<Map<string, Scans>>

/** A code whose main destination is dead */
export type DeadCode = {
  id: string
  workspaceId: WorkspaceId
  name: string
  since: number
  seen: string
}

/** A code that stops working at an instant. */
export type EndingCode = { id: string; workspaceId: WorkspaceId; name: string; expiresAt: number }

/** Where a code leads: an address, its UTM parameters (contract/analytics/utm.ts), and whether those of the scanned link go along. */
export type Destination = {
  kind: 'url'
  url: string
  utm: string | null
  passesQuery: boolean
  branch?: string | null
}

/**
 * The code that a name leads to, and the key of that name. Instants are in epoch milliseconds: `expiresAt` is the end of a
 * free code, `endsAt` the owner's. `isCounted` says that each scan by a person needs its number.
 */
export type Target = {
  key: string
  id: string
  ownerId: WorkspaceId
  destination: Destination
  paused: boolean
  expiresAt: number | null
  startsAt: number | null
  endsAt: number | null
  /** Where visitors go when the code leads nowhere */
  fallback: string | null
  /** Whether the main destination does not work, and the owner wants the fallback then */
  isDead: boolean
  /** The hash of the password that visitors have to enter */
  passwordHash: string | null
  rules: readonly Rule[]
  isCounted: boolean
}

/** The parts of a scan that decide where its code leads */
export type ScanReading = Pick<Reading, 'visitor'> & {
  attributes: Pick<Reading['attributes'], 'class' | 'country' | 'region' | 'device' | 'os'>
}

/** Decides a scan of a code as the redirect does. */
export type Decide = (
  target: Target,
  asked: { key: string; isPreview: boolean; query: string },
  visitor: { reading: ScanReading; languages: string | undefined; ordinal: number | 'over' },
  now: number,
) => { kind: string; url?: string; branch?: string | null }

/** The account that has proved a domain, by the id of its claim. */
export type OwnerOf = (claim: string) => WorkspaceId | undefined
