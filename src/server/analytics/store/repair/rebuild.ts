import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { QUARTERS_A_DAY } from '../../../dates.ts'
import { firstCompleteDay } from '../ledger/marks.ts'
import { scannedDays } from '../ledger/scan-ids.ts'
import { Repair } from './repair.ts'

/** Codes whose rollups are read at once */
const CODES = 50

export type Rebuilt = { days: number; changed: number }

/**
 * Mends rollups, first visits, totals and packs where they differ from the ledger, on the UTC days whose
 * ledger is complete. It reads a day without a lock and then adds what is lacking in short transactions
 * with rests between them, so it may run beside the service.
 * @throws RepairRefused
 */
export function rebuildRollups(database: Database): Promise<Rebuilt> {
  return Repair.run(database, async (repair) => {
    const { reads } = database
    const first = await firstCompleteDay(reads)
    const codesByDay = await daysOfRollups(reads, first)
    const days = new Set([...codesByDay.keys(), ...(await scannedDays(reads, first))])
    for (const day of days) await repair.mendDay(day, codesByDay.get(day))
    return { days: days.size, changed: repair.changed }
  })
}

type CodeDay = { code_id: string; day: number }

/** The UTC days from `first` on that have rollups, each with their codes. */
async function daysOfRollups(db: Db, first: number): Promise<Map<number, string[]>> {
  const days = new Map<number, string[]>()
  const tables = { scan_counts: sql`quarter / ${sql.lit(QUARTERS_A_DAY)}`, scan_facets: sql`day` }
  for (const [name, dayOf] of Object.entries(tables)) {
    const table = sql.table(name)
    for (let after = ''; ; ) {
      const codes = await sql<{ code_id: string }>`select distinct code_id from ${table}
        where code_id > ${after} order by code_id limit ${sql.lit(CODES)}`.execute(db)
      const last = codes.rows.at(-1)?.code_id
      if (last === undefined) break
      const { rows } = await sql<CodeDay>`select distinct code_id, ${dayOf} as day from ${table}
        where code_id > ${after} and code_id <= ${last}`.execute(db)
      for (const { code_id, day } of rows) {
        if (day < first) continue
        const known = days.get(day) ?? []
        known.push(code_id)
        days.set(day, known)
      }
      after = last
    }
  }
  return days
}
