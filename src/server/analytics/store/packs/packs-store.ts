import type { Database } from '../../../database/connect.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import type { DayScans } from './ledger-scans.ts'
import { decode, encode, type PackedScans } from './pack.ts'
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
  ...{ user_id: userId, day, part, rows: scans.size, data: encode(scans) },
})

/** @param version what `claimPacks` answered */
export async function addPacks(tx: Tx, packs: NewPack[], version: number): Promise<void> {
  for (let start = 0; start < packs.length; start += ROWS) {
    const rows = packs.slice(start, start + ROWS).map((pack) => ({ ...pack, version }))
    await tx.insertInto('scan_packs').values(rows).execute()
  }
}

/** Removes parts of an account's day. */
export async function removePacks(
  tx: Tx,
  userId: string,
  day: number,
  parts: string[],
): Promise<void> {
  for (let start = 0; start < parts.length; start += ROWS) {
    await tx
      .deleteFrom('scan_packs')
      .where('user_id', '=', userId)
      .where('day', '=', day)
      .where('part', 'in', parts.slice(start, start + ROWS))
      .execute()
  }
}

/** The scans of some parts of an account's day. */
export async function scansOfParts(
  db: Db,
  userId: string,
  day: number,
  parts: string[],
): Promise<PackedScans[]> {
  const packs: PackedScans[] = []
  for (let start = 0; start < parts.length; start += ROWS) {
    const rows = await db
      .selectFrom('scan_packs')
      .select('data')
      .where('user_id', '=', userId)
      .where('day', '=', day)
      .where('part', 'in', parts.slice(start, start + ROWS))
      .execute()
    for (const { data } of rows) packs.push(decode(data))
  }
  return packs
}
