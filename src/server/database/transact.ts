import { type DeleteResult, type InsertResult, sql, type UpdateResult } from 'kysely'
import type { Database } from './connect.ts'
import type { Db, Tx } from './schema.ts'

// PostgreSQL: serialization_failure, deadlock_detected. It undid the whole transaction, so that can run again.
const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 4

const followUps = new WeakMap<Db, Set<() => void>>()

/** Runs `work` in one transaction, and again if the engine asks for that. A request changes an account by `transactAs`. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const runs = new Set<() => void>()
      const result = await db.transaction().execute(async (tx) => {
        followUps.set(tx, runs)
        return work(tx)
      })
      for (const run of runs) run()
      return result
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt === ATTEMPTS || !code || !RETRYABLE.has(code)) throw error
    }
  }
}

/** Calls `run`, which does not throw, once a transaction of `transact` has committed; never if it is undone, or outside of one. */
export function afterCommit(tx: Db, run: () => void): void {
  followUps.get(tx)?.add(run)
}

/** Ends a transaction that has begun on this connection: commits it after the work, or undoes it if that fails. */
export async function commitOrUndo<T>(connection: Db, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work()
    await sql`commit`.execute(connection)
    return done
  } catch (error) {
    // The connection may be gone, or the engine has undone it by itself.
    await sql`rollback`.execute(connection).catch(() => {})
    throw error
  }
}

type Change = {
  executeTakeFirst: () => Promise<InsertResult | UpdateResult | DeleteResult | undefined>
}

/** Runs a change. Returns how many rows it changed. */
export async function changedRows(change: Change): Promise<number> {
  const result = await change.executeTakeFirst()
  if (result === undefined) return 0
  if ('numDeletedRows' in result) return Number(result.numDeletedRows)
  if ('numUpdatedRows' in result) return Number(result.numUpdatedRows)
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

/** Runs a change. Returns whether it changed a row. */
export async function changesRow(change: Change): Promise<boolean> {
  return (await changedRows(change)) > 0
}

/** Runs queries that all see the database as of one instant, without a lock on anything. */
export async function atOneInstant<T>(
  { reads, location }: Pick<Database, 'reads' | 'location'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (location.engine === 'postgres') {
    const transaction = reads.transaction().setIsolationLevel('repeatable read')
    return transaction.setAccessMode('read only').execute(work)
  }
  return reads.connection().execute(async (connection) => {
    await sql`begin`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`commit`.execute(connection)
    }
  })
}

/** Rows that one statement of a sweep changes, so that none holds the database for long. */
export const BATCH = 1_000

/** Repeats a statement, which changes at most `batch` rows, until it changes fewer. */
export async function inBatches(change: () => Promise<number | bigint>, batch = BATCH) {
  while (Number(await change()) >= batch);
}
