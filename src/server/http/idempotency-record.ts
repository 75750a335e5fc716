import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import type { FastifyReply, preHandlerHookHandler, RouteOptions } from 'fastify'
import { onceHeaders } from '#contract/request-headers.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { putRow, rowsWhere } from '../database/rows.ts'
import type { Db, Tx } from '../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../database/transact.ts'
import type { Job } from '../jobs.ts'
import { AppError } from './errors.ts'
import { count } from './limits/counts-store.ts'

/** How long an answer is kept. */
const KEPT_MS = DAY_MS

/**
 * A call with an Idempotency-Key: what it makes and what it is answered are of one transaction. That
 * one begins with a lock on the account, so that of two equal calls the second finds the answer of
 * the first. A refusal is not kept: the call can be repeated once its reason is gone. How many answers
 * an account has, the limits on new names and on kept answers say. No secret is kept: what a call makes
 * is, and its secret is worked out again.
 */
type IdempotencyRecord = {
  workspaceId: WorkspaceId
  key: string
  /** The hash of its address and body, in which a password is only there or not: this hash is a quick one. */
  digest: string
  at: number
  reply: FastifyReply
}

/** Returns the earlier answer to this call, and says so with the answer. @throws AppError idempotency_key_reused if it was another call */
async function earlierAnswer(tx: Tx, record: IdempotencyRecord): Promise<string | undefined> {
  const call = { workspace_id: record.workspaceId, key: record.key }
  const answers = rowsWhere(tx, 'idempotency_keys', call)
  const row = await answers.where('at', '>', record.at - KEPT_MS).executeTakeFirst()
  if (row && row.digest !== record.digest) throw new AppError('idempotency_key_reused')
  if (row) record.reply.header('idempotency-replayed', 'true')
  return row?.body
}

/** The record of the call that is being answered. What it waits for has it too, and no other call. */
const records = new AsyncLocalStorage<IdempotencyRecord>()

const withoutPassword = (name: string, value: unknown) =>
  name === 'password' ? value !== null : value

/** An `onRoute` hook: for routes whose schema takes an Idempotency-Key, `makeOnce` finds the record of the call. */
export function keepAnswers(clock: Clock) {
  const begin: preHandlerHookHandler = (request, reply, done) => {
    const { url, body, headers, actor } = request
    const key = headers['idempotency-key']
    if (typeof key !== 'string') return done()
    const digest = hash(
      'sha256',
      `${url} ${JSON.stringify(body, withoutPassword) ?? ''}`,
      'base64url',
    )
    const { workspaceId } = actor
    records.run({ workspaceId, key, digest, at: clock().getTime(), reply }, done)
  }
  return (route: RouteOptions) => {
    if (route.schema?.headers !== onceHeaders) return
    route.preHandler = [route.preHandler ?? []].flat().concat(begin)
  }
}

/** How an answer is written down and read again, and whether no other limit counts such calls */
export type Keeping<Made> = {
  write?: (made: Made) => string
  read?: (text: string) => Made
  isCounted?: boolean
}

/**
 * Makes what a call makes, in a transaction that has locked the account, or returns what the same call has made before.
 * @throws AppError idempotency_key_reused, rate_limited
 */
export async function makeOnce<Made>(
  tx: Tx,
  make: () => Promise<Made>,
  { write = JSON.stringify, read = JSON.parse, isCounted = true }: Keeping<Made> = {},
): Promise<Made> {
  const record = records.getStore()
  if (!record) return make()
  const before = await earlierAnswer(tx, record)
  if (before !== undefined) return read(before)
  const made = await make()
  if (isCounted) await count(tx, 'kept-answers', record.workspaceId, new Date(record.at))
  const { workspaceId, key, digest, at } = record
  const call = { workspace_id: workspaceId, key }
  await putRow(tx, 'idempotency_keys', call, { digest, body: write(made), at })
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
