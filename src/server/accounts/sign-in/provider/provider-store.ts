import type { PersonId } from '../../../database/ids.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { hashOfToken } from '../../sessions/sessions-store.ts'
import { type AccountRow, findAccount } from '../../users-store.ts'

/** The account that this person at the provider opens. */
export async function findLinked(
  db: Db,
  providerId: string,
  subject: string,
): Promise<AccountRow | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('userId')
    .where('providerId', '=', providerId)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return row && findAccount(db, { id: row.userId })
}

/** The person at the provider who opens this account. */
export async function linkedSubject(
  db: Db,
  providerId: string,
  userId: PersonId,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('accountId')
    .where('providerId', '=', providerId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.accountId
}

/** Whether some person at a provider opens this account, also at one that the operator had before. */
export async function isLinked(db: Db, userId: PersonId): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '!=', 'credential')
    .executeTakeFirst()
  return row !== undefined
}

/** Unlinks the account from any provider. */
export async function unlink(tx: Tx, userId: PersonId): Promise<void> {
  await tx
    .deleteFrom('accounts')
    .where('userId', '=', userId)
    .where('providerId', '!=', 'credential')
    .execute()
}

/** Ends the account's sessions that the provider opened, but the one with this id. */
export async function endProviderSessions(tx: Tx, userId: PersonId, keptId: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '!=', keptId)
    .where('id', 'in', tx.selectFrom('provider_sessions').select('session_id'))
    .execute()
}

/**
 * Stores that the provider opened a session, with the id_token that signs out there later. It is empty
 * if it is too long to keep. The row goes with its session.
 */
export async function keepIdToken(db: Db, sessionId: string, idToken: string): Promise<void> {
  await db
    .insertInto('provider_sessions')
    .values({ session_id: sessionId, id_token: idToken })
    .execute()
}

/** The id_token of a session, if one was kept; undefined for one that began in another way. @param token what the browser has */
export async function idTokenOf(db: Db, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_sessions')
    .innerJoin('sessions', 'sessions.id', 'provider_sessions.session_id')
    .select('id_token')
    .where('sessions.token', '=', hashOfToken(token))
    .executeTakeFirst()
  return row?.id_token
}
