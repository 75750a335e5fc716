import { type Kysely, sql } from 'kysely'

/** A proxy that writes a port made whole addresses pass for shortened ones: these go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit_entries set address = null
    where address like '%.%:%::'`.execute(db)
  await sql`
    update sessions set "ipAddress" = null
    where "ipAddress" like '%.%:%::'`.execute(db)
}
