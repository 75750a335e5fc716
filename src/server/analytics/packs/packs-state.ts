import { sql } from 'kysely'
import type { Db, Tx } from '../../database/schema.ts'
import { markOf } from '../ledger/marks.ts'

/** In ledger_marks. Its `at` is `until`, its `place` is `changes`. */
export const PACKED = 'packed'

/**
 * Invariant: the packs have each scan of the ledger before the instant `until`, in epoch milliseconds,
 * once, and none since. `changes` counts who rewrote packs, and who changed or deleted rows of the ledger.
 */
export type PacksState = { until: number; changes: number }

export async function packsState(db: Db): Promise<PacksState> {
  const mark = await markOf(db, PACKED)
  return { until: mark?.at ?? 0, changes: Number(mark?.place ?? 0) }
}

/** Somebody changed what this work has read. It can be done again from its beginning. */
export class PacksChanged extends Error {}

/**
 * Moves the state on from what the work in hand was read at, and so keeps all other such work out until
 * the transaction ends. Call it first in the transaction.
 * @throws PacksChanged
 */
export async function claimPacks(tx: Tx, from: PacksState, until = from.until): Promise<number> {
  await tx
    .insertInto('ledger_marks')
    .values({ name: PACKED, at: 0, place: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const changes = from.changes + 1
  const { numUpdatedRows } = await tx
    .updateTable('ledger_marks')
    .set({ at: until, place: String(changes) })
    .where('name', '=', PACKED)
    .where('at', '=', from.until)
    .where('place', '=', String(from.changes))
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== 1) throw new PacksChanged()
  return changes
}

/** Who changes or deletes rows of the ledger calls it in his transaction: no pack is made of what they were. */
export async function noteLedgerChange(tx: Tx): Promise<void> {
  await sql`insert into ledger_marks (name, at, place) values (${PACKED}, 0, '1')
    on conflict (name) do update
    set place = cast(cast(ledger_marks.place as integer) + 1 as text)`.execute(tx)
}
