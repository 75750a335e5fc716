import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import { CLOCKS_APART_MS, type Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { askedPause, nextTry, OFF_AFTER_MS, PAUSE_MAX_MS, restAfter } from './back-off.ts'
import { dueHeads, type Head, nextDue, noteTry } from './deliveries-store.ts'
import { changeEndpoint, type EndpointRow } from './endpoints-store.ts'
import { keepEndpoint, leaveEndpoint, takeEndpoint } from './leases-store.ts'
import { deliverable, PLAN_LINE } from './order.ts'
import { secretsNow } from './secrets.ts'
import type { Answer, Posting } from './send.ts'

/** Endpoints that a process sends to at once, and events that are under way to one. */
const ENDPOINTS_AT_ONCE = 16
const EVENTS_AT_ONCE = 8
/** A plan that has lapsed is looked at again after this. */
const LAPSED_MS = 10 * MINUTE_MS
/** What waits for the order of a code is looked at again after this. */
const HELD_UP_MS = 5_000
/** What is due later is found by the job. */
const TIMER_MAX_MS = MINUTE_MS
const STOP_PATIENCE_MS = 5_000
const AHEAD_MS = PAUSE_MAX_MS + CLOCKS_APART_MS

export type SenderDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** The key of the server, of which the secrets are made */
  secret: string
  posting: Posting
  /** Whether the account's plan has webhooks now. */
  isInPlan: (db: Db, userId: string) => Promise<boolean>
  /** Switches an endpoint off that does not take events, and tells its owner. */
  switchOff: (endpoint: EndpointRow, why: 'failing' | 'gone') => Promise<void>
}

