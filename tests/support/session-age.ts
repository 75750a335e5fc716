import { sql } from 'kysely'
import type { Person } from './person.ts'

/** Sets back when an account's sessions began: they go by the system's clock, which no test moves. */
export async function signedInAgo({ id, tessera }: Person, milliseconds: number): Promise<void> {
  const createdAt = new Date(Date.now() - milliseconds).toISOString()
  const { db } = tessera.database
  await sql`update sessions set "createdAt" = ${createdAt} where "userId" = ${id}`.execute(db)
}
