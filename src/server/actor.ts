import { hasRight, type Right, type Role } from '#contract/accounts/roles.ts'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { NOBODY, type PersonId, type WorkspaceId } from './database/ids.ts'
import { rowsWhere, updateWhere } from './database/rows.ts'
import type { Db, Tx } from './database/schema.ts'
import { transact } from './database/transact.ts'
import { AppError } from './http/errors.ts'
import { type Keeping, makeOnce } from './http/idempotency-record.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the `requireUser` hook; null on routes without it. */
    actor: Actor
  }
}

/** The origin of an action. The address is shortened. */
export type Origin = { address: string | null; device: string | null }

/** The session of a browser. A proof lasts as long as its row. */
type SessionProof = { kind: 'session'; id: string; signedInAt: Date; provedAt: Date | null }
/** The key of a program, or a connected app */
type ProgramProof = { kind: 'key' | 'app'; id: string; name: string; scope: KeyScope }
/** A mailed link or a sign-in, which its own route checks, or a job of the server itself */
type CheckedProof = { kind: 'checked' }

/** A person who acts, the proof by which they do, and from where. */
export type PersonActor = {
  personId: PersonId
  /** Null in the live demo, where nothing can be changed. */
  proof: SessionProof | ProgramProof | CheckedProof | null
  origin: Origin
}

/** A person who acts in a workspace, or NOBODY for the server itself. `right` is what the call asks their role for. */
export type Actor = PersonActor & {
  workspaceId: WorkspaceId
  role: Role
  right: Right | 'person'
}

/** The workspace in which an actor does something; undefined for what is about the person alone */
export const workspaceIn = (actor: PersonActor | Actor): WorkspaceId | undefined =>
  'right' in actor && actor.right !== 'person' ? actor.workspaceId : undefined

type Caller = { actor: Pick<Actor, 'proof'> | null }

/** The session of the browser that calls; undefined for others. */
export function sessionOf({ actor }: Caller): SessionProof | undefined {
  return actor?.proof?.kind === 'session' ? actor.proof : undefined
}

/** The key or the app of the program that calls; undefined for others. */
export function programOf({ actor }: Caller): ProgramProof | undefined {
  const proof = actor?.proof
  return proof?.kind === 'key' || proof?.kind === 'app' ? proof : undefined
}

/** A person whose right the caller has checked. */
export const checkedActor = (
  personId: PersonId,
  origin: Origin = { address: null, device: null },
): PersonActor => ({ personId, proof: { kind: 'checked' }, origin })

/** The server, at work of a workspace: by itself, or of what a person has asked for. */
export const serverFor = (
  workspaceId: WorkspaceId,
  { personId = NOBODY, origin }: { personId?: PersonId | null; origin?: Origin } = {},
): Actor => ({
  ...checkedActor(personId ?? NOBODY, origin),
  workspaceId,
  role: 'owner',
  right: 'own',
})

/** The tables of proofs, which last as long as their rows */
export const PROOF_TABLES = { session: 'sessions', key: 'api_keys', app: 'connected_apps' } as const

/** @throws AppError unauthorized, key_invalid or role_forbids if the right by which the actor acts has ended */
export async function checkProof(db: Db, actor: PersonActor | Actor): Promise<void> {
  const { proof, personId } = actor
  if (!proof) throw new AppError('demo_read_only')
  if (proof.kind === 'checked') return
  const rows = db.selectFrom(PROOF_TABLES[proof.kind] as 'api_keys').select('id')
  if (!(await rows.where('id', '=', proof.id).executeTakeFirst())) {
    throw new AppError(proof.kind === 'session' ? 'unauthorized' : 'key_invalid')
  }
  const workspaceId = workspaceIn(actor)
  if (!workspaceId) return
  const place = { workspace_id: workspaceId, person_id: personId }
  const member = await rowsWhere(db, 'members', place).executeTakeFirst()
  const { right } = actor as Actor
  if (!member || !hasRight(member.role, right as Right)) throw new AppError('role_forbids')
}

/**
 * Lets the transactions that begin with it run one after the other for a workspace, also on PostgreSQL: each reads
 * what the one before it wrote. One that locks a person too does so after it.
 */
export async function lockWorkspace(tx: Tx, id: WorkspaceId): Promise<void> {
  const lock = updateWhere(tx, 'workspaces', { id })
  await lock.set((row) => ({ made_at: row.ref('made_at') })).execute()
}

/** Locks several of them in one order, so that no two transactions wait for each other. */
export async function lockWorkspaces(tx: Tx, ids: WorkspaceId[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) await lockWorkspace(tx, id)
}

/** The same for what is a person's own */
export async function lockPerson(tx: Tx, id: PersonId): Promise<void> {
  const lock = updateWhere(tx, 'users', { id })
  await lock.set((row) => ({ must_verify: row.ref('must_verify') })).execute()
}

/**
 * Changes what an actor works on, in a transaction under its lock. Their proof ends before it or after it.
 * @param actor undefined for a job that is about no workspace
 * @throws as `checkProof`
 */
export function transactAs<T>(db: Db, actor: Actor | undefined, work: (tx: Tx) => Promise<T>) {
  return transact(db, async (tx) => {
    if (actor) await lockWorkspace(tx, actor.workspaceId)
    if (actor) await checkProof(tx, actor)
    return work(tx)
  })
}

/** As `transactAs`, for a call that makes something: a repeated one returns what it has made. @throws as `makeOnce` */
export const makeAs = <Made>(
  db: Db,
  actor: Actor,
  make: (tx: Tx) => Promise<Made>,
  keeping?: Keeping<Made>,
) => transactAs(db, actor, (tx) => makeOnce(tx, () => make(tx), keeping))
