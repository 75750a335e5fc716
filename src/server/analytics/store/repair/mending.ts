import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import type { Database } from '../../../database/connect.ts'
import type { Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { shareTotals } from '../ledger/totals.ts'
import { wholeFrom } from '../ledger/whole-days.ts'
import { walkTotalsAgain } from '../upkeep/totals-filling.ts'
import { type CountRow, differencesOf, type FacetRow } from './rebuild-day.ts'
import { mendFirsts } from './rebuild-firsts.ts'
import { lackScans, repackDay } from './repacking.ts'
import { noteMended, rewrittenDay } from './rewritten-day.ts'

/** Rows of rollups that one transaction changes */
const ROWS = 200
const LEASE = 'rebuild-rollups'
const LEASE_MS = MINUTE_MS
const RENEW_MS = 15_000
/** PostgreSQL's lock_not_available, and how often a day is packed until it is an error of ours */
const LOCKED = '55P03'
const REPACKS = 20

/** Another process mends numbers now. Two at once would mend each number twice. */
export class MendingRefused extends Error {
  constructor() {
    super('another run is at it, or was killed less than a minute ago')
  }
}

/** Has the mending of numbers to himself, beside the running service. */
export class Mending {
  readonly database: Database
  readonly #holder = randomUUID()
  readonly #today = utcDay(Date.now())
  #renewal: NodeJS.Timeout | undefined
  #renewed: Promise<void> = Promise.resolve()
  #changed = 0

  private constructor(database: Database) {
    this.database = database
  }

  /** What a run before this one left half done is done first. @throws MendingRefused */
  static async run<T>(database: Database, work: (mending: Mending) => Promise<T>): Promise<T> {
    const mending = new Mending(database)
    await mending.#begin()
    try {
      const day = await rewrittenDay(database.db)
      if (day !== undefined) await mending.mendDay(day)
      return await work(mending)
    } finally {
      await mending.#end()
    }
  }

  /** How many numbers and rows were wrong. */
  get changed(): number {
    return this.#changed
  }

  /**
   * Mends first visits, rollups, totals and packs of a UTC day where they differ from the ledger, if the
   * ledger of that day is whole. Answers the codes that have scans on it. Packs come last: what was counted
   * of days that are over is kept until they change (figures/settled.ts).
   * @param others codes that the ledger may not have on that day
   */
  async mendDay(day: number, others: string[] = []): Promise<string[]> {
    await this.#hold()
    const { database } = this
    if (day < (await wholeFrom(database.db))) {
      await noteMended(database.db)
      return []
    }
    this.#changed += await mendFirsts(database, day, this.#today)
    const { codes, counts, facets } = await differencesOf(database, day, others)
    this.#changed += counts.length + facets.length
    for (let start = 0; start < counts.length; start += ROWS) {
      await this.#addInStep((tx) => addCounts(tx, counts.slice(start, start + ROWS)))
    }
    for (let start = 0; start < facets.length; start += ROWS) {
      await this.#addInStep((tx) => addFacets(tx, facets.slice(start, start + ROWS)))
    }
    const isRewritten = (await rewrittenDay(database.db)) !== undefined
    if (isRewritten || (await lackScans(database, day))) await this.#repack(day)
    if (isRewritten) await noteMended(database.db)
    return codes
  }

  /** A transaction of its own. Then the service has the database for itself as long as that took. */
  async inStep<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#hold()
    const start = performance.now()
    const done = await transact(this.database.db, work)
    await sleep(performance.now() - start)
    return done
  }

  /** On PostgreSQL a busy folding may keep us waiting for longer than a statement may wait. */
  async #repack(day: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await repackDay(this.database, day)
      } catch (error) {
        if ((error as { code?: string }).code !== LOCKED || attempt === REPACKS) throw error
        await this.#hold()
      }
    }
  }

  #addInStep(add: (tx: Tx) => Promise<{ code_id: string; day: number }[]>): Promise<void> {
    return this.inStep(async (tx) => {
      if (this.database.location.engine === 'postgres') await sql.raw(shareTotals).execute(tx)
      for (const { code_id, day } of await add(tx)) {
        await tx
          .deleteFrom('totalled_codes')
          .where('code_id', '=', code_id)
          .where('until', '>', day)
          .execute()
      }
    })
  }

  async #begin() {
    await this.#hold()
    this.#renewal = setInterval(() => {
      // The next step finds out itself whether the lease is lost.
      this.#renewed = this.#hold().catch(() => {})
    }, RENEW_MS)
    this.#renewal.unref()
  }

  async #end() {
    clearInterval(this.#renewal)
    await this.#renewed
    const { db } = this.database
    if (this.#changed > 0) await walkTotalsAgain(db)
    const lease = db.deleteFrom('job_leases').where('name', '=', LEASE)
    await lease.where('holder', '=', this.#holder).execute()
  }

  async #hold(): Promise<void> {
    const now = Date.now()
    const lease = { holder: this.#holder, until: now + LEASE_MS }
    const held = await this.database.db
      .insertInto('job_leases')
      .values({ name: LEASE, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where(({ or, eb }) =>
            or([eb('job_leases.until', '<=', now), eb('job_leases.holder', '=', this.#holder)]),
          ),
      )
      .returning('name')
      .execute()
    if (held.length === 0) throw new MendingRefused()
  }
}

/** A code that was purged meanwhile has no numbers to mend. */
async function unlessForgotten<Row extends { code_id: string }>(
  tx: Tx,
  rows: Row[],
): Promise<Row[]> {
  const ids = [...new Set(rows.map(({ code_id }) => code_id))]
  const gone = await tx
    .selectFrom('forgotten_codes')
    .select('code_id')
    .where('code_id', 'in', ids)
    .execute()
  const forgotten = new Set(gone.map(({ code_id }) => code_id))
  return rows.filter(({ code_id }) => !forgotten.has(code_id))
}

async function addCounts(tx: Tx, all: CountRow[]) {
  const rows = await unlessForgotten(tx, all)
  if (rows.length === 0) return []
  await tx
    .insertInto('scan_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['code_id', 'quarter']).doUpdateSet((row) => ({
        persons: sql`${row.ref('scan_counts.persons')} + ${row.ref('excluded.persons')}`,
        firsts: sql`${row.ref('scan_counts.firsts')} + ${row.ref('excluded.firsts')}`,
        others: sql`${row.ref('scan_counts.others')} + ${row.ref('excluded.others')}`,
      })),
    )
    .execute()
  const less = rows.filter(({ persons, firsts, others }) => Math.min(persons, firsts, others) < 0)
  for (const { code_id, quarter } of less) {
    await tx
      .deleteFrom('scan_counts')
      .where('code_id', '=', code_id)
      .where('quarter', '=', quarter)
      .where((row) => row.and({ persons: 0, firsts: 0, others: 0 }))
      .execute()
  }
  return rows.map(({ code_id, quarter }) => ({
    code_id,
    day: Math.floor(quarter / QUARTERS_A_DAY),
  }))
}

async function addFacets(tx: Tx, all: FacetRow[]) {
  const rows = await unlessForgotten(tx, all)
  if (rows.length === 0) return []
  await tx
    .insertInto('scan_facets')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['code_id', 'day', 'facet', 'value']).doUpdateSet((row) => ({
        persons: sql`${row.ref('scan_facets.persons')} + ${row.ref('excluded.persons')}`,
      })),
    )
    .execute()
  for (const { code_id, day, facet, value } of rows.filter(({ persons }) => persons < 0)) {
    await tx
      .deleteFrom('scan_facets')
      .where((row) => row.and({ code_id, day, facet, value, persons: 0 }))
      .execute()
  }
  return rows
}
