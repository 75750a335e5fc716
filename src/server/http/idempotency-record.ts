import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../database/transact.ts'
import type { Job } from '../jobs.ts'
import { AppError } from './errors.ts'
import { count } from './limits/counts-store.ts'

type Call = { request: FastifyRequest; reply: FastifyReply }

/** How long an answer is kept. */
const KEPT_MS = DAY_MS

/**
 * A call with an Idempotency-Key: what it makes and what it is answered are of one transaction. That
 * one begins with a lock on the account, so that of two equal calls the second finds the answer of
 * the first. A refusal is not kept: the call can be repeated once its reason is gone. How many answers
 * an account has, the limits on new names and on kept answers say. No secret is kept: what a call makes
 * is, and its secret is worked out again.
 */
export class IdempotencyRecord {
  readonly #workspaceId: WorkspaceId
  readonly #key: string
  readonly #digest: string
  readonly #at: number
  readonly #reply: FastifyReply

  private constructor({ request, reply }: Call, key: string, at: number) {
    const said = [request.url, JSON.stringify(request.body)].join(' ')
    this.#workspaceId = request.actor.workspaceId
    this.#key = key
    this.#digest = hash('sha256', said, 'base64url')
    this.#at = at
    this.#reply = reply
  }

  /** Undefined for a call without a key. */
  static of(request: FastifyRequest, reply: FastifyReply, clock: Clock) {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return undefined
    return new IdempotencyRecord({ request, reply }, key, clock().getTime())
  }

  /** Returns the earlier answer to this call, and says so with the answer. @throws AppError idempotency_key_reused if it was another call */
  async answer(tx: Tx): Promise<string | undefined> {
    const row = await tx
      .selectFrom('idempotency_keys')
      .select(['digest', 'body'])
      .where('workspace_id', '=', this.#workspaceId)
      .where('key', '=', this.#key)
      .where('at', '>', this.#at - KEPT_MS)
      .executeTakeFirst()
    if (row && row.digest !== this.#digest) throw new AppError('idempotency_key_reused')
    if (row) this.#reply.header('idempotency-replayed', 'true')
    return row?.body
  }

  /** Keeps the answer of a call that no other limit counts. @throws AppError rate_limited */
  async keepCounted(tx: Tx, body: string): Promise<void> {
    await count(tx, 'kept-answers', this.#workspaceId, new Date(this.#at))
    await this.keep(tx, body)
  }

  async keep(tx: Tx, body: string): Promise<void> {
    const kept = { digest: this.#digest, body, at: this.#at }
    await tx
      .insertInto('idempotency_keys')
      .values({ workspace_id: this.#workspaceId, key: this.#key, ...kept })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet(kept))
      .execute()
  }
}

/**
 * Makes what a call makes, in a transaction that has locked the account, or returns what the same call has made before.
 * @throws AppError idempotency_key_reused, rate_limited
 */
export async function makeOnce<Made>(
  tx: Tx,
  once: IdempotencyRecord | undefined,
  make: () => Promise<Made>,
): Promise<Made> {
  const before = await once?.answer(tx)
  if (before !== undefined) return JSON.parse(before) as Made
  const made = await make()
  await once?.keepCounted(tx, JSON.stringify(made))
  return made
}

export async function forgetAnswers(db: Db, workspaceId: WorkspaceId): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('workspace_id', '=', workspaceId).execute()
}

/** Removes answers that are a day old, in batches. */
export function sweepAnswers({ db, clock }: { db: Db; clock: Clock }): Job {
  async function run() {
    const old = db
      .selectFrom('idempotency_keys')
      .select(['workspace_id', 'key'])
      .where('at', '<=', clock().getTime() - KEPT_MS)
      .limit(BATCH)
    await inBatches(() =>
      changedRows(
        db
          .deleteFrom('idempotency_keys')
          .where((row) =>
            row(row.refTuple('workspace_id', 'key'), 'in', old.$asTuple('workspace_id', 'key')),
          ),
      ),
    )
  }
  return { name: 'sweep-idempotency-keys', everyMs: HOUR_MS, run }
}
