import { hash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { hasRight } from '#contract/accounts/roles.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { systemClock } from '../../clock.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { keepNewest, putRow, rowsWhere, updateWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { lacksStep } from '../../memberships.ts'

/** The life of a session from its last use */
export const SESSION_MS = 30 * DAY_MS
/** The longest life of a session, however often it is used: a stolen one ends too. */
const SESSION_MAX_MS = 90 * DAY_MS
/** How often the last use of a session is written. Its owner sees it in the settings. */
const NOTED_EVERY_MS = HOUR_MS
/** Sessions that an account can have at a time */
export const SESSIONS_MAX = 100
const ID_BYTES = 16
/** Characters of a session's User-Agent that are kept */
const AGENT_MAX = 512

/*
 * Sessions go by the system's clock, as those of earlier versions did: an operator who moves the other
 * clock by months to see a plan end stays signed in.
 */

/** The hash that the database has. A token has 256 random bits, so a slow hash would add nothing. */
export const hashOfToken = (token: string) => hash('sha256', token, 'base64url')

/** 256 random bits, which only a browser or a mail keeps */
export const newToken = () => randomBytes(32).toString('base64url')

/**
 * Makes a session. If the account has more than SESSIONS_MAX then, the least recently used ones end.
 * @returns its id, and its token, which only the browser keeps
 */
export async function createSession(
  tx: Tx,
  { userId, address, agent }: { userId: PersonId; address: string; agent: string },
): Promise<{ id: string; token: string }> {
  const now = systemClock()
  const id = randomBytes(ID_BYTES).toString('hex')
  const token = newToken()
  await tx
    .insertInto('sessions')
    .values({
      id,
      userId,
      token: hashOfToken(token),
      ipAddress: address,
      userAgent: agent.slice(0, AGENT_MAX),
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      expiresAt: after(now, SESSION_MS),
    })
    .execute()
  const newest = { key: 'id', by: ['expiresAt', 'createdAt'], max: SESSIONS_MAX } as const
  await keepNewest(tx, 'sessions', { userId }, newest)
  return { id, token }
}

/** The session with this token, which may be over. */
export async function findSession(db: Db, token: string): Promise<Session | undefined> {
  const row = await rowsWhere(db, 'sessions', { token: hashOfToken(token) }).executeTakeFirst()
  return row && sessionOf(row)
}

export function isOver({ signedInAt, endsAt }: Session): boolean {
  const at = systemClock().getTime()
  return endsAt.getTime() <= at || signedInAt.getTime() + SESSION_MAX_MS <= at
}

/**
 * Notes that a session is used, and lets it last from now.
 * @returns whether it was due; undefined if the session has ended since it was read
 */
export async function noteSessionUse(db: Db, session: Session) {
  const now = systemClock()
  const { id, endsAt } = session
  if (endsAt.getTime() > now.getTime() + SESSION_MS - NOTED_EVERY_MS) return false
  const isNoted = await changesRow(
    updateWhere(db, 'sessions', { id }).set({
      updatedAt: now.toISOString(),
      expiresAt: after(now, SESSION_MS),
    }),
  )
  return isNoted ? true : undefined
}

/** Notes that the owner has just proved in a session that it is them. */
export async function noteOwnerProof(db: Db, id: string): Promise<void> {
  const proved = { proved_at: systemClock().getTime() }
  await db.updateTable('sessions').set(proved).where('id', '=', id).execute()
}

/** The sessions of an account that last. */
export async function listSessions(db: Db, userId: PersonId): Promise<Session[]> {
  const rows = await lasting(db).selectAll().where('userId', '=', userId).execute()
  return rows.map(sessionOf)
}

type Reader = { sessionId: string | null; workspaceId: WorkspaceId }

/**
 * Those of these readers whose session lasts and who may still read there. It does not count as a use of a session.
 * Readers without one are visitors of the live demo.
 */
export async function livingReaders<R extends Reader>(db: Db, readers: R[]): Promise<Set<R>> {
  const ids = readers.flatMap(({ sessionId }) => sessionId ?? [])
  if (ids.length === 0) return new Set(readers)
  const places = await lasting(db)
    .innerJoin('members', 'person_id', 'userId')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_id')
    .leftJoin('second_factors', 'user_id', 'person_id')
    .select(['sessions.id', 'workspace_id', 'role', 'demands_second_step', 'confirmed_at'])
    .where('sessions.id', 'in', ids)
    .execute()
  const living = new Set(
    places
      .filter((row) => hasRight(row.role, 'read') && !lacksStep(row))
      .map((row) => `${row.id} ${row.workspace_id}`),
  )
  const isLiving = ({ sessionId, workspaceId }: Reader) =>
    sessionId === null || living.has(`${sessionId} ${workspaceId}`)
  return new Set(readers.filter(isLiving))
}

function lasting(db: Db) {
  const now = systemClock()
  return db
    .selectFrom('sessions')
    .where('expiresAt', '>', now.toISOString())
    .where('createdAt', '>', after(now, -SESSION_MAX_MS))
}

/** Whether the account has this session, which may have ended since its request began. */
export async function hasSession(db: Db, userId: PersonId, id: string): Promise<boolean> {
  return (await rowsWhere(db, 'sessions', { userId, id }).executeTakeFirst()) !== undefined
}

/** Ends the session with this token, if there is one. */
export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', hashOfToken(token)).execute()
}

/** Ends all sessions of an account but the one with the id `but`, and its sign-ins that wait for a code. */
export async function endSessions(tx: Tx, userId: PersonId, but = ''): Promise<void> {
  await tx.deleteFrom('sign_ins').where('user_id', '=', userId).execute()
  await tx.deleteFrom('sessions').where('userId', '=', userId).where('id', '!=', but).execute()
}

/** @returns whether the account had this session */
export async function endSessionById(tx: Tx, userId: PersonId, id: string): Promise<boolean> {
  return changesRow(tx.deleteFrom('sessions').where('userId', '=', userId).where('id', '=', id))
}

/** Removes sessions that have ended, with the addresses that they hold. */
export async function sweepSessions(db: Db): Promise<void> {
  const now = systemClock()
  await db
    .deleteFrom('sessions')
    .where((row) =>
      row.or([
        row('expiresAt', '<=', now.toISOString()),
        row('createdAt', '<=', after(now, -SESSION_MAX_MS)),
      ]),
    )
    .execute()
}

/** Browsers that an account remembers: beyond that it forgets the ones seen longest ago. */
const DEVICES_MAX = 20

/** Whether this browser has signed in to the account before, or is its first. */
export async function findDevice(db: Db, userId: PersonId, device: string) {
  const devices = db.selectFrom('known_devices').select('hash').where('user_id', '=', userId)
  const known = await devices.execute()
  return {
    isKnown: known.some(({ hash }) => hash === hashOfToken(device)),
    isFirst: known.length === 0,
  }
}

export async function rememberDevice(db: Db, userId: PersonId, device: string, now: Date) {
  const known = { user_id: userId, hash: hashOfToken(device) }
  await putRow(db, 'known_devices', known, { seen_at: now.getTime() })
  const newest = { key: 'hash', by: ['seen_at'], max: DEVICES_MAX } as const
  await keepNewest(db, 'known_devices', { user_id: userId }, newest)
}

/** Forgets the browsers of an account but this one. */
export async function forgetOtherDevices(db: Db, userId: PersonId, own: string | undefined) {
  const known = db.deleteFrom('known_devices').where('user_id', '=', userId)
  await known.where('hash', '!=', own === undefined ? '' : hashOfToken(own)).execute()
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()

/** An instant is ISO 8601 on SQLite and a Date on PostgreSQL. */
const dateOf = (stored: unknown) => new Date(stored as string | Date)

function sessionOf(row: Selectable<Tables['sessions']>) {
  return {
    id: row.id,
    userId: row.userId,
    signedInAt: dateOf(row.createdAt),
    /** When its owner last proved in it that it is them */
    provedAt: row.proved_at === null ? null : new Date(row.proved_at),
    lastUsedAt: dateOf(row.updatedAt),
    endsAt: dateOf(row.expiresAt),
    address: row.ipAddress,
    agent: row.userAgent,
  }
}

export type Session = ReturnType<typeof sessionOf>
