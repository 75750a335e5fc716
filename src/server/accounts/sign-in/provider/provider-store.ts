import type { PersonId } from '../../../database/ids.ts'
import { deleteWhere, rowsWhere } from '../../../database/rows.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { hashOfToken } from '../../sessions/sessions-store.ts'
import { findAccount } from '../../users-store.ts'

/** The account that this person at the provider opens. */
export async function findLinked(db: Db, providerId: string, subject: string) {
  const linked = rowsWhere(db, 'accounts', { providerId, accountId: subject })
  const row = await linked.executeTakeFirst()
  return row && findAccount(db, { id: row.userId })
}

/** The person at the provider who opens this account. */
export async function linkedSubject(db: Db, providerId: string, userId: PersonId) {
  const link = (await linksOf(db, userId)).find((each) => each.providerId === providerId)
  return link?.accountId
}

/** The persons who open this account, also at a provider that the operator had before. */
export function linksOf(db: Db, userId: PersonId) {
  const links = db.selectFrom('accounts').select(['providerId', 'accountId'])
  return links.where('userId', '=', userId).where('providerId', '!=', 'credential').execute()
}

/** Unlinks the account from any provider. */
export async function removeLinks(tx: Tx, userId: PersonId): Promise<void> {
  const own = tx.deleteFrom('accounts').where('userId', '=', userId)
  await own.where('providerId', '!=', 'credential').execute()
}

/** Ends the account's sessions that the provider opened, but the one with this id. */
export async function endProviderSessions(tx: Tx, userId: PersonId, keptId: string): Promise<void> {
  await deleteWhere(tx, 'sessions', { userId })
    .where('id', '!=', keptId)
    .where('id', 'in', tx.selectFrom('provider_sessions').select('session_id'))
    .execute()
}

/**
 * Saves that the provider opened a session, with the id_token that signs out there later. It is empty
 * if it is too long. The row goes with its session.
 */
export async function saveIdToken(db: Db, sessionId: string, idToken: string): Promise<void> {
  const row = { session_id: sessionId, id_token: idToken }
  await db.insertInto('provider_sessions').values(row).execute()
}

/** The id_token of a session, if one was saved; undefined for one that began in another way. @param token what the browser has */
export async function idTokenOf(db: Db, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_sessions')
    .innerJoin('sessions', 'sessions.id', 'provider_sessions.session_id')
    .select('id_token')
    .where('sessions.token', '=', hashOfToken(token))
    .executeTakeFirst()
  return row?.id_token
}
