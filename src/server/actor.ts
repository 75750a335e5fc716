import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { type PersonId, personOf, type WorkspaceId, workspaceOf } from './database/ids.ts'
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

/** A person who acts for a workspace, the right by which they do, and from where. */
export type Actor = {
  personId: PersonId
  workspaceId: WorkspaceId
  role: 'owner'
  /** Null in the live demo, where nothing can be changed. */
  proof: SessionProof | ProgramProof | CheckedProof | null
  origin: Origin
}

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

/** An owner whose right the caller has checked. */
export function checkedActor(
  personId: PersonId,
  origin: Origin = { address: null, device: null },
): Actor {
  const workspaceId = workspaceOf(personId)
  const proof = { kind: 'checked' } as const
  return { personId, workspaceId, role: 'owner', proof, origin }
}

/** The server itself, at work of a workspace. */
export const serverFor = (workspaceId: WorkspaceId, origin?: Origin) =>
  checkedActor(personOf(workspaceId), origin)

/** The tables of proofs, which last as long as their rows */
export const PROOF_TABLES = { session: 'sessions', key: 'api_keys', app: 'connected_apps' } as const

/** @throws AppError unauthorized or key_invalid if the right by which the actor acts has ended */
export async function checkProof(db: Db, { proof }: Pick<Actor, 'proof'>): Promise<void> {
  if (!proof) throw new AppError('demo_read_only')
  if (proof.kind === 'checked') return
  const rows = db.selectFrom(PROOF_TABLES[proof.kind] as 'api_keys').select('id')
  if (await rows.where('id', '=', proof.id).executeTakeFirst()) return
  throw new AppError(proof.kind === 'session' ? 'unauthorized' : 'key_invalid')
}

/**
 * Lets the transactions that begin with it run one after the other for a workspace and its owner, also on
 * PostgreSQL: each reads what the one before it wrote.
 */
export async function lockWorkspace(tx: Tx, id: WorkspaceId | PersonId): Promise<void> {
  await tx
    .updateTable('users')
    .set((row) => ({ must_verify: row.ref('must_verify') }))
    .where('id', '=', id as PersonId)
    .execute()
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
