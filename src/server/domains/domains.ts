import { randomBytes, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import type { Domain, DomainList, domainChange } from '#contract/integrations/domains.ts'
import { REMOVED_DAYS } from '#contract/integrations/domains.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Actor, makeAs, transactAs } from '../actor.ts'
import type { Recording } from '../audit.ts'
import type { EntitlementsOf } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { AppError, invalidInput } from '../http/errors.ts'
import { count } from '../http/limits/counts-store.ts'
import type { RoomDeps } from '../room.ts'
import type { Dns } from './dns.ts'
import {
  changeDomain,
  clearDefault,
  domainsOf,
  lockClaims,
  presentDomains,
  removeDomain,
} from './domains-store.ts'
import { hostOf } from './host-names.ts'
import { type DomainRow, judge } from './judge.ts'

export type DomainsDeps = Pick<RoomDeps, 'db' | 'clock' | 'publicUrl'> & {
  dns: Dns
  entitlementsOf: EntitlementsOf
  record: Recording<Extract<AuditEvent, `domain-${string}`>>
  /** Mails the owner of a host that another account has proved, or that fails, in the transaction of the change. */
  tell: (tx: Tx, claim: DomainRow, what: 'lost' | 'failing') => Promise<void>
  /** How many codes of an account have their links on each claim's domain */
  codesByDomain: (db: Db, workspaceId: WorkspaceId) => Promise<Map<string, number>>
  /** Takes a domain from the codes of an account that has it no longer. */
  leaveDomain: (tx: Tx, claim: string) => Promise<void>
  /** Called after the commit of a change of who has which host; over when this process knows it. */
  onChanged: () => Promise<void>
}

/** Bytes of a claim's secret: too many to guess */
const SECRET_BYTES = 16

/** The domains of accounts: what their owners see and change. Each call first finds whose it is. */
export function claimedDomains(deps: DomainsDeps) {
  const { db, clock, dns, entitlementsOf, record, tell, leaveDomain, onChanged } = deps
  const ours = new URL(deps.publicUrl).hostname

  async function list(workspaceId: WorkspaceId): Promise<DomainList> {
    const { domains } = await entitlementsOf(db, workspaceId)
    return { limit: domains, domains: await presentAll(workspaceId) }
  }

  /** Adds a claim and asks DNS at once. @throws AppError domains_not_in_plan, domains_full, domain_taken, invalid_input, idempotency_key_reused */
  async function add(actor: Actor, typed: string): Promise<Domain> {
    const { workspaceId } = actor
    const wanted = hostOf(typed, ours)
    if ('refusal' in wanted) throw invalidInput([{ path: 'host', message: wanted.refusal }])
    const { host } = wanted
    const id = await makeAs(db, actor, async (tx) => {
      const own = await domainsOf(tx, workspaceId)
      const { domains } = await entitlementsOf(tx, workspaceId)
      if (domains === 0) throw new AppError('domains_not_in_plan')
      if (own.some((each) => each.host === host)) throw new AppError('domain_exists')
      if (own.filter(({ ends_at }) => ends_at === null).length >= domains) {
        throw new AppError('domains_full')
      }
      const now = clock().getTime()
      const row = {
        id: randomUUID(),
        workspace_id: workspaceId,
        host,
        secret: randomBytes(SECRET_BYTES).toString('hex'),
        is_default: 0,
        added_at: now,
        check_at: now,
      }
      await tx.insertInto('domains').values(row).execute()
      await record(tx, actor, 'domain-added', row.id)
      return row.id
    })
    return checked(actor, id, host)
  }

  /** Asks DNS now. @throws AppError domain_not_found, rate_limited */
  async function check(actor: Actor, id: string): Promise<Domain> {
    const { host } = found(await domainsOf(db, actor.workspaceId), id)
    return checked(actor, id, host)
  }

  async function checked(actor: Actor, id: string, host: string): Promise<Domain> {
    await count(db, 'domain-checks', actor.workspaceId, clock())
    await checkHost(host, actor)
    return present(actor.workspaceId, id)
  }

  /** Asks DNS about a host and does what the answer means for all claims to it. */
  async function checkHost(host: string, actor?: Actor): Promise<void> {
    const answer = await dns.ask(host)
    const hasNewHolder = await transactAs(db, actor, async (tx) => {
      const claims = await lockClaims(tx, host)
      const { changes, won, lost, failing } = judge(claims, answer, clock().getTime())
      // First the one that had the host: one claim at a time has it.
      const ids = new Set([...(lost ? [lost.id] : []), ...changes.keys()])
      for (const id of ids) await changeDomain(tx, id, changes.get(id) ?? {})
      if (lost) await leaveDomain(tx, lost.id)
      if (lost?.ends_at) await removeDomain(tx, lost.id)
      else if (lost) await tell(tx, lost, 'lost')
      if (failing) await tell(tx, failing, 'failing')
      return won !== undefined
    })
    if (hasNewHolder) await onChanged()
  }

  /** @throws AppError domain_not_found, domain_not_proven */
  async function change(
    actor: Actor,
    id: string,
    { isDefault, homeUrl }: z.output<typeof domainChange>,
  ): Promise<Domain> {
    const { workspaceId } = actor
    await changing(actor, id, async (tx, row) => {
      if (isDefault && row.held === null) throw new AppError('domain_not_proven')
      if (isDefault) await clearDefault(tx, workspaceId)
      await changeDomain(tx, id, {
        is_default: Number(isDefault ?? row.is_default === 1),
        home_url: homeUrl === undefined ? row.home_url : homeUrl,
      })
      await record(tx, actor, 'domain-changed', id)
    })
    await onChanged()
    return present(workspaceId, id)
  }

  /** Gives a domain up: its names lead on for 30 days. A claim without a proof goes at once. */
  async function remove(actor: Actor, id: string): Promise<void> {
    await changing(actor, id, async (tx, row) => {
      const end = clock().getTime() + REMOVED_DAYS * DAY_MS
      if (row.held === null) await removeDomain(tx, id)
      else if (row.ends_at === null) await changeDomain(tx, id, { ends_at: end, is_default: 0 })
      await record(tx, actor, 'domain-removed', id)
    })
  }

  /** Undoes a removal. @throws AppError domain_not_found */
  async function restore(actor: Actor, id: string): Promise<Domain> {
    await changing(actor, id, async (tx, row) => {
      if (row.ends_at === null) return
      await changeDomain(tx, id, { ends_at: null })
      await record(tx, actor, 'domain-restored', id)
    })
    return present(actor.workspaceId, id)
  }

  const changing = (actor: Actor, id: string, work: (tx: Tx, row: DomainRow) => Promise<void>) =>
    transactAs(db, actor, async (tx) => work(tx, found(await domainsOf(tx, actor.workspaceId), id)))

  async function presentAll(workspaceId: WorkspaceId): Promise<Domain[]> {
    const codes = await deps.codesByDomain(db, workspaceId)
    return presentDomains(db, { workspaceId, ours, codes })
  }

  async function present(workspaceId: WorkspaceId, id: string): Promise<Domain> {
    return found(await presentAll(workspaceId), id)
  }

  return { list, add, check, checkHost, change, remove, restore }
}

function found<Own extends { id: string }>(own: readonly Own[], id: string): Own {
  const row = own.find((each) => each.id === id)
  if (!row) throw new AppError('domain_not_found')
  return row
}
