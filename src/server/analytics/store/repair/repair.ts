import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { batchesOf } from '../../../batches.ts'
import type { Database } from '../../../database/connect.ts'
import { insertRows } from '../../../database/json-rows.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { LEASE_MS, takeLease } from '../../../jobs.ts'
import { orMade } from '../../../or-made.ts'
import { firstCompleteDay, noteRepaired, noteRewritten, rewrittenDay } from '../ledger/marks.ts'
import { lackScans, repackDay } from '../packs/packing.ts'
import { VISITOR_DAYS } from '../scan.ts'
import { dayOfId, idFromDay } from '../scan-ids.ts'
import { walkTotalsAgain } from '../upkeep/totals-filling.ts'
import { addDifferences, type Difference, differencesOf } from './day-differences.ts'

/** The rows of rollups that one transaction changes, about */
const ROWS = 400
const LEASE = 'rebuild-rollups'
const RENEW_MS = LEASE_MS / 4
/** PostgreSQL's lock_not_available, and how often a day is packed until it is an error of ours */
const LOCKED = '55P03'
const REPACKS = 20

/** Another process repairs numbers now. Two at once would mend each number twice. */
export class RepairRefused extends Error {
  constructor() {
    super('another run is at it, or was killed less than a minute ago')
  }
}

export type Repair = ReturnType<typeof repairOf>

/** Does `work` after the day that an earlier run left half done, one process at a time. @throws RepairRefused */
export async function withRepair<T>(database: Database, work: (repair: Repair) => Promise<T>) {
  const { db } = database
  const holder = randomUUID()
  const hold = async () => {
    const lease = { name: LEASE, holder, isRenewed: true }
    if (!(await takeLease(db, lease, new Date()))) throw new RepairRefused()
  }
  await hold()
  let renewed: Promise<void> = Promise.resolve()
  const renewal = setInterval(() => {
    // The next step finds out itself whether the lease is lost.
    renewed = hold().catch(() => {})
  }, RENEW_MS).unref()
  const repair = repairOf(database, hold)
  try {
    const day = await rewrittenDay(db)
    if (day !== undefined) await repair.repairDay(day)
    return await work(repair)
  } finally {
    clearInterval(renewal)
    await renewed
    if (repair.changed() > 0) await walkTotalsAgain(db)
    const lease = db.deleteFrom('job_leases').where('name', '=', LEASE)
    await lease.where('holder', '=', holder).execute()
  }
}

/** The repair of numbers, beside the running service. @param hold keeps the lease; it throws RepairRefused */
function repairOf(database: Database, hold: () => Promise<void>) {
  const today = utcDay(Date.now())
  let changed = 0

  /**
   * Mends first visits, rollups, totals and packs of a UTC day where they differ from the ledger, if the
   * ledger of that day is complete. Packs come last: what was counted of days that are over is kept until
   * they change (count/past-days-cache.ts).
   * @param inRollups codes that may have rollups on that day and no scans
   */
  async function repairDay(day: number, inRollups: readonly string[] = []): Promise<void> {
    await hold()
    if (day < (await firstCompleteDay(database.db))) return noteRepaired(database.db)
    changed += await repairFirstVisits(database, day, today)
    const differences = await differencesOf(database, day, inRollups)
    for (const some of batchesOf(differences, ROWS, sizeOf)) {
      changed += some.reduce((sum, each) => sum + sizeOf(each), 0)
      await inStep((tx) => addDifferences(tx, database, day, some))
    }
    const isRewritten = (await rewrittenDay(database.db)) !== undefined
    if (isRewritten || (await lackScans(database, day))) await repack(day)
    if (isRewritten) await noteRepaired(database.db)
  }

  /** A transaction of its own. Then the service has the database for itself as long as that took. */
  async function inStep<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await hold()
    const start = performance.now()
    const done = await transact(database.db, work)
    await sleep(performance.now() - start)
    return done
  }

  /** On PostgreSQL a busy folding may keep us waiting for longer than a statement may wait. */
  async function repack(day: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await repackDay(database, day)
      } catch (error) {
        if ((error as { code?: string }).code !== LOCKED || attempt === REPACKS) throw error
        await hold()
      }
    }
  }

  /** `changed` says how many numbers and rows were wrong. */
  return { repairDay, inStep, changed: () => changed }
}

/** Rows of the ledger that one transaction changes */
const FIRSTS = 500

type WrongFirst = { id: string; first: number }

/**
 * Makes one of a person's scans of a code on a UTC day the first: where none is or several are, the
 * earliest. The newest days' visitors are noted too. Returns how many rows it changed.
 */
async function repairFirstVisits(database: Database, day: number, today: number) {
  const { db, reads } = database
  if (day >= today - VISITOR_DAYS) await repairVisitors(database, day)
  const wrong = await wrongFirsts(reads, day)
  for (const rows of batchesOf(wrong, FIRSTS)) {
    await transact(db, async (tx) => {
      await noteRewritten(tx, day)
      for (const first of [0, 1]) {
        const ids = rows.filter((row) => row.first === first).map(({ id }) => id)
        if (ids.length === 0) continue
        await tx.updateTable('scans').set({ first }).where('id', 'in', ids).execute()
      }
    })
  }
  return wrong.length
}

/** The rows whose `first` is wrong, with the value that they need. */
async function wrongFirsts(db: Db, day: number): Promise<WrongFirst[]> {
  const { rows } = await sql<WrongFirst>`
    select id, 1 - "first" as first from (
      select id, "first", class = 'person' and visitor is not null as counts,
        row_number() over (partition by code_id, class = 'person', visitor order by "first" desc, id)
          as place
      from scans where id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}) as placed
    where "first" <> case when counts and place = 1 then 1 else 0 end`.execute(db)
  return rows
}

async function repairVisitors({ db, reads }: Database, day: number): Promise<void> {
  const { rows } = await sql<{ code_id: string; visitor: string }>`
    select distinct code_id, visitor from scans
    where id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}
      and class = 'person' and visitor is not null
    except select code_id, visitor from visitors where day = ${day}`.execute(reads)
  const visitors = rows.map((row) => ({ ...row, day }))
  await insertRows(db, 'visitors', ['day'], visitors, sql`on conflict do nothing`)
}

const sizeOf = ({ counts, facets }: Difference) => counts.length + facets.length

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
  return withRepair(database, async (repair) => {
    const { reads } = database
    const first = await firstCompleteDay(reads)
    const codesByDay = await daysOfRollups(reads, first)
    const days = new Set([...codesByDay.keys(), ...(await scannedDays(reads, first))])
    for (const day of days) await repair.repairDay(day, codesByDay.get(day))
    return { days: days.size, changed: repair.changed() }
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
        if (day >= first) orMade(days, day, () => []).push(code_id)
      }
      after = last
    }
  }
  return days
}

/** The UTC days with scans from `first` on, newest first. */
export async function scannedDays(db: Db, first: number): Promise<number[]> {
  const days: number[] = []
  const newest = db.selectFrom('scans').select('id').orderBy('id', 'desc').limit(1)
  for (let scan = await newest.executeTakeFirst(); scan; ) {
    const day = dayOfId(scan.id)
    if (day < first) break
    days.push(day)
    scan = await newest.where('id', '<', idFromDay(day)).executeTakeFirst()
  }
  return days
}
