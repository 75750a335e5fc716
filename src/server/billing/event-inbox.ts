import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { beginRead, findPayer } from './customers-store.ts'
import { recordEvent } from './events-store.ts'
import { findRecorded } from './payment-records-store.ts'
import type { ProviderEvent } from './provider.ts'
import { findSubscriber } from './subscriptions-store.ts'

export type InboxDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** The provider's name. */
  provider: string
  /** Reads the account's state from the provider and applies it. */
  refresh: (userId: string) => Promise<void>
}

/** The provider gets its answer after this time, even if the state is still being read. */
const ANSWER_MS = 500

/**
 * Takes the provider's events. An event is stored in one transaction with a mark that its account is due
 * to be read; the transaction of the effect removes the mark. Until then the job of refresh.ts repeats
 * the read, whatever becomes of this process.
 */
export class EventInbox {
  readonly #deps: InboxDeps
  readonly #reads = new Set<Promise<void>>()

  constructor(deps: InboxDeps) {
    this.#deps = deps
  }

  /** Stores an event. Resolves once it has taken effect, or after ANSWER_MS. */
  async take(event: ProviderEvent): Promise<void> {
    const userId = await this.#payerOf(event)
    if (!userId || !(await this.#store(event, userId))) return
    const read = this.#read(userId).finally(() => this.#reads.delete(read))
    this.#reads.add(read)
    await Promise.race([read, setTimeout(ANSWER_MS, undefined, { ref: false })])
  }

  /** Resolves when no event is being applied. */
  async idle(): Promise<void> {
    await Promise.all(this.#reads)
  }

  async #payerOf(event: ProviderEvent): Promise<string | undefined> {
    const { customerId, subscriptionId, chargeId } = event
    const { db, provider } = this.#deps
    if (customerId) return findPayer(db, provider, customerId)
    if (subscriptionId) return findSubscriber(db, provider, subscriptionId)
    return chargeId ? findRecorded(db, provider, chargeId) : undefined
  }

  /** Returns false for an event that was stored before. */
  #store({ id }: ProviderEvent, userId: string): Promise<boolean> {
    const { db, clock, provider } = this.#deps
    const now = clock()
    return transact(db, async (tx) => {
      if (!(await recordEvent(tx, id, now))) return false
      // The number keeps reads that are under way from removing the mark: they may not show the change.
      await beginRead(tx, { provider, userId, rereadAt: now.getTime() })
      return true
    })
  }

  async #read(userId: string): Promise<void> {
    const { log, refresh } = this.#deps
    try {
      await refresh(userId)
    } catch (error) {
      log.warn({ err: error, userId }, 'an event has no effect yet; its account is read again')
    }
  }
}
