import { MINUTE_MS } from '#contract/time.ts'
import { dueQueue } from '../due-queue.ts'
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

export type SenderDeps = Pick<RoomDeps, 'db' | 'clock' | 'log' | 'secret'> &
  Pick<EndpointsDeps, 'isInPlan'> & {
    posting: Posting
    /** Switches an endpoint off that does not take events, and mails its owner. */
    switchOff: (endpoint: EndpointRow, why: 'failing' | 'gone') => Promise<void>
  }

/** Sends the events that wait for endpoints. */
export function webhookSender(deps: SenderDeps) {
  const { db, clock, log, secret, posting } = deps
  const counts = { delivered: 0, failed: 0 }
  const queue = dueQueue({
    name: 'webhooks',
    atOnce: ENDPOINTS_AT_ONCE,
    log,
    take: (inHand) => takeEndpoint(db, inHand, clock()),
    work: sendBatch,
  })

  /** Sends a batch to an endpoint. If more is due, the next look takes the endpoint again. */
  async function sendBatch(endpoint: EndpointRow, signal: AbortSignal): Promise<void> {
    const isInPlan = await deps.isInPlan(db, endpoint.workspace_id)
    const limit = endpoint.fails > 0 ? 1 : EVENTS_AT_ONCE
    // The owner hears that the plan has lapsed even then.
    const type = isInPlan ? undefined : 'subscription.updated'
    const batch = await claimDue(db, endpoint.id, { limit, type }, clock())
    const answers = await Promise.all(batch.map((each) => send(endpoint, each, signal)))
    const restUntil = signal.aborted ? null : await noteBatch(endpoint, answers)
    const lookAgainAt = isInPlan ? await nextDue(db, endpoint.id) : clock().getTime() + LAPSED_MS
    const dueAt = restUntil ?? lookAgainAt
    await leaveEndpoint(db, endpoint, dueAt)
    if (dueAt !== null) wakeAt(dueAt)
  }

  async function send(
    endpoint: EndpointRow,
    { seq, event_id: id, payload, attempts: before }: Claimed,
    signal: AbortSignal,
  ): Promise<Answer> {
    const at = clock()
    const secrets = secretsNow(secret, endpoint, at)
    const answer = await posting.send({ url: endpoint.url, id, payload, at, secrets }, signal)
    // A request that our own stop has cut off does not count as a try.
    if (signal.aborted && answer.status === null) return answer
    const isDelivered = isGood(answer)
    counts[isDelivered ? 'delivered' : 'failed']++
    const attempts = before + 1
    const now = clock()
    const nextAt = isDelivered ? undefined : nextTry(attempts, now, askedPause(answer, now))
    await noteTry(db, seq, {
      attempts,
      tried_at: now.getTime(),
      next_at: nextAt ?? now.getTime(),
      took_ms: answer.tookMs,
      answer_status: answer.status,
      answer_text: answer.text,
      state: isDelivered ? 'delivered' : nextAt === undefined ? 'failed' : 'waiting',
    })
    return answer
  }

  /**
   * Notes how an endpoint took a batch, which counts as one try. If it was down and is back, what failed
   * there is due now. Returns until when the endpoint rests.
   */
  async function noteBatch(endpoint: EndpointRow, answers: Answer[]): Promise<number | null> {
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
    if (isGone || isFailing) await deps.switchOff(endpoint, isGone ? 'gone' : 'failing')
    return restUntil
  }

  /** By the server's clock, which runs like the system's but for tests. */
  function wakeAt(at: number) {
    const left = at - clock().getTime()
    if (left > 0 && left <= TIMER_MAX_MS) queue.after(left + 1)
  }

  return { ...queue, counts }
}

const isGood = ({ status }: Answer) => status !== null && status >= 200 && status < 300
