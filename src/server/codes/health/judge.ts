import type { Selectable } from 'kysely'
import type { Health } from '#contract/codes/health.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Tables } from '../../database/schema.ts'

/** The answer of a destination: a status, or the reason why there was none, by its code if Node has one. */
export type Answer = {
  status: number | null
  reason?: string | undefined
  /** Cloudflare asks for proof of a person: the page behind it is there. */
  isChallenge?: boolean
  /** The same in a few words */
  seen: string
}

/** Failures after the first, within a day, that make a destination dead */
const CONFIRMATIONS = 3
const AGAIN_MS = 6 * HOUR_MS

/**
 * Reasons that visitors meet too. Not among them: a missing intermediate certificate, which browsers find by
 * themselves, and a DNS server that does not answer.
 */
const DEADLY = new Set([
  'ENOTFOUND',
  'ECONNREFUSED',
  'EPROTO',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

export function healthOf({ status, reason = '', isChallenge }: Answer): Health {
  if (status === null) return DEADLY.has(reason) ? 'dead' : 'unclear'
  if (isChallenge || status < 400 || status === 401 || status === 429) return 'alive'
  return status === 404 || status === 410 || status >= 500 ? 'dead' : 'unclear'
}

/** Whether an answer may come from a fault of our own network as well. An address that we refuse to ask says nothing. */
export const hasFailed = (answer: Answer) =>
  healthOf(answer) === 'dead' || (answer.status === null && answer.reason !== undefined)

/** A third of all hosts: then the fault is ours. Fewer than three tell nothing, or one code alone could never be dead. */
export const isOurFault = (failing: number, all: number) => failing >= 3 && failing * 3 >= all

/** The finding on a destination, and when it is asked again */
export type Known = Pick<
  Selectable<Tables['destination_checks']>,
  'health' | 'since' | 'seen' | 'fails' | 'failing_since' | 'due_at'
>

/** The changes that an answer makes to a finding. A dead destination lives again by a good answer only. */
export function changesBy(answer: Answer, known: Known, now: number): Partial<Known> {
  const { seen } = answer
  const health = healthOf(answer)
  const due_at = now + DAY_MS
  if (known.health === 'dead' && health !== 'alive') return { due_at }
  if (health !== 'dead') {
    const since = known.health === health ? known.since : now
    return { health, since, seen, fails: 0, failing_since: null, due_at }
  }
  const began = known.failing_since
  const failing_since = began !== null && now - began <= DAY_MS ? began : now
  const fails = failing_since === began ? known.fails + 1 : 1
  if (fails <= CONFIRMATIONS) return { fails, failing_since, due_at: now + AGAIN_MS }
  return { health, since: failing_since, seen, fails, failing_since, due_at }
}
