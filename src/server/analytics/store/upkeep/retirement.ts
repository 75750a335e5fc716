import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { claimPacks, packsState, unlessChanged } from '../packs/packs-state.ts'
import type { PacksDatabase } from '../packs/packs-store.ts'

/** Parts that go in one step */
const PARTS = 100

export async function hasPacksBefore(db: Db, day: number): Promise<boolean> {
  const old = db.selectFrom('scan_packs').select('day').where('day', '<', day).limit(1)
  return (await old.executeTakeFirst()) !== undefined
}

/** Removes some parts of UTC days before this one. */
export async function removePacksBefore(
  { db, reads }: PacksDatabase,
  before: number,
): Promise<void> {
  const state = await packsState(reads)
  const old = await reads
    .selectFrom('scan_packs')
    .select(['user_id', 'day', 'part'])
    .where('day', '<', before)
    .limit(PARTS)
    .execute()
  await unlessChanged(() =>
    transact(db, async (tx) => {
      await claimPacks(tx, state)
      for (const { user_id, day, part } of old) {
        await tx
          .deleteFrom('scan_packs')
          .where((row) => row.and({ user_id, day, part }))
          .execute()
      }
    }),
  )
}
