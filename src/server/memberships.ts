import { randomBytes } from 'node:crypto'
import type { UpdateObject } from 'kysely'
import type { WorkspaceEntry } from '#contract/accounts/accounts.ts'
import type { Role } from '#contract/accounts/roles.ts'
import type { Tier } from '#contract/billing/plans.ts'
import { tierNow } from './billing/entitlements.ts'
import type { PersonId, WorkspaceId } from './database/ids.ts'
import { countWhere, deleteWhere, rowsWhere, updateWhere } from './database/rows.ts'
import type { Db, Tables, Tx } from './database/schema.ts'
import { AppError } from './http/errors.ts'

const ID_BYTES = 16

/** A workspace in which a person is, as a call needs it */
export type Membership = {
  workspaceId: WorkspaceId
  role: Role
  /**
   * Whether the workspace demands a second step that the person does not have. A passkey is none: a password or a
   * mailed link opens the account too.
   */
  lacksSecondStep: boolean
}

/** Makes a workspace of a person. `isOwn` says that it is the one that each person has. @returns its id */
export async function addWorkspace(
  tx: Tx,
  { ownerId, isOwn, name = null }: { ownerId: PersonId; isOwn: boolean; name?: string | null },
  now: Date,
): Promise<WorkspaceId> {
  const id = randomBytes(ID_BYTES).toString('hex') as WorkspaceId
  const at = now.getTime()
  const contact = { shown_name: null, shown_contact: null }
  const own = { id, owner_id: ownerId, is_own: isOwn ? 1 : 0, name, ...contact, made_at: at }
  await tx.insertInto('workspaces').values(own).execute()
  await addMember(tx, { workspaceId: id, personId: ownerId, role: 'owner' }, now)
  return id
}

type Member = { workspaceId: WorkspaceId; personId: PersonId; role: Role }

/** Adds a member, or gives one another role. */
export async function addMember(tx: Tx, { workspaceId, personId, role }: Member, now: Date) {
  const key = { workspace_id: workspaceId, person_id: personId }
  await tx
    .insertInto('members')
    .values({ ...key, role, since: now.getTime() })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'person_id']).doUpdateSet({ role }))
    .execute()
}

/** Workspaces that a person can be in, with their own */
const WORKSPACES_MAX = 100

/** @throws AppError workspaces_full */
export async function refuseInTooMany(tx: Tx, personId: PersonId) {
  const count = await countWhere(tx, 'members', { person_id: personId })
  if (count >= WORKSPACES_MAX) throw new AppError('workspaces_full')
}

/** Leaves the owner alone in a workspace: all others go, also those who are invited. */
export async function removeOthers(tx: Tx, workspaceId: WorkspaceId, ownerId: PersonId) {
  const all = { workspace_id: workspaceId }
  await deleteWhere(tx, 'members', all).where('person_id', '!=', ownerId).execute()
  await deleteWhere(tx, 'invitations', all).execute()
}

/** The workspace that a person has from the first day. @throws AppError unauthorized without an account */
export async function ownWorkspaceOf(db: Db, personId: PersonId): Promise<WorkspaceId> {
  const own = rowsWhere(db, 'workspaces', { owner_id: personId, is_own: 1 })
  const row = await own.executeTakeFirst()
  if (!row) throw new AppError('unauthorized')
  return row.id
}

/** The workspace as an address has to name it: undefined for the person's own, which opens by itself */
export async function unlessOwn(
  db: Db,
  { personId, workspaceId }: { personId: PersonId; workspaceId: WorkspaceId },
): Promise<WorkspaceId | undefined> {
  const own = rowsWhere(db, 'workspaces', { id: workspaceId, owner_id: personId, is_own: 1 })
  return (await own.executeTakeFirst()) ? undefined : workspaceId
}

/** An address of ours that opens in this workspace */
export function openedIn(url: string, workspaceId: WorkspaceId | undefined): string {
  if (!workspaceId) return url
  return `${url}${url.includes('?') ? '&' : '?'}workspace=${workspaceId}`
}

/** All workspaces that a person owns */
export async function workspacesOwnedBy(db: Db, personId: PersonId): Promise<WorkspaceId[]> {
  const rows = await rowsWhere(db, 'workspaces', { owner_id: personId }).execute()
  return rows.map(({ id }) => id)
}

/** A workspace that was never named is called by its owner. */
const shownName = (row: { name: string | null; owner: string }) =>
  row.name ?? `${row.owner}’s workspace`

/** The workspaces in which a person is, with their plans, the person's own first */
export async function workspacesOf(db: Db, personId: PersonId): Promise<WorkspaceEntry[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .innerJoin('users', 'users.id', 'workspaces.owner_id')
    .leftJoin('subscriptions', 'subscriptions.workspace_id', 'workspaces.id')
    .select(['workspaces.id', 'workspaces.name', 'users.name as owner', 'role', 'is_own'])
    .select(['tier', 'status'])
    .where('person_id', '=', personId)
    .orderBy('since')
    .execute()
  return rows
    .map(({ id, name, owner, role, is_own, tier, status }) => {
      const isOwn = is_own === 1 && role === 'owner'
      const subscriptionTier = tierNow(tier && status ? { tier: tier as Tier, status } : undefined)
      return { id, name: shownName({ name, owner }), role, isOwn, subscriptionTier }
    })
    .sort((one, other) => Number(other.isOwn) - Number(one.isOwn))
}

