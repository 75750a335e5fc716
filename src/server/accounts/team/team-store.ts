import { hash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { hasRight, type Role } from '#contract/accounts/roles.ts'
import { INVITATION_DAYS, type Invitation, type Member } from '#contract/accounts/team.ts'
import { DAY_MS } from '#contract/time.ts'
import { CLOCKS_APART_MS } from '../../clock.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { deleteWhere, rowsWhere, updateWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { forgetApp } from '../programs/apps-store.ts'
import { newToken } from '../sessions/sessions-store.ts'

export type InvitationRow = Selectable<Tables['invitations']>

const hashOf = (token: string) => hash('sha256', `invitation:${token}`, 'base64url')

/** The members of a workspace, the owner first, then in the order in which they came. */
export async function membersOf(db: Db, workspaceId: WorkspaceId) {
  const rows = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.person_id')
    .leftJoin('second_factors', 'user_id', 'person_id')
    .select(['users.id', 'users.name', 'users.email', 'members.role', 'members.since'])
    .select('confirmed_at as secondStepAt')
    .where('workspace_id', '=', workspaceId)
    .orderBy('since')
    .orderBy('users.id')
    .execute()
  return rows.sort((one, other) => Number(other.role === 'owner') - Number(one.role === 'owner'))
}

/** The keys and apps of a workspace, by the person who made them. */
export async function programsOf(db: Db, workspaceId: WorkspaceId) {
  const all: { by: PersonId | null; program: Member['programs'][number] }[] = []
  for (const [table, kind] of [
    ['api_keys', 'key'],
    ['connected_apps', 'app'],
  ] as const) {
    const rows = await rowsWhere(db, table as 'api_keys', { workspace_id: workspaceId }).execute()
    for (const { id, made_by: by, name } of rows) all.push({ by, program: { id, kind, name } })
  }
  return Map.groupBy(all, ({ by }) => by)
}

type Place = { workspaceId: WorkspaceId; personId: PersonId }

/**
 * Ends a person's membership with the keys and apps that they made, or gives those to another member. Keys are paused
 * then, because the person knows them.
 */
export async function removeMember(
  tx: Tx,
  { workspaceId, personId }: Place,
  now: Date,
  heir?: PersonId,
): Promise<void> {
  const made = { workspace_id: workspaceId, made_by: personId }
  const apps = await rowsWhere(tx, 'connected_apps', made).execute()
  if (heir) {
    const taken = { made_by: heir, paused_at: now.getTime() }
    await updateWhere(tx, 'api_keys', made).set(taken).execute()
    await updateWhere(tx, 'connected_apps', made).set({ made_by: heir }).execute()
    for (const { id } of apps) {
      await updateWhere(tx, 'oauth_records', { app_id: id }).set({ user_id: heir }).execute()
    }
  } else {
    await deleteWhere(tx, 'api_keys', made).execute()
    for (const { id } of apps) await forgetApp(tx, id)
  }
  await endInvitationsBy(tx, { workspaceId, personId })
  await deleteWhere(tx, 'members', { workspace_id: workspaceId, person_id: personId }).execute()
}

/** The invitations of a workspace that can be accepted, newest first */
export async function openInvitations(db: Db, workspaceId: WorkspaceId, now: Date) {
  return rowsWhere(db, 'invitations', { workspace_id: workspaceId })
    .where('ends_at', '>', now.getTime())
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
}

type NewInvitation = {
  workspaceId: WorkspaceId
  email: string
  role: Role
  invitedBy: PersonId
  /** Whether the inviter sees the link, so that it proves no address */
  isShown: boolean
}

/**
 * Makes an invitation, in place of one that the same address had. Call it under the workspace's lock.
 * @returns its row and the token of its link, of which the database has only the hash
 */
export async function addInvitation(tx: Tx, invited: NewInvitation, now: Date) {
  const { workspaceId, email, role, invitedBy, isShown } = invited
  await deleteWhere(tx, 'invitations', { workspace_id: workspaceId, email }).execute()
  await tx.deleteFrom('invitations').where('ends_at', '<=', now.getTime()).execute()
  const token = newToken()
  const row: InvitationRow = {
    id: randomUUID(),
    workspace_id: workspaceId,
    email,
    role,
    hash: hashOf(token),
    invited_by: invitedBy,
    is_shown: isShown ? 1 : 0,
    made_at: now.getTime(),
    ends_at: now.getTime() + INVITATION_DAYS * DAY_MS,
  }
  await tx.insertInto('invitations').values(row).execute()
  return { row, token }
}

/** The invitation with this token, if who has made it may still do so. @throws AppError link_over */
export async function invitationBy(db: Db, token: string, now: Date): Promise<InvitationRow> {
  const row = await rowsWhere(db, 'invitations', { hash: hashOf(token) }).executeTakeFirst()
  const at = now.getTime()
  // One from the future was made by a clock that went back since.
  if (!row || row.ends_at <= at || row.made_at > at + CLOCKS_APART_MS) {
    throw new AppError('link_over')
  }
  const inviter = { workspace_id: row.workspace_id, person_id: row.invited_by }
  const member = await rowsWhere(db, 'members', inviter).executeTakeFirst()
  if (!member || !hasRight(member.role, row.role === 'owner' ? 'own' : 'manage')) {
    throw new AppError('link_over')
  }
  return row
}

/** Ends the invitations that a person has made in a workspace. */
export async function endInvitationsBy(tx: Tx, { workspaceId, personId }: Place): Promise<void> {
  const made = { workspace_id: workspaceId, invited_by: personId }
  await deleteWhere(tx, 'invitations', made).execute()
}

/** @returns the address that was invited; undefined without such an invitation */
export const removeInvitation = (tx: Tx, workspaceId: WorkspaceId, id: string) =>
  deleteWhere(tx, 'invitations', { workspace_id: workspaceId, id })
    .returning('email')
    .executeTakeFirst()

export const presentInvitation = ({ id, email, role, ends_at }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  endsAt: iso(ends_at),
})
