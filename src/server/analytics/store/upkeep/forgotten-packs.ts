import type { Db, Tx } from '../../../database/schema.ts'
import { markOf, setMark } from '../ledger/marks.ts'
import { whileFoldingWaits } from '../ledger/totals.ts'
import { decode, without } from '../packs/pack.ts'
import { claimPacks, packsState, unlessChanged } from '../packs/packs-state.ts'
import {
  type NewPack,
  type PackRow,
  type PacksDatabase,
  packOf,
  removePacks,
  replacePacks,
} from '../packs/packs-store.ts'

/** In ledger_marks: its `place` is the last part of the account that the walk has passed. */
const WALK = 'forget-packs'
/** Parts that one step looks at, and parts that it removes unseen */
const PARTS_READ = 5
const PARTS_REMOVED = 50

/** Removes scans of purged codes from some of their account's packs. Returns whether there is more to do. */
export async function forgetPacksStep(database: PacksDatabase): Promise<boolean> {
  const { reads } = database
  const walked = await reads
    .selectFrom('forgotten_codes')
    .select(['code_id', 'user_id'])
    .where('begun', '=', 3)
    .execute()
  const userId = walked[0]?.user_id
  if (typeof userId !== 'string') return beginWalk(database)
  const codes = new Set<string | null>(walked.map(({ code_id }) => code_id))
  const state = await packsState(reads)
  const seen = await nextParts(reads, userId)
  const last = seen.at(-1)
  const gone: PackRow[] = []
  const added: NewPack[] = []
  for (const row of seen) {
    const scans = without(decode(row.data), codes)
    if (!scans) continue
    gone.push(row)
    if (scans.size > 0) added.push(packOf({ userId, day: row.day, part: row.part, scans }))
  }
  const also = async (tx: Tx) => {
    if (!last) await tx.deleteFrom('forgotten_codes').where('begun', '=', 3).execute()
    await setMark(tx, WALK, last?.day ?? 0, last?.part ?? '')
  }
  await replacePacks(database, state, { gone, added, also })
  return true
}

/**
 * Removes all packs of an account whose codes are purged, and its name from what is noted of them. It can
 * be repeated. When it has ended, no process writes packs of the account any more: the claim stops those
 * that have read the ledger before, and while folding waits no late scan is on its way.
 */
export async function forgetAccount(database: PacksDatabase, userId: string): Promise<void> {
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const state = await packsState(database.db)
    const remove = async (tx: Tx) => {
      await claimPacks(tx, state)
      const parts = await tx
        .selectFrom('scan_packs')
        .select(['user_id', 'day', 'part'])
        .where('user_id', '=', userId)
        .limit(PARTS_REMOVED)
        .execute()
      left = parts.length
      await removePacks(tx, parts)
    }
    await unlessChanged(() => whileFoldingWaits(database, remove))
  }
  const noted = () => database.db.updateTable('forgotten_codes').where('user_id', '=', userId)
  // From the packs they are gone. Where they are still in the ledger, that walk forgets them.
  await noted().set({ begun: 1, user_id: null }).where('begun', '>=', 1).execute()
  await noted().set({ user_id: null }).execute()
}

/** Whether purged codes may still have scans in packs. */
export async function hasPacksToForget(db: Db): Promise<boolean> {
  const due = db.selectFrom('forgotten_codes').select('code_id').where('begun', '>=', 2).limit(1)
  return (await due.executeTakeFirst()) !== undefined
}

/**
 * From here on no process writes packs with these codes: the claim stops those that have read the ledger
 * before they were purged, and while folding waits no late scan of them is on its way.
 */
async function beginWalk(database: PacksDatabase): Promise<boolean> {
  const state = await packsState(database.reads)
  const next = await database.reads
    .selectFrom('forgotten_codes')
    .select('user_id')
    .where('begun', '=', 2)
    .where('user_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!next) return false
  const begin = async (tx: Tx) => {
    await claimPacks(tx, state)
    const due = tx.updateTable('forgotten_codes').set({ begun: 3 }).where('begun', '=', 2)
    await due.where('user_id', '=', next.user_id).execute()
    await setMark(tx, WALK, 0)
  }
  await unlessChanged(() => whileFoldingWaits(database, begin))
  return true
}

/** The account's parts behind the walk's place. */
async function nextParts(db: Db, userId: string): Promise<PackRow[]> {
  const { at: day, place } = (await markOf(db, WALK)) ?? { at: 0, place: '' }
  return db
    .selectFrom('scan_packs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('day', '>=', day)
    .where((row) => row.or([row('day', '>', day), row('part', '>', place)]))
    .orderBy('day')
    .orderBy('part')
    .limit(PARTS_READ)
    .execute()
}
