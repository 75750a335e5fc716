import { sql } from 'kysely'
import type { Db } from '../../database/schema.ts'

/** Sessions that an account can have: browsers and programs that are signed in at a time. */
export const SESSIONS_MAX = 100
/** SQLite takes an offset only after a limit. */
const MANY = 1_000_000

/** Ends an account's sessions beyond SESSIONS_MAX, those first that were not used for longest. */
export async function endOldestSessions(db: Db, userId: string): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where "userId" = ${userId}
    order by "expiresAt" desc, "createdAt" desc limit ${MANY} offset ${SESSIONS_MAX}
  )`.execute(db)
}

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

/** Which of these sessions last. Nothing is written: looking is no use of a session. */
export async function livingSessions(db: Db, ids: string[], oldest: Date): Promise<Set<string>> {
  const living = new Set<string>()
  const now = new Date().toISOString()
  for (let from = 0; from < ids.length; from += IDS_MAX) {
    const part = ids.slice(from, from + IDS_MAX)
    const { rows } = await sql<{ id: string }>`select id from sessions
      where id in (${sql.join(part)}) and "expiresAt" > ${now}
      and "createdAt" > ${oldest.toISOString()}`.execute(db)
    for (const { id } of rows) living.add(id)
  }
  return living
}

/** Whether the account has this session, which may have ended since its request began. */
export async function hasSession(db: Db, userId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Signs an account out everywhere. */
export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
}

/** Ends an account's sessions but for the one with this token. */
export async function endOtherSessions(db: Db, userId: string, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('userId', '=', userId).where('token', '!=', token).execute()
}

/** Whether the account had this session. */
export async function endSessionById(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
