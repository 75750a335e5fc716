import { randomBytes, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { AuditEvent } from '#contract/audit.ts'
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
  addDomain,
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
export class Domains {
  readonly #deps: DomainsDeps
  readonly #ours: string

  constructor(deps: DomainsDeps) {
    this.#deps = deps
    this.#ours = new URL(deps.publicUrl).hostname
  }

  async list(workspaceId: WorkspaceId): Promise<DomainList> {
    const { db, entitlementsOf } = this.#deps
    const { domains } = await entitlementsOf(db, workspaceId)
    return { limit: domains, domains: await this.#presentAll(workspaceId) }
  }

  /** Adds a claim and asks DNS at once. @throws AppError domains_not_in_plan, domains_full, domain_taken, invalid_input, idempotency_key_reused */
  async add(actor: Actor, typed: string): Promise<Domain> {
    const { workspaceId } = actor
    const wanted = hostOf(typed, this.#ours)
    if ('refusal' in wanted) throw invalidInput([{ path: 'host', message: wanted.refusal }])
    const { host } = wanted
    const id = await makeAs(this.#deps.db, actor, async (tx) => {
      const own = await domainsOf(tx, workspaceId)
      const { domains } = await this.#deps.entitlementsOf(tx, workspaceId)
      if (domains === 0) throw new AppError('domains_not_in_plan')
      if (own.some((each) => each.host === host)) throw new AppError('domain_exists')
      if (own.filter(({ ends_at }) => ends_at === null).length >= domains) {
        throw new AppError('domains_full')
      }
      const now = this.#deps.clock().getTime()
      const row: DomainRow = {
        id: randomUUID(),
        workspace_id: workspaceId,
        host,
        held: null,
        secret: randomBytes(SECRET_BYTES).toString('hex'),
        is_default: 0,
        home_url: null,
        added_at: now,
        proof_at: null,
        points_at: null,
        failing_since: null,
        ends_at: null,
        checked_at: null,
        check_at: now,
        found: null,
      }
      await addDomain(tx, row)
      await this.#deps.record(tx, actor, 'domain-added', row.id)
      return row.id
    })
    return this.#checked(actor, id, host)
  }

  /** Asks DNS now. @throws AppError domain_not_found, rate_limited */
  async check(actor: Actor, id: string): Promise<Domain> {
    const { host } = found(await domainsOf(this.#deps.db, actor.workspaceId), id)
    return this.#checked(actor, id, host)
  }

  async #checked(actor: Actor, id: string, host: string): Promise<Domain> {
    const { db, clock } = this.#deps
    await count(db, 'domain-checks', actor.workspaceId, clock())
    await this.checkHost(host, actor)
    return this.#present(actor.workspaceId, id)
  }

  /** Asks DNS about a host and does what the answer means for all claims to it. */
  async checkHost(host: string, actor?: Actor): Promise<void> {
    const { db, dns, clock, tell, leaveDomain, onChanged } = this.#deps
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
  async change(
    actor: Actor,
    id: string,
    { isDefault, homeUrl }: z.output<typeof domainChange>,
  ): Promise<Domain> {
    const { workspaceId } = actor
    await this.#changing(actor, async (tx, own) => {
      const row = found(own, id)
      if (isDefault && row.held === null) throw new AppError('domain_not_proven')
      if (isDefault) await clearDefault(tx, workspaceId)
      await changeDomain(tx, id, {
        is_default: Number(isDefault ?? row.is_default === 1),
        home_url: homeUrl === undefined ? row.home_url : homeUrl,
      })
      await this.#deps.record(tx, actor, 'domain-changed', id)
    })
    await this.#deps.onChanged()
    return this.#present(workspaceId, id)
  }

  /** Gives a domain up: its names lead on for 30 days. A claim without a proof goes at once. */
  async remove(actor: Actor, id: string): Promise<void> {
    await this.#changing(actor, async (tx, own) => {
      const row = found(own, id)
      const end = this.#deps.clock().getTime() + REMOVED_DAYS * DAY_MS
      if (row.held === null) await removeDomain(tx, id)
      else if (row.ends_at === null) await changeDomain(tx, id, { ends_at: end, is_default: 0 })
      await this.#deps.record(tx, actor, 'domain-removed', id)
    })
  }

  /** Undoes a removal. @throws AppError domain_not_found */
  async restore(actor: Actor, id: string): Promise<Domain> {
    await this.#changing(actor, async (tx, own) => {
      if (found(own, id).ends_at === null) return
      await changeDomain(tx, id, { ends_at: null })
      await this.#deps.record(tx, actor, 'domain-restored', id)
    })
    return this.#present(actor.workspaceId, id)
  }

  #changing(actor: Actor, change: (tx: Tx, own: DomainRow[]) => Promise<void>): Promise<void> {
    return transactAs(this.#deps.db, actor, async (tx) =>
      change(tx, await domainsOf(tx, actor.workspaceId)),
    )
  }

  async #presentAll(workspaceId: WorkspaceId): Promise<Domain[]> {
    const { db, codesByDomain } = this.#deps
    const codes = await codesByDomain(db, workspaceId)
    return presentDomains(db, { workspaceId, ours: this.#ours, codes })
  }

  async #present(workspaceId: WorkspaceId, id: string): Promise<Domain> {
    const own = (await this.#presentAll(workspaceId)).find((each) => each.id === id)
    if (!own) throw new AppError('domain_not_found')
    return own
  }
}

function found(own: readonly DomainRow[], id: string): DomainRow {
  const row = own.find((each) => each.id === id)
  if (!row) throw new AppError('domain_not_found')
  return row
}
