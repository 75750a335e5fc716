import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS } from '#contract/time.ts'
import { type Clock, clampFutureTimes } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { addNew } from '../database/rows.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { accountOf } from './account-of.ts'
import { beginRead } from './customers-store.ts'
import type { ProviderEvent } from './provider.ts'

type InboxDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** The provider's name. */
  provider: string
  /** Reads the account's state from the provider and applies it. */
  refresh: (workspaceId: WorkspaceId) => Promise<void>
}

/** The provider gets its answer after this time, even if the state is still being read. */
const ANSWER_MS = 500
/** A stop waits for this time for reads; the marks keep the others. */
const STOP_MS = 3000

/**
 * Takes the provider's events. An event is stored in one transaction with a mark that its account is due
 * to be read; the transaction of the effect removes the mark. Until then the account is due for the job of
 * refresh.ts, whatever becomes of this process.
 */
export class EventInbox {
  readonly #deps: InboxDeps
  readonly #reads = new Set<Promise<void>>()

  constructor(deps: InboxDeps) {
    this.#deps = deps
  }

  /** Stores an event. Resolves once it has taken effect, or after ANSWER_MS. */
  async take(event: ProviderEvent): Promise<void> {
    const workspaceId = await this.#payerOf(event)
    if (!workspaceId || !(await this.#store(event, workspaceId))) return
    const read = this.#read(workspaceId).finally(() => this.#reads.delete(read))
    this.#reads.add(read)
    await orAfter(ANSWER_MS, read)
  }

  /** Resolves when no event is being applied. */
  async idle(): Promise<void> {
    await Promise.all(this.#reads)
  }

  stop(): Promise<void> {
    return orAfter(STOP_MS, this.idle())
  }

  async #payerOf(event: ProviderEvent): Promise<WorkspaceId | undefined> {
    const { customerId, subscriptionId, chargeId } = event
    const { db, provider } = this.#deps
    const of = (table: Parameters<typeof accountOf>[1], id: string) =>
      accountOf(db, table, { provider, id })
    if (customerId) return of('customers', customerId)
    if (chargeId) return of('payment_records', chargeId)
    if (!subscriptionId) return undefined
    return (await of('subscriptions', subscriptionId)) ?? of('checkouts', subscriptionId)
  }

  /** Returns false for an event that was stored before. */
  #store({ id }: ProviderEvent, workspaceId: WorkspaceId): Promise<boolean> {
    const { db, clock, provider } = this.#deps
    const now = clock()
    return transact(db, async (tx) => {
      if (!(await recordEvent(tx, id, now))) return false
      // The number keeps reads that are under way from removing the mark: they may not show the change.
      await beginRead(tx, { provider, workspaceId, rereadAt: now.getTime() })
      return true
    })
  }

  async #read(workspaceId: WorkspaceId): Promise<void> {
    const { log, refresh } = this.#deps
    try {
      await refresh(workspaceId)
    } catch (error) {
      log.warn({ err: error, workspaceId }, 'an event has no effect yet; its account is read again')
    }
  }
}

const orAfter = (ms: number, work: Promise<void>) =>
  Promise.race([work, setTimeout(ms, undefined, { ref: false })])

/** How long an event's id is kept. Stripe repeats an event for up to three days. */
const KEPT_MS = 30 * DAY_MS

/** Records an event; false if it was recorded before. */
export const recordEvent = (tx: Tx, id: string, at: Date) =>
  addNew(tx, 'billing_events', { id, at: at.getTime() })

/** Removes events that no provider sends again. */
export async function sweepEvents(db: Db, now: Date): Promise<void> {
  await clampFutureTimes(db, 'billing_events', 'at', now)
  await db
    .deleteFrom('billing_events')
    .where('at', '<', now.getTime() - KEPT_MS)
    .execute()
}
