import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import {
  type EventType,
  OVERLAP_HOURS,
  WEBHOOKS_MAX,
  type WebhookType,
} from '#contract/integrations/webhook-values.ts'
import type {
  Delivery,
  DeliveryList,
  newWebhook,
  Webhook,
  WebhookList,
  WebhookSecret,
  WholeDelivery,
  webhookChange,
} from '#contract/integrations/webhooks.ts'
import { reachOf } from '#contract/links.ts'
import { DAY_MS } from '#contract/time.ts'
import type { z } from '#contract/zod.ts'
import { type Actor, transactAs } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit } from '../database/transact.ts'
import { iso } from '../dates.ts'
import { AppError, invalidInput } from '../http/errors.ts'
import { makeOnce } from '../http/idempotency-record.ts'
import { count } from '../http/limits/counts-store.ts'
import { isPublicAddress } from '../http/public-network.ts'
import type { RoomDeps } from '../room.ts'
import {
  countWaiting,
  type DeliveryRow,
  deliveriesOf,
  newestOf,
  nextDue,
  ownDelivery,
  tryAllNow,
  tryNow,
} from './deliveries-store.ts'
import {
  changeEndpoint,
  type EndpointRow,
  endpointsOf,
  ownEndpoint,
  removeEndpoint,
  wakeEndpoints,
} from './endpoints-store.ts'
import { addEvents, waitingOf } from './events-store.ts'
import { secretOf } from './send.ts'

export type EndpointsDeps = Pick<RoomDeps, 'db' | 'clock' | 'secret'> & {
  /** Addresses around the server that the operator lets webhooks reach */
  allow: string[]
  /** Returns whether the account's plan has webhooks now. */
  isInPlan: (db: Db, workspaceId: WorkspaceId) => Promise<boolean>
  /** The first id that a scan from this instant on can have */
  firstScanId: (at: number) => string
  /** Sends due deliveries. Call it after the commit. */
  soon: () => void
  record: RecordChange
}

/** Writes to the account's history, in the transaction of the change. */
export type RecordChange = (
  tx: Tx,
  actor: Actor,
  event: Extract<AuditEvent, `webhook-${string}`>,
  subject: string,
  /** The address, if events go to another one from now on */
  newUrl?: string,
) => Promise<void>

const OVERLAP_MS = (OVERLAP_HOURS / 24) * DAY_MS
/** More that wait are said to be many. */
const COUNTED_MAX = 1_000

