import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../database/transact.ts'
import type { Job } from '../jobs.ts'
import { AppError } from './errors.ts'

/** How long an answer is kept. */
const KEPT_MS = DAY_MS

/**
 * A call with an Idempotency-Key: what it makes and what it is answered are of one transaction. That
 * one begins with a lock on the account, so that of two equal calls the second finds the answer of
 * the first. A refusal is not kept: the call can be repeated once its reason is gone. How many answers
 * an account has, the limit on new names says.
 */
export class IdempotencyRecord {
  readonly #userId: string
  readonly #key: string
  readonly #digest: string
  readonly #at: number

  private constructor(call: { userId: string; key: string; digest: string; at: number }) {
    this.#userId = call.userId
    this.#key = call.key
    this.#digest = call.digest
    this.#at = call.at
  }

  /** Undefined for a call without a key. */
  static of(request: FastifyRequest, clock: Clock): IdempotencyRecord | undefined {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return undefined
    const said = [request.routeOptions.url, JSON.stringify(request.body)].join(' ')
    const digest = hash('sha256', said, 'base64url')
    return new IdempotencyRecord({ userId: request.userId, key, digest, at: clock().getTime() })
  }

  /** Returns the earlier answer to this call. @throws AppError idempotency_key_reused if it was another call */
  async answer(tx: Tx): Promise<string | undefined> {
    const row = await tx
      .selectFrom('idempotency_keys')
      .select(['digest', 'body'])
      .where('user_id', '=', this.#userId)
      .where('key', '=', this.#key)
      .where('at', '>', this.#at - KEPT_MS)
      .executeTakeFirst()
    if (row && row.digest !== this.#digest) throw new AppError('idempotency_key_reused')
    return row?.body
  }

  async keep(tx: Tx, body: string): Promise<void> {
    const kept = { digest: this.#digest, body, at: this.#at }
    await tx
      .insertInto('idempotency_keys')
      .values({ user_id: this.#userId, key: this.#key, ...kept })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(kept))
      .execute()
  }
}

/** Says that this answer is an earlier one. */
export const tellReplayed = (reply: FastifyReply) => reply.header('idempotency-replayed', 'true')

export async function forgetAnswers(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
}

/** Removes answers that are a day old, in batches. */
export function sweepAnswers({ db, clock }: { db: Db; clock: Clock }): Job {
  async function run() {
    const old = db
      .selectFrom('idempotency_keys')
      .select(['user_id', 'key'])
      .where('at', '<=', clock().getTime() - KEPT_MS)
      .limit(BATCH)
    await inBatches(() =>
      changedRows(
        db
          .deleteFrom('idempotency_keys')
          .where((row) =>
            row(row.refTuple('user_id', 'key'), 'in', old.$asTuple('user_id', 'key')),
          ),
      ),
    )
  }
  return { name: 'sweep-idempotency-keys', everyMs: HOUR_MS, run }
}
