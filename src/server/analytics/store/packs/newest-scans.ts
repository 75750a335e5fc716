import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/schema.ts'
import { idFrom } from '../ledger/scan-ids.ts'
import { addRow, ledgerScans, ScansByDay } from './ledger-scans.ts'
import type { PackedScans } from './pack.ts'
import { packsState } from './packs-state.ts'

/** Rows of the ledger, of all accounts, that may have to be looked at. */
const LEDGER_MAX = 1_000_000
/** Accounts whose scans are kept, and most of one */
const KEPT_ACCOUNTS = 10
const KEPT_MAX = 50_000

/** What is known of an account: its scans with the ledger's ids from `from` to `last`, among `stored` of all. */
type Known = {
  from: string
  changes: number
  last: string
  stored: number
  days: ScansByDay
  scans: PackedScans[]
}

/** Where an id would be that comes right behind this one: all have the same length. */
const behind = (id: string) => `${id}0`

/**
 * Accounts' scans that are not packed yet. To read ten thousand rows takes 20 ms, and a drawer asks a
 * dozen times for the same: so only those are read that have come since. A scan may also come late, with
 * an older id; then the number of ids is another one, and all are read again.
 */
export class NewestScans {
  readonly #known = new LRUCache<string, Known>({ max: KEPT_ACCOUNTS })

  /**
   * By UTC day.
   * @throws TooManyScans where the ledger has too many that are not packed
   */
  async of(db: Db, userId: string): Promise<PackedScans[]> {
    const { until, changes } = await packsState(db)
    const from = idFrom(until)
    const last = await newestId(db, from)
    if (last === undefined) return []
    let known = this.#known.get(userId)
    const isRight =
      known?.from === from &&
      known.changes === changes &&
      known.stored === (await countIds(db, from, known.last))
    if (!known || !isRight) {
      known = { ...{ from, changes, last: from, stored: 0 }, days: new ScansByDay(), scans: [] }
    }
    const next = known.stored === 0 ? from : behind(known.last)
    if (known.stored === 0 || last > known.last) {
      const stored = known.stored + (await countIds(db, next, last))
      if (stored > LEDGER_MAX) throw new TooManyScans()
      let hasMore = false
      for await (const rows of ledgerScans(db, { from: next, to: behind(last), userId })) {
        for (const row of rows) addRow(known.days, row)
        hasMore ||= rows.length > 0
      }
      known.last = last
      known.stored = stored
      if (hasMore) known.scans = known.days.all()
    }
    const size = known.scans.reduce((sum, each) => sum + each.size, 0)
    if (size <= KEPT_MAX) this.#known.set(userId, known)
    else this.#known.delete(userId)
    return known.scans
  }
}

export class TooManyScans extends Error {}

async function newestId(db: Db, from: string): Promise<string | undefined> {
  const ids = db.selectFrom('scans').select('id').where('id', '>=', from)
  return (await ids.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}

/** Up to one more than may be read. */
async function countIds(db: Db, from: string, last: string): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select count(*) as ids from (select id from scans
    where id >= ${from} and id <= ${last} limit ${LEDGER_MAX + 1}) as ids`.execute(db)
  return Number(rows[0]?.ids)
}
