import type { Database } from '../../../database/connect.ts'
import type { Tables, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import type { DayScans } from './ledger-scans.ts'
import { encode } from './pack.ts'
import { claimPacks, type PacksState, unlessChanged } from './packs-state.ts'
import { sumsOf } from './sums.ts'

/** What work on packs needs: a handle that writes, and one that reads beside it. */
export type PacksDatabase = Pick<Database, 'db' | 'reads' | 'location'>

/** A part of so many scans stays as it is, so a part never has more than twice as many. */
export const PART_ENOUGH = 50_000
/** Rows of one statement, below the limits of both engines */
const ROWS = 500

export type PackRow = Tables['scan_packs']
/** A part that is to be written. */
export type NewPack = Omit<PackRow, 'version'>

export const packOf = (day: DayScans): NewPack => ({ ...barePackOf(day), ...sumsOf(day.scans) })

/** A part without sums: its scans are to be read each time. */
export const barePackOf = ({ userId, day, part, scans }: DayScans) => ({
  user_id: userId,
  day,
  part,
  rows: scans.size,
  data: encode(scans),
})

/** @param version what `claimPacks` answered */
export async function addPacks(tx: Tx, packs: NewPack[], version: number): Promise<void> {
  for (let start = 0; start < packs.length; start += ROWS) {
    const rows = packs.slice(start, start + ROWS).map((pack) => ({ ...pack, version }))
    await tx.insertInto('scan_packs').values(rows).execute()
  }
}

type PartKey = Pick<PackRow, 'user_id' | 'day' | 'part'>

type Replacement = {
  gone: PartKey[]
  added?: NewPack[]
  /** What else belongs into the transaction */
  also?: (tx: Tx) => Promise<void>
}

/** Writes parts in place of others, unless packs have changed since `state`: then it does nothing. */
export async function replacePacks(
  { db }: PacksDatabase,
  state: PacksState,
  { gone, added = [], also }: Replacement,
): Promise<void> {
  await unlessChanged(() =>
    transact(db, async (tx) => {
      const version = await claimPacks(tx, state)
      await removePacks(tx, gone)
      await addPacks(tx, added, version)
      await also?.(tx)
    }),
  )
}

/** Call `claimPacks` before it. */
export async function removePacks(tx: Tx, parts: PartKey[]): Promise<void> {
  for (const { user_id, day, part } of parts) {
    const row = tx.deleteFrom('scan_packs').where('user_id', '=', user_id)
    await row.where('day', '=', day).where('part', '=', part).execute()
  }
}
