import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { askedPause, nextTry, OFF_AFTER_MS, restAfter } from './back-off.ts'
import { type Claimed, claimDue, nextDue, noteTry } from './deliveries-store.ts'
import { changeEndpoint, type EndpointRow, leaveEndpoint, takeEndpoint } from './endpoints-store.ts'
import { secretsNow } from './secrets.ts'
import type { Answer, Posting } from './send.ts'

/** Endpoints that a process sends to at once, and events that are under way to one. */
const ENDPOINTS_AT_ONCE = 16
const EVENTS_AT_ONCE = 8
/** A plan that has lapsed is looked at again after this. */
const LAPSED_MS = 10 * MINUTE_MS
/** The job finds deliveries that are due later. */
const TIMER_MAX_MS = MINUTE_MS
const STOP_PATIENCE_MS = 5 * SECOND_MS

export type SenderDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  /** The key of the server, of which the secrets are made */
  secret: string
  posting: Posting
  /** Whether the account's plan has webhooks now. */
  isInPlan: (db: Db, userId: string) => Promise<boolean>
  /** Switches an endpoint off that does not take events, and mails its owner. */
  switchOff: (endpoint: EndpointRow, why: 'failing' | 'gone') => Promise<void>
}

/** Sends what waits in the database: at once in the process that wrote it (`soon`), and else by a job. */
export class Sender {
  readonly #deps: SenderDeps
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
    const { db, clock, log } = this.#deps
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false
      while (!this.#isStopped && this.#working.size < ENDPOINTS_AT_ONCE) {
        const endpoint = await takeEndpoint(db, [...this.#working.keys()], clock())
        if (!endpoint) break
        const { id } = endpoint
        const work = this.#work(endpoint)
          .catch((error) => log.warn({ err: error, webhook: id }, 'a webhook waits'))
          .finally(() => {
            this.#working.delete(id)
            this.soon()
          })
        this.#working.set(id, work)
      }
    }
  }

  /** Sends a batch to an endpoint. If more is due, the next look takes the endpoint again. */
  async #work(endpoint: EndpointRow): Promise<void> {
    const { db, clock } = this.#deps
    const isInPlan = await this.#deps.isInPlan(db, endpoint.user_id)
    const limit = endpoint.fails > 0 ? 1 : EVENTS_AT_ONCE
    // The owner hears that the plan has lapsed even then.
    const type = isInPlan ? undefined : 'subscription.updated'
    const batch = await claimDue(db, endpoint.id, { limit, type }, clock())
    const answers = await Promise.all(batch.map((each) => this.#send(endpoint, each)))
    const restUntil = await this.#noteBatch(endpoint, answers)
    const lookAgainAt = isInPlan ? await nextDue(db, endpoint.id) : clock().getTime() + LAPSED_MS
    const dueAt = restUntil ?? lookAgainAt
    await leaveEndpoint(db, endpoint, dueAt)
    if (dueAt !== null) this.#wakeAt(dueAt)
  }

  async #send(endpoint: EndpointRow, delivery: Claimed): Promise<Answer> {
    const { db, clock, secret, posting } = this.#deps
    const at = clock()
    const { event_id, payload } = delivery
    const secrets = secretsNow(secret, endpoint, at)
    const message = { url: endpoint.url, id: event_id, payload, at, secrets }
    const answer = await posting.send(message, this.#stopping.signal)
    // A request that our own stop has cut off is no try.
    if (this.#stopping.signal.aborted && answer.status === null) return answer
    const isDelivered = isGood(answer)
    this.counts[isDelivered ? 'delivered' : 'failed']++
    const attempts = delivery.attempts + 1
    const now = clock()
    const nextAt = isDelivered ? undefined : nextTry(attempts, now, askedPause(answer, now))
    await noteTry(db, delivery.seq, { ...answer, attempts, nextAt, isDelivered }, now)
    return answer
  }

  /** Notes how an endpoint took a batch, which counts as one try. Returns until when the endpoint rests. */
  async #noteBatch(endpoint: EndpointRow, answers: Answer[]): Promise<number | null> {
    if (answers.length === 0 || this.#stopping.signal.aborted) return null
    const { db, clock, switchOff } = this.#deps
    const now = clock()
    const hasFailed = !answers.some(isGood)
    const fails = hasFailed ? endpoint.fails + 1 : 0
    const since = hasFailed ? (endpoint.failing_since ?? now.getTime()) : null
    const askedMs = Math.max(...answers.map((answer) => askedPause(answer, now)))
    const restUntil = restAfter(fails, now, askedMs)
    if (hasFailed || endpoint.fails > 0 || restUntil !== null) {
      const change = { fails, failing_since: since, rest_until: restUntil }
      await changeEndpoint(db, endpoint.id, change)
    }
    // Standard Webhooks: who answers 410 wants no more.
    const isGone = hasFailed && answers.some(({ status }) => status === 410)
    const isFailing = since !== null && now.getTime() - since >= OFF_AFTER_MS
    if (isGone || isFailing) await switchOff(endpoint, isGone ? 'gone' : 'failing')
    return restUntil
  }

  /** By the server's clock, which runs like the system's but for tests. */
  #wakeAt(at: number) {
    const left = at - this.#deps.clock().getTime()
    if (left <= 0 || left > TIMER_MAX_MS || this.#isStopped) return
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