/** The endpoints of accounts: what their owners see and change. Each call first finds whose it is. */
export function webhookEndpoints(deps: EndpointsDeps) {
  const { db, clock, isInPlan, record, soon } = deps

  async function list(workspaceId: WorkspaceId): Promise<WebhookList> {
    const rows = await endpointsOf(db, workspaceId)
    return {
      isInPlan: await isInPlan(db, workspaceId),
      webhooks: await Promise.all(rows.map((row) => present(db, row))),
    }
  }

  /** @throws AppError webhooks_not_in_plan, webhooks_full, invalid_input */
  async function make(actor: Actor, { url, types }: z.output<typeof newWebhook>) {
    refuseLocal(url)
    const { workspaceId } = actor
    const row = await making(actor, async (tx) => {
      await demandPlan(tx, workspaceId)
      if ((await endpointsOf(tx, workspaceId)).length >= WEBHOOKS_MAX)
        throw new AppError('webhooks_full')
      const at = clock().getTime()
      const row: EndpointRow = {
        id: randomUUID(),
        workspace_id: workspaceId,
        url,
        types: types.join(','),
        secret_no: 1,
        former_until: null,
        made_at: at,
        off_since: null,
        off_why: null,
        ...onAgain(deps, at),
      }
      await tx.insertInto('webhook_endpoints').values(row).execute()
      await record(tx, actor, 'webhook-added', row.id, url)
      return row
    })
    return { ...presentWebhook(row, 0), secret: ownSecret(row) }
  }

  /** @throws AppError not_found, webhooks_not_in_plan, invalid_input */
  async function change(
    actor: Actor,
    id: string,
    { url, types, isOn }: z.output<typeof webhookChange>,
  ): Promise<Webhook> {
    if (url !== undefined) refuseLocal(url)
    const { workspaceId } = actor
    return changing(actor, async (tx) => {
      const row = await ownEndpoint(tx, workspaceId, id)
      // On every plan one can be switched off.
      const isMore = url !== undefined || types !== undefined || isOn === true
      if (isMore) await demandPlan(tx, workspaceId)
      const at = clock().getTime()
      const isSwitchedOn = isOn === true && row.off_since !== null
      const isElsewhere = url !== undefined && url !== row.url
      const wantsScans = types?.includes('code.scanned') && !row.types.includes('code.scanned')
      const change: Parameters<typeof changeEndpoint>[2] = {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { types: types.join(',') }),
        ...(wantsScans && { scans_from: deps.firstScanId(at) }),
        ...(isOn === false && row.off_since === null && { off_since: at, off_why: 'owner' }),
        ...(isElsewhere && unfailed(at)),
        ...(isSwitchedOn && { off_since: null, off_why: null, ...onAgain(deps, at) }),
      }
      if (Object.keys(change).length === 0) return present(tx, row)
      await changeEndpoint(tx, id, change)
      if (isElsewhere || isSwitchedOn) await tryAllNow(tx, id, at)
      await record(tx, actor, 'webhook-changed', id, isElsewhere ? url : undefined)
      return present(tx, await ownEndpoint(tx, workspaceId, id))
    })
  }

  /** @throws AppError not_found */
  async function remove(actor: Actor, id: string): Promise<void> {
    await changing(actor, async (tx) => {
      await ownEndpoint(tx, actor.workspaceId, id)
      await removeEndpoint(tx, id)
      await record(tx, actor, 'webhook-removed', id)
    })
  }

  /** @throws AppError not_found */
  async function secret(workspaceId: WorkspaceId, id: string): Promise<WebhookSecret> {
    return presentSecret(await ownEndpoint(db, workspaceId, id))
  }

  /** Makes another secret; for a day the one before signs too. @throws AppError not_found, webhooks_not_in_plan */
  async function rotate(actor: Actor, id: string): Promise<WebhookSecret> {
    const { workspaceId } = actor
    const row = await making(actor, async (tx) => {
      const row = await ownEndpoint(tx, workspaceId, id)
      await demandPlan(tx, workspaceId)
      const change = {
        secret_no: row.secret_no + 1,
        former_until: clock().getTime() + OVERLAP_MS,
      }
      await changeEndpoint(tx, id, change)
      await record(tx, actor, 'webhook-secret-made', id)
      return { ...row, ...change }
    })
    return presentSecret(row)
  }

  /** Sends an event that says nothing. @throws AppError not_found, webhooks_not_in_plan, webhook_off, rate_limited */
  async function test(actor: Actor, id: string): Promise<Delivery> {
    const { workspaceId } = actor
    return sending(actor, id, async (tx, dueAt) => {
      const data = { message: 'This is a test. Tessera can reach this address.' }
      const event = { workspaceId, type: 'webhook.test' as const, endpoints: [id], dueAt }
      await addEvents(tx, event, [data], clock())
      return newestOf(tx, id)
    })
  }

  /** @throws AppError not_found */
  async function deliveries(
    workspaceId: WorkspaceId,
    id: string,
    { before, limit }: { before?: string | undefined; limit: number },
  ): Promise<DeliveryList> {
    await ownEndpoint(db, workspaceId, id)
    const asked = { before: before === undefined ? undefined : Number(before), limit: limit + 1 }
    const rows = await deliveriesOf(db, id, asked)
    return { items: rows.slice(0, limit).map(presentDelivery), hasMore: rows.length > limit }
  }

  /** @throws AppError not_found */
  async function delivery(workspaceId: WorkspaceId, id: string): Promise<WholeDelivery> {
    const row = await ownDelivery(db, workspaceId, id)
    return { ...presentDelivery(row), payload: row.payload }
  }

  /**
   * Sends an event again, with its id: the delivery that waits, or else another one.
   * @throws AppError not_found, webhooks_not_in_plan, webhook_off, rate_limited
   */
  async function resend(actor: Actor, id: string): Promise<Delivery> {
    const { workspaceId } = actor
    const { endpoint_id } = await ownDelivery(db, workspaceId, id)
    return sending(actor, endpoint_id, async (tx, dueAt) => {
      const { seq, event_seq, type } = await ownDelivery(tx, workspaceId, id)
      const isWaiting = await tryNow(tx, seq, dueAt)
      const again = waitingOf(endpoint_id, event_seq, type, dueAt)
      if (!isWaiting) await tx.insertInto('webhook_deliveries').values(again).execute()
      await wakeEndpoints(tx, [endpoint_id], clock())
      return isWaiting ? ownDelivery(tx, workspaceId, id) : newestOf(tx, endpoint_id)
    })
  }

  /** Lets an event go at once: before all others that wait, whether the endpoint rests or not. */
  async function sending(
    actor: Actor,
    id: string,
    add: (tx: Tx, dueAt: number) => Promise<DeliveryRow>,
  ): Promise<Delivery> {
    const { workspaceId } = actor
    return changing(actor, async (tx) => {
      const row = await ownEndpoint(tx, workspaceId, id)
      await demandPlan(tx, workspaceId)
      if (row.off_since !== null) throw new AppError('webhook_off')
      const now = clock()
      await count(tx, 'webhook-sends', workspaceId, now)
      await changeEndpoint(tx, id, { rest_until: null })
      const first = (await nextDue(tx, id)) ?? Number.POSITIVE_INFINITY
      return presentDelivery(await add(tx, Math.min(first - 1, now.getTime())))
    })
  }

  const changing = <T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> =>
    transactAs(db, actor, (tx) => {
      afterCommit(tx, soon)
      return work(tx)
    })

  const making = <T>(actor: Actor, make: (tx: Tx) => Promise<T>): Promise<T> =>
    changing(actor, (tx) => makeOnce(tx, () => make(tx)))

  async function demandPlan(db: Db, workspaceId: WorkspaceId): Promise<void> {
    if (!(await isInPlan(db, workspaceId))) throw new AppError('webhooks_not_in_plan')
  }

  /**
   * Says at once what could never arrive. Whether an address may be reached is decided when the connection
   * is made.
   */
  function refuseLocal(url: string): void {
    if (deps.allow.length > 0) return
    if (url.startsWith('http:')) throw refused('Enter a URL that starts with https://')
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const isNear = reachOf(url) !== 'anyone' || (isIP(host) !== 0 && !isPublicAddress(host))
    if (isNear) throw refused('Webhooks can only go to servers on the public internet')
  }

  async function present(db: Db, row: EndpointRow): Promise<Webhook> {
    return presentWebhook(row, await countWaiting(db, row.id, COUNTED_MAX))
  }

  const ownSecret = ({ id, secret_no: no }: EndpointRow) => secretOf(deps.secret, { id, no })

  function presentSecret(row: EndpointRow): WebhookSecret {
    const { former_until: until } = row
    const isOver = until === null || until <= clock().getTime()
    return { secret: ownSecret(row), formerUntil: isOver ? null : iso(until) }
  }

  return { list, make, change, remove, secret, rotate, test, deliveries, delivery, resend }
}

const refused = (message: string) => invalidInput([{ path: 'url', message }])

/** An endpoint at which nothing has failed */
const unfailed = (at: number) => ({ fails: 0, failing_since: null, rest_until: null, due_at: at })

/** An endpoint that is new or on again: it hears of scans from now on. */
const onAgain = ({ firstScanId }: Pick<EndpointsDeps, 'firstScanId'>, at: number) => ({
  ...unfailed(at),
  scans_from: firstScanId(at),
})

function presentWebhook(row: EndpointRow, waiting: number): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: row.types.split(',') as WebhookType[],
    madeAt: iso(row.made_at),
    isOn: row.off_since === null,
    offSince: iso(row.off_since),
    offWhy: row.off_why,
    failingSince: iso(row.failing_since),
    waiting,
  }
}

function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: `${row.seq}`,
    eventId: row.event_id,
    type: row.type as EventType,
    at: iso(row.at),
    state: row.state,
    attempts: row.attempts,
    nextAt: row.state === 'waiting' ? iso(row.next_at) : null,
    triedAt: iso(row.tried_at),
    status: row.answer_status,
    answer: row.answer_text,
    tookMs: row.took_ms,
  }
}
