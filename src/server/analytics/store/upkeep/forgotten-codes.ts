import type { Database } from '../../../database/connect.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { utcDay } from '../../../dates.ts'
import { markOf, setMark } from '../ledger/marks.ts'
import { VISITOR_DAYS } from '../ledger/scan.ts'
import { noteLedgerChange } from '../packs/packs-state.ts'

/** Codes handled in one walk through the ledger. */
const CODES_MAX = 500
/** Ledger rows looked at in one step, and the most that it deletes. */
const ROWS = 2_000
/** In ledger_marks: its `place` is the last id that the walk has passed. */
const WALK = 'forget-scans'

const tablesByCode = [
  'scan_counts',
  'scan_facets',
  'scan_totals',
  'facet_totals',
  'totalled_codes',
] as const

/** `userId` is null where the account's packs go whole, so that nothing keeps its name. */
export type PurgedCode = { id: string; userId: string | null }

/**
 * Removes these codes' scans from all numbers, and notes that they must go from the ledger and from its
 * packs too. It comes in the transaction in which the codes go.
 * @param codes at most 1,000
 */
export async function forgetScans(tx: Tx, codes: PurgedCode[]): Promise<void> {
  if (codes.length === 0) return
  const codeIds = codes.map(({ id }) => id)
  for (const table of tablesByCode) {
    await tx.deleteFrom(table).where('code_id', 'in', codeIds).execute()
  }
  await tx
    .insertInto('forgotten_codes')
    .values(codes.map(({ id, userId }) => ({ code_id: id, user_id: userId })))
    .onConflict((conflict) => conflict.column('code_id').doNothing())
    .execute()
}

/**
 * Removes some ledger rows of forgotten codes; returns whether there is more to do. The ledger has no
 * index by code, because that would cost each scan more than all its other writes. So we walk it from
 * end to end.
 */
export async function forgetStep({ db, reads }: Database, now: Date): Promise<boolean> {
  const ids = await codesOfWalk(db, 1)
  if (ids.length === 0) return beginWalk(db, utcDay(now.getTime()))
  const after = (await markOf(db, WALK))?.place ?? ''
  const end = await reads
    .selectFrom('scans')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .offset(ROWS - 1)
    .limit(1)
    .executeTakeFirst()
  let rows = reads.selectFrom('scans').select('id').where('id', '>', after)
  if (end) rows = rows.where('id', '<=', end.id)
  const found = (await rows.where('code_id', 'in', ids).execute()).map(({ id }) => id)
  await transact(db, async (tx) => {
    if (found.length > 0) {
      await tx.deleteFrom('scans').where('id', 'in', found).execute()
      await noteLedgerChange(tx)
    }
    if (end) await setMark(tx, WALK, now.getTime(), end.id)
    else await endWalk(tx)
  })
  return true
}

async function codesOfWalk(db: Db, begun: number): Promise<string[]> {
  const codes = db.selectFrom('forgotten_codes').select('code_id').where('begun', '=', begun)
  return (await codes.limit(CODES_MAX).execute()).map(({ code_id }) => code_id)
}

/** Those that name an account go from its packs next: packs/forgetting.ts. */
async function endWalk(tx: Tx): Promise<void> {
  const done = tx.deleteFrom('forgotten_codes').where('begun', '=', 1)
  await done.where('user_id', 'is', null).execute()
  await tx.updateTable('forgotten_codes').set({ begun: 2 }).where('begun', '=', 1).execute()
}

async function beginWalk(db: Db, today: number): Promise<boolean> {
  const ids = await codesOfWalk(db, 0)
  if (ids.length === 0) return false
  await transact(db, async (tx) => {
    for (let day = today - VISITOR_DAYS; day <= today; day++) {
      const seen = tx.deleteFrom('visitors').where('day', '=', day)
      await seen.where('code_id', 'in', ids).execute()
    }
    await setMark(tx, WALK, 0)
    await tx.updateTable('forgotten_codes').set({ begun: 1 }).where('code_id', 'in', ids).execute()
  })
  return true
}
