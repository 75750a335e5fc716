import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { addNew } from '../database/rows.ts'
import type { Tx } from '../database/schema.ts'
import { STILL_UNTIL } from '../database/service-marks.ts'
import { transact } from '../database/transact.ts'
import { AppError } from '../http/errors.ts'
import { within } from './target-cache.ts'

export type ScanCountsDeps = {
  database: Pick<Database, 'db' | 'location'>
  /** How many scans by persons this code has: the count goes on from there. */
  scansOf: (codeId: string) => Promise<number>
}

/** The number of a scan, from 1; 'over' beyond the limit of its code */
export type Ordinal = number | 'over'

/** A scan that waits for its number. A person's takes one; any other only hears which would be next. */
type Waiting = PromiseWithResolvers<Ordinal> & { isPerson: boolean }

/** A number that comes later than this is not used. */
const PATIENCE_MS = 5_000
/** More would wait for a database that is away than visitors stay. */
const WAITING_MAX = 10_000

/**
 * Numbers the scans of codes that have a limit. The database counts, so that two processes never give one number
 * twice, and a scan gets its number before it is answered: after a crash some numbers are unused, but never more scans
 * answered than the limit allows. Scans that come while the database counts are counted together.
 */
export function scanCounts({ database, scansOf }: ScanCountsDeps) {
  const { db, location } = database
  const waiting = new Map<string, Waiting[]>()
  let all = 0

  /** Gives numbers to all scans of a code that wait, until none does. */
  async function count(codeId: string, queue: Waiting[]) {
    while (queue.length > 0) {
      const batch = queue.splice(0)
      const persons = batch.filter(({ isPerson }) => isPerson).length
      try {
        const counted = await within(PATIENCE_MS, take(codeId, persons))
        let next = counted.before + 1
        for (const { isPerson, resolve } of batch) {
          resolve(next > counted.limit ? 'over' : next)
          if (isPerson) next++
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      all -= batch.length
    }
    waiting.delete(codeId)
  }

  /** A count begins with the scans that the code has. */
  async function take(codeId: string, persons: number) {
    const known = await transact(db, (tx) => takeIn(tx, codeId, persons))
    if (known) return known
    const scans = await scansOf(codeId)
    return transact(db, async (tx) => {
      await addNew(tx, 'counted_scans', { code_id: codeId, scans })
      const counted = await takeIn(tx, codeId, persons)
      if (!counted) throw new Error('the count of a code has gone')
      return counted
    })
  }

  /**
   * Adds scans to the count of a code, up to its limit. Returns undefined for a code without a count.
   * @throws AppError for a limit while the database is moved and after that: the copy would not have these scans
   */
  async function takeIn(tx: Tx, codeId: string, persons: number) {
    let query = tx
      .selectFrom('counted_scans')
      .innerJoin('codes', 'codes.id', 'counted_scans.code_id')
      .select(['counted_scans.scans', 'codes.scan_limit'])
      .select(sql<number>`(${sql.raw(STILL_UNTIL)})`.as('still_until'))
      .where('code_id', '=', codeId)
    if (location.engine === 'postgres') query = query.modifyEnd(sql`for update of counted_scans`)
    const row = await query.executeTakeFirst()
    if (!row) return undefined
    const { scans: before, scan_limit, still_until } = row
    if (scan_limit !== null && Number(still_until) > Date.now()) throw new AppError('unavailable')
    const limit = scan_limit ?? Number.POSITIVE_INFINITY
    const scans = Math.max(before, Math.min(before + persons, limit))
    if (scans > before) {
      await tx.updateTable('counted_scans').set({ scans }).where('code_id', '=', codeId).execute()
    }
    return { before, limit }
  }

  /**
   * Returns the number of a scan.
   * @throws while the database is away
   */
  return (codeId: string, isPerson: boolean): Promise<Ordinal> => {
    if (all >= WAITING_MAX) return Promise.reject(new Error('too many scans wait for their number'))
    all++
    const queue = waiting.get(codeId) ?? []
    const scan = { isPerson, ...Promise.withResolvers<Ordinal>() }
    queue.push(scan)
    if (!waiting.has(codeId)) {
      waiting.set(codeId, queue)
      void count(codeId, queue)
    }
    return scan.promise
  }
}
