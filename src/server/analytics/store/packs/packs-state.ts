import { sql } from 'kysely'
import type { Engine } from '../../../database/connect.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { markOf } from '../ledger/marks.ts'

/** In ledger_marks. Its `at` is `until`, its `place` is `changes`. */
const PACKED = 'packed'
/** In ledger_marks. Its `at` is a UTC day: each account's parts of earlier days are joined. */
export const JOINED = 'joined-packs'

/**
 * Invariant: the packs have each scan of the ledger before the instant `until`, in epoch milliseconds,
 * once, and none since. `changes` counts who rewrote packs, and who changed or deleted rows of the ledger.
 *
 * Who adds a scan from before `until` to the ledger adds it to the packs in the same transaction. So he
 * asks `until` in that transaction, and on PostgreSQL after `shareTotals` (ledger/totals.ts), which
 * keeps it where it is until he is done.
 */
export type PacksState = { until: number; changes: number }

/** No row means 0. */
export const askPackedUntil = `select at from ledger_marks where name = '${PACKED}'`

/** Parts of this UTC day, or later ones, may have to be joined again: the two parameters are that day. */
export const leaveJoined: Record<Engine, string> = {
  sqlite: `update ledger_marks set at = ? where name = '${JOINED}' and at > ?`,
  postgres: `update ledger_marks set at = $1 where name = '${JOINED}' and at > $2`,
}

export async function packsState(db: Db): Promise<PacksState> {
  const mark = await markOf(db, PACKED)
  return { until: mark?.at ?? 0, changes: Number(mark?.place ?? 0) }
}

export async function joinAgainFrom(tx: Tx, day: number): Promise<void> {
  const mark = tx.updateTable('ledger_marks').set({ at: day }).where('name', '=', JOINED)
  await mark.where('at', '>', day).execute()
}

/** Somebody changed what this work has read. It can be done again from its beginning. */
export class PacksChanged extends Error {}

/** Returns false, and has done nothing, where that was so. */
export async function unlessChanged(transaction: () => Promise<void>): Promise<boolean> {
  try {
    await transaction()
    return true
  } catch (error) {
    if (error instanceof PacksChanged) return false
    throw error
  }
}

/**
 * Moves the state on from what the work in hand was read at, and so keeps all other such work out until
 * the transaction ends. Returns the version for parts that it writes. Call it before all other
 * statements on packs.
 * @throws PacksChanged
 */
export async function claimPacks(tx: Tx, from: PacksState, until = from.until): Promise<number> {
  await tx
    .insertInto('ledger_marks')
    .values({ name: PACKED, at: 0, place: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const version = from.changes + 1
  const { numUpdatedRows } = await tx
    .updateTable('ledger_marks')
    .set({ at: until, place: String(version) })
    .where('name', '=', PACKED)
    .where('at', '=', from.until)
    .where('place', '=', String(from.changes))
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== 1) throw new PacksChanged()
  return version
}

/** Who changes or deletes rows of the ledger calls it in his transaction: no pack is made of what they were. */
export async function noteLedgerChange(tx: Tx): Promise<void> {
  await sql`insert into ledger_marks (name, at, place) values (${PACKED}, 0, '1')
    on conflict (name) do update
    set place = cast(cast(ledger_marks.place as integer) + 1 as text)`.execute(tx)
}
