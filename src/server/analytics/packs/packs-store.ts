import type { Database } from '../../database/connect.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import type { DayScans } from './ledger-scans.ts'
import { decode, encode, type PackedScans } from './pack.ts'

/** What work on packs needs: a handle that writes, and one that reads beside it. */
export type PacksDatabase = Pick<Database, 'db' | 'reads' | 'location'>

/** Rows of one statement, below the limits of both engines */
const ROWS = 500

export type PackRow = Tables['scan_packs']
export type PackKey = Pick<PackRow, 'user_id' | 'day' | 'part'>

export const packRow = ({ userId, day, part, scans }: DayScans, version: number): PackRow => ({
  ...{ user_id: userId, day, part, version, rows: scans.size, data: encode(scans) },
})

export async function addPacks(tx: Tx, rows: PackRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) {
    await tx
      .insertInto('scan_packs')
      .values(rows.slice(start, start + ROWS))
      .execute()
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
