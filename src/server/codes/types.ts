import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '#contract/audit.ts'
import type { WebhookType } from '#contract/programs/webhook-values.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import type { InTurn } from '../http/queue/request-queue.ts'

/** What the account's history says about a code. */
export type CodeEvent = Extract<AuditEvent, `code-${string}`>

/** Writes events for the webhooks of an account. `data` is called only if a webhook wants them. */
export type PublishCodes = (
  tx: Tx,
  userId: string,
  type: Extract<WebhookType, `code.${string}`>,
  data: () => Promise<object[]>,
) => Promise<void>

/** What creating and changing codes needs of the other rooms. */
export type CodeDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  entitlementsOf: EntitlementsOf
  /** Writes an event into the account's history, in the transaction of the change. */
  record: (tx: Tx, event: CodeEvent, id: string) => Promise<void>
  /** Writes events for the account's webhooks, in the transaction of the change. */
  publish: PublishCodes
  /** Called after the commit with the names whose target has changed. */
  onCodeChanged: (keys: string[]) => void
  /** Called after the commit with the id of a code that has no verdict yet, and its owner's. */
  onUnchecked: (id: string, userId: string) => void
}

/** What routes need: the history has the user of each request. */
export type CodeRoutesDeps = Omit<CodeDeps, 'record'> & {
  recordFor: (request: FastifyRequest) => CodeDeps['record']
  /** The queue of what makes long lists */
  inListTurn: InTurn
}

/** The scans of a code: `lastScan` in epoch milliseconds. */
export type Scans = { total: number; lastScan: number }

/** The scans of these codes, without the codes that have none. */
export type ScansOf = (ids: string[]) => Promise<Map<string, Scans>>

/** The code that a name leads to: `expiresAt` in epoch milliseconds. */
export type Target = { id: string; url: string; paused: boolean; expiresAt: number | null }
