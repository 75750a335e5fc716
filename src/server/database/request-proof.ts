import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './schema.ts'

/** The session, key or connected app by which a request acts for its account. */
export type Proof = {
  /** @throws AppError unauthorized or key_invalid if it has ended */
  ask: () => Promise<void>
  /** As `ask`, and locks the account, so that the proof ends before or after the transaction. */
  hold: (tx: Tx) => Promise<void>
}

const proofs = new AsyncLocalStorage<Proof | undefined>()

/** Runs a request's handler. Each transaction that it begins holds the proof first. */
export const actBy = <T>(proof: Proof | undefined, act: () => T): T => proofs.run(proof, act)

/** Runs work that goes on after the request that began it, without its proof, which may end before. */
export const actAlone = <T>(work: () => T): T => proofs.run(undefined, work)

/** For work that no transaction can hold, such as a call to another server. @throws as `Proof.ask` */
export const askProof = async () => proofs.getStore()?.ask()

export const holdProof = async (tx: Tx) => proofs.getStore()?.hold(tx)
