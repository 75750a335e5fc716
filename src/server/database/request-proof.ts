import { AsyncLocalStorage } from 'node:async_hooks'
import { type Actor, checkProof } from '../actor.ts'
import type { Db, Tx } from './schema.ts'

const actors = new AsyncLocalStorage<Actor | undefined>()

/** Runs a request's handler. Each transaction that it begins holds the actor's proof first. */
export const actBy = <T>(actor: Actor | undefined, act: () => T): T => actors.run(actor, act)

/** Runs work that goes on after the request that began it, without its proof, which may end before. */
export const actAlone = <T>(work: () => T): T => actors.run(undefined, work)

/** For work that no transaction can hold, such as a call to another server. @throws as `checkProof` */
export async function askProof(db: Db): Promise<void> {
  const actor = actors.getStore()
  if (actor) await checkProof(db, actor)
}

/** As `askProof`, and locks the account, so that the proof ends before or after the transaction. */
export async function holdProof(tx: Tx): Promise<void> {
  const actor = actors.getStore()
  if (!actor) return
  await tx
    .updateTable('users')
    .set((row) => ({ must_verify: row.ref('must_verify') }))
    .where('id', '=', actor.personId)
    .execute()
  await checkProof(tx, actor)
}
