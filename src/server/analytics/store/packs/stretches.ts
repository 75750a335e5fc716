import { sql } from 'kysely'
import type { Db } from '../../../database/schema.ts'
import { idFrom } from '../ledger/scan-ids.ts'
import { addRow, ledgerScans, ScansByDay } from './ledger-scans.ts'
import { type NewPack, PART_ENOUGH, packOf } from './packs-store.ts'

/** The ledger from one instant up to but not including another, in epoch milliseconds. */
export type Stretch = { from: number; to: number }

/** All scans of a stretch in packs; `scans` counts them with those of purged codes, which are in none. */
export async function packsOf(
  db: Db,
  stretch: Stretch,
): Promise<{ scans: number; packs: NewPack[] }> {
  const days = new ScansByDay()
  const packs: NewPack[] = []
  for await (const rows of ledgerScans(db, idsOf(stretch))) {
    for (const row of rows) addRow(days, row)
    packs.push(...days.take(PART_ENOUGH).map(packOf))
  }
  packs.push(...days.take().map(packOf))
  return { scans: await countScans(db, stretch), packs }
}

export async function countScans(db: Db, stretch: Stretch): Promise<number> {
  const { from, to } = idsOf(stretch)
  const { rows } = await sql<{ scans: number }>`
    select count(*) as scans from scans where id >= ${from} and id < ${to}`.execute(db)
  return Number(rows[0]?.scans)
}

const idsOf = ({ from, to }: Stretch) => ({ from: idFrom(from), to: idFrom(to) })
