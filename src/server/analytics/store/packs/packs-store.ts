import { batchesOf } from '../../../batches.ts'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import { changesRow, transact } from '../../../database/transact.ts'
import { JOINED, markOf, PACKED } from '../ledger/marks.ts'
import { whileFoldingWaits } from '../ledger/totals.ts'
import { type DayScans, encode } from './pack.ts'
import { sumsOf } from './sums.ts'

/** The handles for work on packs: one writes, and one reads beside it. */
export type PacksDatabase = Pick<Database, 'db' | 'reads' | 'location'>

/** A part of this number of scans stays as it is, so a part never has more than twice as many. */
export const PART_ENOUGH = 50_000
/** Rows of one statement, below the limits of both engines */
const ROWS = 500

export type PackRow = Tables['scan_packs']
/** A part that is to be written. */
export type NewPack = Omit<PackRow, 'version'>

export const packOf = (day: DayScans): NewPack => ({ ...barePackOf(day), ...sumsOf(day.scans) })

/** A part without sums: its scans are to be read each time. */
export const barePackOf = ({ workspaceId, day, part, scans }: DayScans) => ({
  workspace_id: workspaceId,
  day,
  part,
  rows: scans.size,
  data: encode(scans),
})

/**
 * Invariant: the packs have each scan of the ledger before the instant `until`, in epoch milliseconds,
 * once, and none since. `changes` counts the transactions that rewrote packs, or changed or deleted rows
 * of the ledger.
 *
 * A transaction that adds a scan from before `until` to the ledger adds it to the packs too. So it reads
 * `until` itself, and on PostgreSQL after `shareTotals` (ledger/totals.ts), which keeps `until` where it is
 * to the transaction's end.
 */
export type PacksState = { until: number; changes: number }

export async function packsState(db: Db): Promise<PacksState> {
  const mark = await markOf(db, PACKED)
  return { until: mark?.at ?? 0, changes: Number(mark?.place ?? 0) }
}

export async function joinAgainFrom(tx: Tx, day: number): Promise<void> {
  const mark = tx.updateTable('ledger_marks').set({ at: day }).where('name', '=', JOINED)
  await mark.where('at', '>', day).execute()
}

/** Another transaction changed what this work has read. It can be done again from its beginning. */
export class PacksChanged extends Error {}

/**
 * Changes packs in one transaction, unless they or the ledger have changed since `state` was read: then it
 * does nothing and returns false. Until the transaction ends, no other such work goes on.
 * @param work gets the version for the parts that it writes; it may throw PacksChanged
 * @param options.until how far the packs reach then
 * @param options.mayFold whether other processes may add scans at the same time
 */
export async function changePacks(
  database: PacksDatabase,
  state: PacksState,
  work: (tx: Tx, version: number) => Promise<void>,
  { until = state.until, mayFold = false } = {},
): Promise<boolean> {
  const change = async (tx: Tx) => work(tx, await claimPacks(tx, state, until))
  try {
    await (mayFold ? transact(database.db, change) : whileFoldingWaits(database, change))
    return true
  } catch (error) {
    if (error instanceof PacksChanged) return false
    throw error
  }
}

/** Comes before all other statements on packs. @throws PacksChanged */
async function claimPacks(tx: Tx, from: PacksState, until: number): Promise<number> {
  await tx
    .insertInto('ledger_marks')
    .values({ name: PACKED, at: 0, place: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const version = from.changes + 1
  const isMoved = await changesRow(
    tx
      .updateTable('ledger_marks')
      .set({ at: until, place: String(version) })
      .where('name', '=', PACKED)
      .where('at', '=', from.until)
      .where('place', '=', String(from.changes)),
  )
  if (!isMoved) throw new PacksChanged()
  return version
}

/** @param version the one that `changePacks` gives */
export async function addPacks(tx: Tx, packs: NewPack[], version: number): Promise<void> {
  for (const some of batchesOf(packs, ROWS)) {
    const rows = some.map((pack) => ({ ...pack, version }))
    await tx.insertInto('scan_packs').values(rows).execute()
  }
}

/** For the work of `changePacks`. */
export async function removePacks(tx: Tx, parts: Pick<PackRow, 'workspace_id' | 'day' | 'part'>[]) {
  for (const { workspace_id, day, part } of parts) {
    const row = tx.deleteFrom('scan_packs').where('workspace_id', '=', workspace_id)
    await row.where('day', '=', day).where('part', '=', part).execute()
  }
}