/** The name of a workspace as people see it */
export async function nameOf(db: Db, id: WorkspaceId): Promise<string> {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('users', 'users.id', 'workspaces.owner_id')
    .select(['workspaces.name', 'users.name as owner'])
    .where('workspaces.id', '=', id)
    .executeTakeFirst()
  return row ? shownName(row) : ''
}

/** @throws AppError unauthorized if the workspace is gone */
export async function ownerOf(db: Db, workspaceId: WorkspaceId): Promise<PersonId> {
  const owner = (await ownersOf(db, [workspaceId])).get(workspaceId)
  if (!owner) throw new AppError('unauthorized')
  return owner
}

/** The owners of workspaces, without those of workspaces that are gone */
export async function ownersOf(db: Db, ids: WorkspaceId[]): Promise<Map<WorkspaceId, PersonId>> {
  if (ids.length === 0) return new Map()
  const all = db.selectFrom('workspaces').select(['id', 'owner_id']).where('id', 'in', ids)
  return new Map((await all.execute()).map(({ id, owner_id }) => [id, owner_id]))
}

/** The deletion of a workspace, alone or with its owner's account; undefined if neither was asked for */
export async function deletionOf(db: Db, workspaceId: WorkspaceId) {
  const owner = rowsWhere(db, 'workspaces', { id: workspaceId }).clearSelect().select('owner_id')
  return db
    .selectFrom('deletions')
    .select(['due_at', 'user_id'])
    .where(({ or, eb }) => or([eb('workspace_id', '=', workspaceId), eb('user_id', '=', owner)]))
    .orderBy('due_at')
    .executeTakeFirst()
}

export async function changeWorkspace(
  db: Db,
  id: WorkspaceId,
  change: UpdateObject<Tables, 'workspaces'>,
) {
  await updateWhere(db, 'workspaces', { id }).set(change).execute()
}

/** The contact texts of workspaces for their paused and expired codes */
export async function contactsOf(db: Db, ids: WorkspaceId[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'shown_name as name', 'shown_contact as contact'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...contact }) => [id, contact]))
}

type Step = { role: Role; demands_second_step: number; confirmed_at: number | null }

/** Whether a member lacks the second step that the workspace demands of all but its owner. */
export const lacksStep = ({ role, demands_second_step, confirmed_at }: Step) =>
  role !== 'owner' && demands_second_step === 1 && confirmed_at === null

/** A person's place in a workspace, or in the one of an object; undefined if they have none there */
export async function membershipIn(
  db: Db,
  personId: PersonId,
  where: { workspaceId: WorkspaceId } | { object: ObjectTable; id: string },
): Promise<Membership | undefined> {
  // No id has a NUL, and PostgreSQL refuses to look for one.
  if (('id' in where ? where.id : where.workspaceId).includes('\0')) return undefined
  const memberships = db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .leftJoin('second_factors', 'user_id', 'person_id')
    .select(['workspace_id as workspaceId', 'role', 'demands_second_step', 'confirmed_at'])
    .where('person_id', '=', personId)
  const found =
    'workspaceId' in where
      ? memberships.where('workspace_id', '=', where.workspaceId)
      : memberships.where('workspace_id', '=', workspaceWith(db, where.object, where.id))
  const row = await found.executeTakeFirst()
  if (!row) return undefined
  const { workspaceId, role } = row
  return { workspaceId, role, lacksSecondStep: lacksStep(row) }
}

/** The tables of what the `:id` of a path names, by the path up to it. Others name nothing, or what the person owns. */
const objectsByPath = {
  '/api/qr-codes': 'codes',
  '/api/analytics/qr-code': 'codes',
  '/api/analytics/shares': 'shares',
  '/api/looks': 'looks',
  '/api/tags': 'tags',
  '/api/imports': 'imports',
  '/api/webhooks': 'webhook_endpoints',
  '/api/domains': 'domains',
  '/api/account/keys': 'api_keys',
  '/api/account/apps': 'connected_apps',
  '/api/workspace/invitations': 'invitations',
  '/api/checkout': 'checkouts',
} as const
type ObjectTable = (typeof objectsByPath)[keyof typeof objectsByPath]

export const objectAt = (path: string): ObjectTable | undefined =>
  (objectsByPath as Record<string, ObjectTable>)[path]

function workspaceWith(db: Db, table: ObjectTable, id: string) {
  const found = rowsWhere(db, table as 'codes', { id })
    .clearSelect()
    .select('workspace_id')
  if (table !== 'checkouts') return found
  // The sandbox's pages have the ids of its sessions and customers.
  const session = db.selectFrom('sandbox_sessions').select('customer_id').where('id', '=', id)
  const payers = db.selectFrom('sandbox_customers').select('workspace_id')
  return found.union(payers.where((row) => row.or([row('id', '=', id), row('id', 'in', session)])))
}
