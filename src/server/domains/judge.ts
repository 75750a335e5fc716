import type { Selectable, Updateable } from 'kysely'
import type { DnsRecord, Domain, domainStates } from '#contract/integrations/domains.ts'
import { PROOF_DAYS } from '#contract/integrations/domains.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { Tables } from '../database/schema.ts'
import { iso } from '../dates.ts'
import { type DnsAnswer, proofName } from './dns.ts'

export type DomainRow = Selectable<Tables['domains']>

/** The value of a claim's TXT record */
export const proofOf = ({ secret }: Pick<DomainRow, 'secret'>) => `tessera-proof=${secret}`

type Verdict = {
  changes: Map<string, Updateable<Tables['domains']>>
  /** The claim that has the host now and had it not before */
  won?: DomainRow
  /** The claim that has lost it */
  lost?: DomainRow
  /** The holder, if its host has just failed for an hour: once in each failure */
  failing?: DomainRow
}

/**
 * Decides what an answer of DNS changes for all claims to one host. The first proof gets a free host; another
 * account's proof takes it once the holder's own has been gone for seven days. A question that got no
 * answer changes nothing.
 * @param claims the oldest first
 */
export function judge(claims: readonly DomainRow[], answer: DnsAnswer, now: number): Verdict {
  const isSeen = (claim: DomainRow) => answer.texts?.includes(proofOf(claim)) ?? false
  const holder = claims.find(({ held }) => held !== null)
  const isStale = holder && !isSeen(holder) && now - (holder.proof_at ?? 0) >= PROOF_DAYS * DAY_MS
  const isFree = !holder || isStale
  const won = isFree ? claims.find((each) => each !== holder && isSeen(each)) : undefined
  const lost = won && holder
  const changes = new Map(
    claims.map((claim) => {
      const proof_at = isSeen(claim) ? now : claim.proof_at
      const isHolder = claim === (won ?? holder)
      const next = isHolder
        ? heldBy({ ...claim, proof_at }, isSeen(claim) || !answer.texts, answer, now)
        : { proof_at, ...(claim === lost && LOST) }
      const checked: DomainRow = {
        ...claim,
        ...next,
        checked_at: now,
        found: JSON.stringify(answer),
      }
      const { checked_at, found } = checked
      return [claim.id, { ...next, checked_at, found, check_at: nextCheck(checked, now) }] as const
    }),
  )
  const since = (holder && !lost && changes.get(holder.id)?.failing_since) || now
  const wasTold = (holder?.checked_at ?? 0) - since >= HOUR_MS
  const failing = now - since >= HOUR_MS && !wasTold && holder?.ends_at === null
  return {
    changes,
    ...(won && { won }),
    ...(lost && { lost }),
    ...(failing && { failing: { ...holder, ...changes.get(holder.id) } }),
  }
}

const LOST = { held: null, is_default: 0, points_at: null, failing_since: null, proof_at: null }

/** The holder's columns: it fails if its proof is gone, or if the host led here once and does not now. */
function heldBy(claim: DomainRow, isProved: boolean, { texts, points }: DnsAnswer, now: number) {
  const points_at = points ? now : claim.points_at
  const isFailing = !isProved || (points === false && points_at !== null)
  // A question without an answer ends no failure.
  const before = texts && points !== null ? null : claim.failing_since
  const failing_since = isFailing ? (claim.failing_since ?? now) : before
  return { held: claim.host, proof_at: claim.proof_at, points_at, failing_since }
}

/** Often while an owner waits for it, and hourly once all is well. */
function nextCheck(claim: DomainRow, now: number): number {
  const age = now - claim.added_at
  if (stateOf(claim) === 'active') return now + HOUR_MS
  if (claim.held !== null) return now + 10 * MINUTE_MS
  return now + (age < DAY_MS ? 5 * MINUTE_MS : age < 7 * DAY_MS ? HOUR_MS : DAY_MS)
}

export function stateOf(claim: DomainRow): (typeof domainStates)[number] {
  if (claim.ends_at !== null) return 'removed'
  if (claim.held === null || (claim.points_at === null && claim.failing_since === null)) {
    return 'pending'
  }
  return claim.failing_since === null ? 'active' : 'failing'
}

/** A record that a host needs, and what DNS has in its place. */
const recordOf = (
  type: DnsRecord['type'],
  name: string,
  value: string,
  found: string[] | null,
) => ({ type, name, value, found, isThere: found?.includes(value) ?? false })

/** A claim as the calls return it. @param ours this server's host; @param codes how many have their links on it */
export function presentDomain(claim: DomainRow, ours: string, codes: number): Domain {
  const found = claim.found === null ? null : (JSON.parse(claim.found) as DnsAnswer)
  const { texts = null, names = null, addresses = null, ours: here = [] } = found ?? {}
  return {
    id: claim.id,
    host: claim.host,
    state: stateOf(claim),
    isProven: claim.held !== null,
    isDefault: claim.is_default === 1,
    homeUrl: claim.home_url,
    codes,
    records: [
      recordOf('TXT', proofName(claim.host), proofOf(claim), texts),
      recordOf('CNAME', claim.host, ours, names),
      ...here.map((address) => {
        const isSix = address.includes(':')
        const found = addresses?.filter((each) => each.includes(':') === isSix) ?? null
        return recordOf(isSix ? 'AAAA' : 'A', claim.host, address, found)
      }),
    ],
    checkedAt: iso(claim.checked_at),
    endsAt: iso(claim.ends_at),
  }
}
