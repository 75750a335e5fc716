import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { VISITOR_DAYS } from '../capture/salts.ts'
import { utcDay } from './instants.ts'

/** Codes forgotten in one walk through the ledger. */
const CODES_MAX = 500
/** Ledger rows looked at in one transaction, so that scans never wait long for it. */
const ROWS = 5_000
const EVERY_MS = 60 * 60 * 1000

/**
 * Removes these codes' scans from all numbers, and notes that the ledger's rows are to go too.
 * @param codeIds at most 1,000
 */
export async function forgetScans(tx: Tx, codeIds: string[]): Promise<void> {
  if (codeIds.length === 0) return
  await tx.deleteFrom('scan_counts').where('code_id', 'in', codeIds).execute()
  await tx.deleteFrom('scan_facets').where('code_id', 'in', codeIds).execute()
  await tx
    .insertInto('forgotten_codes')
    .values(codeIds.map((code_id) => ({ code_id })))
    .onConflict((conflict) => conflict.column('code_id').doNothing())
    .execute()
}

/**
 * Removes forgotten codes' rows from the ledger. It has no index by code, which would cost every
 * scan more than all else that is written for it, so it is walked from end to end in small steps.
 */
export function forgetting({ db, clock }: { db: Db; clock: Clock }): Job {
  async function run() {
    const ids = await forgottenCodes(db)
    if (ids.length === 0) return
    await forgetVisitors(db, ids, utcDay(clock().getTime()))
    let step: string | undefined = ''
    while (step !== undefined) step = await forgetStep(db, ids, step)
    await db.deleteFrom('forgotten_codes').where('code_id', 'in', ids).execute()
  }
  return { name: 'forget-scans', everyMs: EVERY_MS, run }
}

async function forgottenCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('forgotten_codes').select('code_id').limit(CODES_MAX).execute()
  return rows.map((row) => row.code_id)
}

/** Looks at the rows after an id and answers the last id it saw; undefined at the ledger's end. */
async function forgetStep(db: Db, ids: string[], after: string): Promise<string | undefined> {
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

async function forgetVisitors(db: Db, ids: string[], today: number): Promise<void> {
  for (let day = today - VISITOR_DAYS; day <= today; day++) {
    const rows = db.deleteFrom('visitors').where('day', '=', day)
    await rows.where('code_id', 'in', ids).execute()
  }
}