/** Sends what waits in the database: at once in the process that wrote it (`soon`), and else by a job. */
export class Sender {
  readonly #deps: SenderDeps
  readonly #holder = randomUUID()
  readonly #working = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly counts = { delivered: 0, failed: 0 }
  #looking: Promise<void> | undefined
  #isAskedAgain = false
  #isStopped = false
  #timer: { at: number; timeout: NodeJS.Timeout } | undefined

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  /** Looks what is due. Call it after the commit; it never throws. */
  soon() {
    this.#isAskedAgain = true
    if (this.#looking || this.#isStopped) return
    this.#looking = this.#look()
      .catch((error) => this.#deps.log.warn({ err: error }, 'webhooks wait'))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** Resolves when nothing that is due is under way. */
  async idle() {
    while (this.#looking || this.#working.size > 0) {
      await this.#looking
      await Promise.all(this.#working.values())
    }
  }

  /** Ends after what is under way, or leaves it for the next start. */
  async stop() {
    clearTimeout(this.#timer?.timeout)
    const patience = setTimeout(() => this.#stopping.abort('patience'), STOP_PATIENCE_MS)
    this.#isStopped = true
    await this.#looking
    await Promise.all(this.#working.values())
    clearTimeout(patience)
  }

  async #look() {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false
      while (!this.#isStopped && this.#working.size < ENDPOINTS_AT_ONCE) {
        const asked = { holder: this.#holder, except: [...this.#working.keys()], aheadMs: AHEAD_MS }
        const endpoint = await takeEndpoint(this.#deps.db, asked, this.#deps.clock())
        if (!endpoint) break
        const { id } = endpoint
        const work = this.#work(id)
          .catch((error) => this.#deps.log.warn({ err: error, webhook: id }, 'a webhook waits'))
          .finally(() => {
            this.#working.delete(id)
            this.soon()
          })
        this.#working.set(id, work)
      }
    }
  }

  /** Sends to one endpoint until nothing is due. */
  async #work(id: string): Promise<void> {
    const { db, clock } = this.#deps
    const hold = { id, holder: this.#holder }
    let dueAt: number | undefined
    for (;;) {
      const endpoint = await keepEndpoint(db, hold, clock())
      if (!endpoint) break
      if (this.#isStopped) {
        dueAt = clock().getTime()
        break
      }
      const isInPlan = await this.#deps.isInPlan(db, endpoint.user_id)
      const heads = await this.#heads(endpoint, isInPlan)
      const ready = await deliverable(db, id, heads)
      if (ready.length === 0) {
        dueAt = await this.#dueLater(id, { isInPlan, isHeldUp: heads.length > 0 })
        break
      }
      const restUntil = await this.#sendAll(endpoint, ready)
      if (restUntil === 'off') break
      if (restUntil !== null) {
        dueAt = restUntil
        break
      }
    }
    await leaveEndpoint(db, { ...hold, dueAt })
    if (dueAt !== undefined) this.#wakeAt(dueAt)
  }

  /** That a plan has lapsed is told even so. */
  #heads({ id, fails }: EndpointRow, isInPlan: boolean) {
    const limit = fails > 0 ? 1 : EVENTS_AT_ONCE
    const asked = { now: this.#deps.clock().getTime(), aheadMs: AHEAD_MS, limit }
    return dueHeads(this.#deps.db, id, isInPlan ? asked : { ...asked, line: PLAN_LINE })
  }

  async #dueLater(id: string, { isInPlan, isHeldUp }: { isInPlan: boolean; isHeldUp: boolean }) {
    const now = this.#deps.clock().getTime()
    const next = await nextDue(this.#deps.db, id)
    if (next === undefined) return undefined
    if (!isInPlan) return now + LAPSED_MS
    return isHeldUp ? Math.max(next, now + HELD_UP_MS) : next
  }

  /** Answers until when the endpoint rests, null if it does not. */
  async #sendAll(endpoint: EndpointRow, heads: Head[]): Promise<number | null | 'off'> {
    const answers = await Promise.all(heads.map((head) => this.#send(endpoint, head)))
    if (this.#stopping.signal.aborted) return this.#deps.clock().getTime()
    const askedMs = Math.max(...answers.map((answer) => askedPause(answer, this.#deps.clock())))
    if (answers.some(isGood)) return this.#noteGood(endpoint, askedMs)
    return this.#noteBad(endpoint, answers, askedMs)
  }

  async #send(endpoint: EndpointRow, head: Head): Promise<Answer> {
    const { db, clock, secret, posting } = this.#deps
    const at = clock()
    const { event_id, payload } = head
    const secrets = secretsNow(secret, endpoint, at)
    const message = { url: endpoint.url, id: event_id, payload, at, secrets }
    const answer = await posting.send(message, this.#stopping.signal)
    // What our own stop has cut off is no try.
    if (this.#stopping.signal.aborted && answer.status === null) return answer
    const isDelivered = isGood(answer)
    this.counts[isDelivered ? 'delivered' : 'failed']++
    const attempts = head.attempts + 1
    const now = clock()
    const nextAt = isDelivered ? undefined : nextTry(attempts, now, askedPause(answer, now))
    await noteTry(db, head.seq, { ...answer, attempts, nextAt, isDelivered }, clock())
    return answer
  }

  async #noteGood({ id, fails }: EndpointRow, askedMs: number): Promise<number | null> {
    const restUntil = restAfter(0, this.#deps.clock(), askedMs)
    if (fails > 0 || restUntil !== null) {
      const change = { fails: 0, failing_since: null, rest_until: restUntil }
      await changeEndpoint(this.#deps.db, id, change)
    }
    return restUntil
  }

  async #noteBad(
    endpoint: EndpointRow,
    answers: Answer[],
    askedMs: number,
  ): Promise<number | null | 'off'> {
    const { db, clock, switchOff } = this.#deps
    const now = clock()
    const fails = endpoint.fails + answers.length
    const since = Math.min(endpoint.failing_since ?? now.getTime(), now.getTime())
    const restUntil = restAfter(fails, now, askedMs)
    await changeEndpoint(db, endpoint.id, { fails, failing_since: since, rest_until: restUntil })
    // Standard Webhooks: who answers 410 wants no more.
    if (answers.some(({ status }) => status === 410)) {
      await switchOff(endpoint, 'gone')
      return 'off'
    }
    if (now.getTime() - since < OFF_AFTER_MS) return restUntil
    await switchOff(endpoint, 'failing')
    return 'off'
  }

  /** By the server's clock, which runs like the system's but for tests. */
  #wakeAt(at: number) {
    const left = Math.max(0, at - this.#deps.clock().getTime())
    if (left > TIMER_MAX_MS || this.#isStopped) return
    if (this.#timer && this.#timer.at <= at) return
    clearTimeout(this.#timer?.timeout)
    const wake = () => {
      this.#timer = undefined
      this.soon()
    }
    this.#timer = { at, timeout: setTimeout(wake, left + 1).unref() }
  }
}

const isGood = ({ status }: Answer) => status !== null && status >= 200 && status < 300
