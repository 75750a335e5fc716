import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { markOf, setMark } from '../ledger/marks.ts'
import { decode, without } from '../packs/pack.ts'
import { claimPacks, type PacksState, packsState, unlessChanged } from '../packs/packs-state.ts'
import {
  addPacks,
  type NewPack,
  type PackRow,
  type PacksDatabase,
  packOf,
  removePacks,
} from '../packs/packs-store.ts'
import { whileNobodyFolds } from './totals-filling.ts'

/** In ledger_marks: its `place` is the last part of the account that the walk has passed. */
const WALK = 'forget-packs'
/** Parts, and about so many scans, that one step looks at. */
const PARTS = 50
const ROWS = 100_000

/** Whose packs a walk goes through, and which codes it removes. */
type Walk = { userId: string; codes: Set<string | null> }

/** Removes scans of purged codes from some of their account's packs; answers whether there is more to do. */
export async function forgetPacksStep(database: PacksDatabase): Promise<boolean> {
  const { reads } = database
  const walk = await walkOf(reads)
  if (!walk) return beginWalk(database)
  const state = await packsState(reads)
  const seen = await nextParts(reads, walk.userId)
  const isLast = seen.length === 0
  const gone: PackRow[] = []
  const left: NewPack[] = []
  for (const row of seen) {
    const scans = without(decode(row.data), walk.codes)
    if (!scans) continue
    gone.push(row)
    const { day, part } = row
    if (scans.size > 0) left.push(packOf({ userId: walk.userId, day, part, scans }))
  }
  await unlessChanged(() =>
    transact(database.db, async (tx) => {
      const version = await claimPacks(tx, state)
      for (const { day, part } of gone) await removePacks(tx, walk.userId, day, [part])
      await addPacks(tx, left, version)
      if (isLast) await tx.deleteFrom('forgotten_codes').where('begun', '=', 3).execute()
      const last = seen.at(-1)
      await setMark(tx, WALK, last?.day ?? 0, last?.part ?? '')
    }),
  )
  return true
}

/**
 * Removes all packs of an account whose codes are purged, and its name from what is noted of them. It can
 * be repeated. When it has ended, nobody writes packs of the account any more: the claim stops who has
 * read the ledger before, and while nobody folds no late scan is on its way.
 */
export async function forgetAccount(database: PacksDatabase, userId: string): Promise<void> {
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const state = await packsState(database.db)
    const remove = async (tx: Tx) => {
      await claimPacks(tx, state)
      const parts = await tx
        .selectFrom('scan_packs')
        .select(['day', 'part'])
        .where('user_id', '=', userId)
        .limit(PARTS)
        .execute()
      left = parts.length
      for (const { day, part } of parts) await removePacks(tx, userId, day, [part])
    }
    await unlessChanged(() => whileNobodyFolds(database, remove))
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

async function walkOf(db: Db): Promise<Walk | undefined> {
  const rows = await db
    .selectFrom('forgotten_codes')
    .select(['code_id', 'user_id'])
    .where('begun', '=', 3)
    .execute()
  const userId = rows[0]?.user_id
  if (typeof userId !== 'string') return undefined
  return { userId, codes: new Set(rows.map(({ code_id }) => code_id)) }
}

/**
 * From here on nobody writes packs with these codes: the claim stops who has read the ledger before they
 * were purged, and while nobody folds no late scan of them is on its way.
 */
async function beginWalk(database: PacksDatabase): Promise<boolean> {
  const state: PacksState = await packsState(database.reads)
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
    await tx
      .updateTable('forgotten_codes')
      .set({ begun: 3 })
      .where('begun', '=', 2)
      .where('user_id', '=', next.user_id)
      .execute()
    await setMark(tx, WALK, 0)
  }
  await unlessChanged(() => whileNobodyFolds(database, begin))
  return true
}

/** The account's parts behind the walk's place. */
async function nextParts(db: Db, userId: string): Promise<PackRow[]> {
  const place = await markOf(db, WALK)
  const day = place?.at ?? 0
  const parts = await db
    .selectFrom('scan_packs')
    .select(['day', 'part', 'rows'])
    .where('user_id', '=', userId)
    .where('day', '>=', day)
    .where((row) => row.or([row('day', '>', day), row('part', '>', place?.place ?? '')]))
    .orderBy('day')
    .orderBy('part')
    .limit(PARTS)
    .execute()
  const rows: PackRow[] = []
  let scans = 0
  for (const { day, part, rows: size } of parts) {
    if (scans >= ROWS) break
    scans += size
    const stored = db.selectFrom('scan_packs').selectAll().where('user_id', '=', userId)
    const row = await stored.where('day', '=', day).where('part', '=', part).executeTakeFirst()
    if (row) rows.push(row)
  }
  return rows
}
