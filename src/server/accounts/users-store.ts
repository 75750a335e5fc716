import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type UpdateObject } from 'kysely'
import type { PersonId } from '../database/ids.ts'
import { addNew, putRow, rowsWhere } from '../database/rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { changesRow } from '../database/transact.ts'
import { AppError } from '../http/errors.ts'
import { addWorkspace } from '../memberships.ts'

const ID_BYTES = 16

/** The account with this id or this e-mail address, in any case. */
export async function findAccount(db: Db, by: { id: PersonId } | { email: string }) {
  const query = db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'firstName', 'lastName', 'locale', 'emailVerified'])
    .select(['must_verify', 'time_zone as timeZone', 'deletion_at as deletionAt'])
  const row = await ('id' in by
    ? query.where('id', '=', by.id)
    : query.where('email', '=', by.email.toLowerCase())
  ).executeTakeFirst()
  if (!row) return undefined
  const { must_verify, ...rest } = row
  return { ...rest, emailVerified: Boolean(row.emailVerified), mustVerify: must_verify === 1 }
}

/** An account as a sign-in needs it. Its locale is that of its mails: null before a browser has named one. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** The account of a user who is signed in. @throws AppError unauthorized if it is gone */
export async function ownAccount(db: Db, userId: PersonId): Promise<AccountRow> {
  const account = await findAccount(db, { id: userId })
  if (!account) throw new AppError('unauthorized')
  return account
}

export type NewAccount = {
  email: string
  name: string
  /** Split from the name at its first space if neither is given */
  firstName?: string | undefined
  lastName?: string | undefined
  emailVerified: boolean
  /** Whether the address must be proved before the first sign-in */
  mustVerify?: boolean
  /** The hash of a password, or the provider's id of the person */
  credential: { password: string } | ProviderLink | undefined
}

/** A person at a provider who opens an account. */
export type ProviderLink = { providerId: string; accountId: string }

/**
 * Makes an account with its credential and its own workspace. Hash the password before: a transaction holds the database.
 * @throws AppError account_exists for the address of another one, or for a person who opens another one
 */
export async function createAccount(tx: Tx, given: NewAccount, now: Date): Promise<AccountRow> {
  const { name, emailVerified, mustVerify = false, credential } = given
  const id = randomBytes(ID_BYTES).toString('hex') as PersonId
  const email = given.email.toLowerCase()
  const at = now.toISOString()
  const isSplit = given.firstName !== undefined || given.lastName !== undefined
  const { firstName = null, lastName = null } = isSplit ? given : splitName(name)
  const isNew = await addNew(tx, 'users', {
    id,
    email,
    name,
    firstName,
    lastName,
    emailVerified: emailVerified ? sql`true` : sql`false`,
    must_verify: mustVerify ? 1 : null,
    createdAt: at,
    updatedAt: at,
  })
  if (!isNew) throw new AppError('account_exists')
  if (credential && 'password' in credential) {
    await savePassword(tx, id, credential.password, now)
  } else if (credential && !(await addSignInMethod(tx, id, credential, now))) {
    throw new AppError('account_exists')
  }
  await addWorkspace(tx, { ownerId: id, isOwn: true }, now)
  return ownAccount(tx, id)
}

/** First and last name from the name of a sign-up, split at its first space. */
function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [first = '', ...rest] = name.trim().split(/\s+/)
  return { firstName: first || null, lastName: rest.join(' ') || null }
}

/** Lets a person at a provider, or a password, open an account. @returns false if they open one already */
export async function addSignInMethod(tx: Tx, userId: PersonId, link: ProviderLink, now: Date) {
  const at = now.toISOString()
  const method = { id: randomUUID(), userId, ...link, createdAt: at, updatedAt: at }
  return addNew(tx, 'accounts', method)
}

/** The hash of an account's password; null for an account without one. */
export async function passwordHashOf(db: Db, userId: PersonId): Promise<string | null> {
  const method = { userId, providerId: 'credential' }
  return (await rowsWhere(db, 'accounts', method).executeTakeFirst())?.password ?? null
}

/** Sets an account's password, or gives it one. */
export async function savePassword(tx: Tx, userId: PersonId, hash: string, now: Date) {
  const method = { providerId: 'credential', accountId: userId }
  await addSignInMethod(tx, userId, method, now)
  const own = tx.updateTable('accounts').where('userId', '=', userId)
  const changed = { password: hash, updatedAt: now.toISOString() }
  await own.set(changed).where('providerId', '=', method.providerId).execute()
}

export async function changeUser(db: Db, id: PersonId, change: UpdateObject<Tables, 'users'>) {
  await db.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Marks the account's address as its owner's. */
export function markProved(tx: Tx, userId: PersonId): Promise<void> {
  return changeUser(tx, userId, { emailVerified: sql`true` })
}

/** Saves the locale that the browser of a sign-in asks for, for mails. */
export async function saveLocale(tx: Tx, { id, locale }: AccountRow, asked: string | undefined) {
  if (asked !== undefined && asked !== locale) await changeUser(tx, id, { locale: asked })
}

/** The columns of an account whose address is not about to change */
export const NO_CHANGE = { pending_email: null, pending_step: null, pending_until: null }

/** Drops a change of the account's address. @returns whether one was under way */
export async function dropChange(tx: Tx, userId: PersonId): Promise<boolean> {
  const own = tx.updateTable('users').set(NO_CHANGE).where('id', '=', userId)
  return changesRow(own.where('pending_email', 'is not', null))
}

/** Drops the changes that were not agreed to in time. */
export async function sweepChanges(db: Db, now: Date): Promise<void> {
  await db.updateTable('users').set(NO_CHANGE).where('pending_until', '<=', now.getTime()).execute()
}

/** The URL of an account's picture; null if it has none. */
export async function pictureUrlOf(db: Db, userId: PersonId): Promise<string | null> {
  const pictures = db.selectFrom('user_pictures').select('version')
  const row = await pictures.where('user_id', '=', userId).executeTakeFirst()
  return row ? `/api/account/picture?v=${row.version}` : null
}

/** Stores a drawn picture (WebP) in place of the one that the account had. */
export async function saveUserPicture(db: Db, userId: PersonId, bytes: Uint8Array): Promise<void> {
  const picture = { version: randomUUID(), base64: Buffer.from(bytes).toString('base64') }
  await putRow(db, 'user_pictures', { user_id: userId }, picture)
}

/** An account's picture of the version that its URL names. */
export async function findUserPicture(db: Db, userId: PersonId, version: string) {
  const own = rowsWhere(db, 'user_pictures', { user_id: userId, version })
  const row = await own.executeTakeFirst()
  return row && Buffer.from(row.base64, 'base64')
}

/** Returns whether there was one. */
export async function removeUserPicture(db: Db, userId: PersonId): Promise<boolean> {
  return changesRow(db.deleteFrom('user_pictures').where('user_id', '=', userId))
}
