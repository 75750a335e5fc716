import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { VISITOR_DAYS } from '../capture/salts.ts'
import { utcDay } from '../instants.ts'

/** Codes handled in one walk through the ledger. */
const CODES_MAX = 500
/** Ledger rows read in one transaction, so that scans never wait long for it. */
const ROWS = 5_000
const EVERY_MS = 60 * 60 * 1000

const tablesByCode = [
  'scan_counts',
  'scan_facets',
  'scan_totals',
  'facet_totals',
  'totalled_codes',
] as const

/**
 * Removes these codes' scans from all numbers, and notes that their ledger rows must go too.
 * @param codeIds at most 1,000
 */
export async function forgetScans(tx: Tx, codeIds: string[]): Promise<void> {
  if (codeIds.length === 0) return
  for (const table of tablesByCode) {
    await tx.deleteFrom(table).where('code_id', 'in', codeIds).execute()
  }
  await tx
    .insertInto('forgotten_codes')
    .values(codeIds.map((code_id) => ({ code_id })))
    .onConflict((conflict) => conflict.column('code_id').doNothing())
    .execute()
}

/**
 * Removes the ledger rows of forgotten codes. The ledger has no index by code, because that would
 * cost each scan more than all its other writes. So we walk it from end to end in small steps.
 */
export function deleteForgottenScans({ db, clock }: { db: Db; clock: Clock }): Job {
  async function run() {
    const ids = await forgottenCodes(db)
    if (ids.length === 0) return
    await deleteVisitors(db, ids, utcDay(clock().getTime()))
    let step: string | undefined = ''
    while (step !== undefined) step = await deleteStep(db, ids, step)
    await db.deleteFrom('forgotten_codes').where('code_id', 'in', ids).execute()
  }
  return { name: 'forget-scans', everyMs: EVERY_MS, run }
}

async function forgottenCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('forgotten_codes').select('code_id').limit(CODES_MAX).execute()
  return rows.map((row) => row.code_id)
}

/** Handles the rows after an id and answers the last id it read; undefined at the end of the ledger. */
async function deleteStep(db: Db, ids: string[], after: string): Promise<string | undefined> {
  return transact(db, async (tx) => {
    const end = await tx
      .selectFrom('scans')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .offset(ROWS - 1)
      .executeTakeFirst()
    let rows = tx.deleteFrom('scans').where('id', '>', after).where('code_id', 'in', ids)
    if (end) rows = rows.where('id', '<=', end.id)
    await rows.execute()
    return end?.id
  })
}

async function deleteVisitors(db: Db, ids: string[], today: number): Promise<void> {
  for (let day = today - VISITOR_DAYS; day <= today; day++) {
    const rows = db.deleteFrom('visitors').where('day', '=', day)
    await rows.where('code_id', 'in', ids).execute()
  }
}
