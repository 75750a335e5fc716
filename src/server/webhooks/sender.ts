import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { RepeatableTask } from '../repeatable-task.ts'
import type { RoomDeps } from '../room.ts'
import { askedPause, DOWN_AFTER, nextTry, OFF_AFTER_MS, restAfter } from './back-off.ts'
import { type Claimed, claimDue, nextDue, noteTry, tryAllNow } from './deliveries-store.ts'
import type { EndpointsDeps } from './endpoints.ts'
import { type EndpointRow, leaveEndpoint, settleEndpoint, takeEndpoint } from './endpoints-store.ts'
import { type Answer, type Posting, secretsNow } from './send.ts'

/** Endpoints that a process sends to at once, and events that are under way to one. */
const ENDPOINTS_AT_ONCE = 16
const EVENTS_AT_ONCE = 8
/** A plan that has lapsed is looked at again after this. */
const LAPSED_MS = 10 * MINUTE_MS
/** The job finds deliveries that are due later. */
const TIMER_MAX_MS = MINUTE_MS
const STOP_PATIENCE_MS = 5 * SECOND_MS

export type SenderDeps = Pick<RoomDeps, 'db' | 'clock' | 'log' | 'secret'> &
  Pick<EndpointsDeps, 'isInPlan'> & {
    posting: Posting
    /** Switches an endpoint off that does not take events, and mails its owner. */
    switchOff: (endpoint: EndpointRow, why: 'failing' | 'gone') => Promise<void>
  }

/** Sends what waits in the database: at once in the process that wrote it (`soon`), and else by a job. */
export class Sender {
  readonly #deps: SenderDeps
  readonly #looks: RepeatableTask
  readonly #working = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly counts = { delivered: 0, failed: 0 }

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#looks = new RepeatableTask(() =>
      this.#look().catch((error) => deps.log.warn({ err: error }, 'webhooks wait')),
    )
  }

  /** Looks for due deliveries. Call it after the commit; it never throws. */
  soon() {
    this.#looks.soon()
  }

  /** Resolves when nothing that is due is under way. */
  async idle() {
    await this.#looks.idle()
    while (this.#working.size > 0) {
      await Promise.all(this.#working.values())
      await this.#looks.idle()
    }
  }

  /** Ends after the tries under way, or leaves them for the next start. */
  async stop() {
    const patience = setTimeout(() => this.#stopping.abort('patience'), STOP_PATIENCE_MS)
    await this.#looks.stop()
    await Promise.all(this.#working.values())
    clearTimeout(patience)
  }

  async #look() {
    const { db, clock, log } = this.#deps
    while (!this.#looks.isStopped && this.#working.size < ENDPOINTS_AT_ONCE) {
      const endpoint = await takeEndpoint(db, [...this.#working.keys()], clock())
      if (!endpoint) return
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

  /** Sends a batch to an endpoint. If more is due, the next look takes the endpoint again. */
  async #work(endpoint: EndpointRow): Promise<void> {
    const { db, clock } = this.#deps
    const isInPlan = await this.#deps.isInPlan(db, endpoint.workspace_id)
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
    // A request that our own stop has cut off does not count as a try.
    if (this.#stopping.signal.aborted && answer.status === null) return answer
    const isDelivered = isGood(answer)
    this.counts[isDelivered ? 'delivered' : 'failed']++
    const attempts = delivery.attempts + 1
    const now = clock()
    const nextAt = isDelivered ? undefined : nextTry(attempts, now, askedPause(answer, now))
    await noteTry(db, delivery.seq, { ...answer, attempts, nextAt, isDelivered }, now)
    return answer
  }

  /**
   * Notes how an endpoint took a batch, which counts as one try. If it was down and is back, what failed
   * there is due now. Returns until when the endpoint rests.
   */
  async #noteBatch(endpoint: EndpointRow, answers: Answer[]): Promise<number | null> {
    if (this.#stopping.signal.aborted) return null
    const { db, clock, switchOff } = this.#deps
    const { fails: former, failing_since } = endpoint
    if (answers.length === 0) {
      // Ends the rest of the lease.
      const outcome = { fails: former, failing_since, rest_until: null }
      if (former > 0) await settleEndpoint(db, endpoint, outcome)
      return null
    }
    const now = clock()
    const hasFailed = !answers.some(isGood)
    const fails = hasFailed ? former + 1 : 0
    const since = hasFailed ? (failing_since ?? now.getTime()) : null
    const askedMs = Math.max(...answers.map((answer) => askedPause(answer, now)))
    const restUntil = restAfter(fails, now, askedMs)
    if (hasFailed || former > 0 || restUntil !== null) {
      const outcome = { fails, failing_since: since, rest_until: restUntil }
      if (!(await settleEndpoint(db, endpoint, outcome))) return null
    }
    if (!hasFailed && former >= DOWN_AFTER)
      await tryAllNow(db, endpoint.id, now.getTime(), failing_since ?? 0)
    // Standard Webhooks: who answers 410 wants no more.
    const isGone = hasFailed && answers.some(({ status }) => status === 410)
    const isFailing = since !== null && now.getTime() - since >= OFF_AFTER_MS
    if (isGone || isFailing) await switchOff(endpoint, isGone ? 'gone' : 'failing')
    return restUntil
  }

  /** By the server's clock, which runs like the system's but for tests. */
  #wakeAt(at: number) {
    const left = at - this.#deps.clock().getTime()
    if (left > 0 && left <= TIMER_MAX_MS) this.#looks.after(left + 1)
  }
}

const isGood = ({ status }: Answer) => status !== null && status >= 200 && status < 300
