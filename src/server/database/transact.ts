import { sql } from 'kysely'
import type { Database } from './connect.ts'
import type { Db, Tx } from './schema.ts'

// PostgreSQL: serialization_failure, deadlock_detected. It undid the whole transaction, so that can run again.
const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 4

/** Runs `work` in one transaction, and again if the engine asks for that. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt === ATTEMPTS || !code || !RETRYABLE.has(code)) throw error
    }
  }
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

/** Repeats a statement, which changes at most `BATCH` rows, until it changes fewer. */
export async function inBatches(change: () => Promise<number | bigint>): Promise<void> {
  while (Number(await change()) >= BATCH);
}
