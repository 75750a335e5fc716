import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { PersonId, WorkspaceId } from './database/ids.ts'
import type { Db } from './database/schema.ts'
import { AppError } from './http/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the `requireUser` hook; null on routes without it. */
    actor: Actor
  }
}

/** The origin of an action. The address is shortened. */
export type Origin = { address: string | null; device: string | null }

/** The session of a browser */
type SessionProof = { kind: 'session'; id: string; signedInAt: Date; provedAt: Date | null }
/** The key of a program, or a connected app */
type ProgramProof = { kind: 'key' | 'app'; id: string; name: string; scope: KeyScope }

/** Who acts, for which workspace, by which right, and from where. */
export type Actor = {
  personId: PersonId
  workspaceId: WorkspaceId
  role: 'owner'
  /** It lasts as long as its row. Null in the live demo, where nothing can be changed. */
  proof: SessionProof | ProgramProof | null
  origin: Origin
}

type Caller = { actor: Pick<Actor, 'proof'> | null }

/** The session of the browser that calls; undefined for others. */
export function sessionOf({ actor }: Caller): SessionProof | undefined {
  return actor?.proof?.kind === 'session' ? actor.proof : undefined
}

/** The key or the app of the program that calls; undefined for others. */
export function programOf({ actor }: Caller): ProgramProof | undefined {
  return actor?.proof && actor.proof.kind !== 'session' ? actor.proof : undefined
}

const TABLES = { session: 'sessions', key: 'api_keys', app: 'connected_apps' } as const

/** @throws AppError unauthorized or key_invalid if what the actor acts by has ended */
export async function checkProof(db: Db, { proof }: Pick<Actor, 'proof'>): Promise<void> {
  if (!proof) throw new AppError('demo_read_only')
  const rows = db.selectFrom(TABLES[proof.kind] as 'api_keys').select('id')
  if (await rows.where('id', '=', proof.id).executeTakeFirst()) return
  throw new AppError(proof.kind === 'session' ? 'unauthorized' : 'key_invalid')
}
