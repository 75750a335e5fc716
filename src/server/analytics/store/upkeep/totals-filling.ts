import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { firstDayOfMonth, monthOf, QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { markOf, setMark, TOTALS_MARK } from '../ledger/marks.ts'
import { whileFoldingWaits } from '../ledger/totals.ts'

/** In ledger_marks; its `at` is the UTC day up to which a walk has filled the totals of all codes. */
const WALKED = 'totals-walk'
/** Codes that are looked at in one step */
const CODES = 200
/** How long a step's transaction goes on with further codes. */
const STEP_MS = 30
/** Scans of yesterday are often still on their way. */
const DAYS_LIVE = 1

/**
 * Fills totals with what the rollups hold of the days before yesterday, code by code.
 * Returns whether there is more to do.
 */
export async function fillTotalsStep(database: Database, now: Date): Promise<boolean> {
  const { db } = database
  const mark = await markOf(db, TOTALS_MARK)
  // It never goes back: days that totals hold would then be added to unseen.
  const until = Math.max(utcDay(now.getTime()) - DAYS_LIVE, mark?.at ?? 0)
  if (mark?.at !== until) {
    // From now on each process that adds scans knows this day.
    await whileFoldingWaits(database, (tx) => setMark(tx, TOTALS_MARK, until))
    return true
  }
  if ((await markOf(db, WALKED))?.at === until) return false
  const codes = await codesAfter(db, mark.place)
  const last = codes.at(-1)
  if (!last) {
    await setMark(db, WALKED, until)
    // The id of a code must not outlive it.
    await setMark(db, TOTALS_MARK, until)
    return false
  }
  const due = codes.filter(({ next }) => next !== null && next < until * QUARTERS_A_DAY)
  const left = await whileFoldingWaits(database, (tx) => fillCodes(tx, due, until))
  await setMark(db, TOTALS_MARK, until, left ?? last.code_id)
  return true
}

/** Fills all totals at once. */
export async function fillTotals(database: Database, now: Date): Promise<void> {
  while (await fillTotalsStep(database, now));
}

/** The next step goes through all codes again: many have lost their totals. */
export async function walkTotalsAgain(db: Db): Promise<void> {
  await db.updateTable('ledger_marks').set({ place: '' }).where('name', '=', TOTALS_MARK).execute()
  await db.deleteFrom('ledger_marks').where('name', '=', WALKED).execute()
}

type Walked = { code_id: string; next: number | null }

/** The next codes of the rollup in the order of the ids, each with its first quarter-hour that its totals lack. */
async function codesAfter(db: Db, codeId: string): Promise<Walked[]> {
  const { rows } = await sql<Walked>`
    with recursive ids(code_id, n) as (
      select min(code_id), 1 from scan_counts where code_id > ${codeId}
      union all
      select (select min(code_id) from scan_counts where code_id > ids.code_id), n + 1
      from ids where ids.code_id is not null and n < ${sql.lit(CODES)})
    select ids.code_id, (select min(quarter) from scan_counts where scan_counts.code_id = ids.code_id
      and quarter >= coalesce(until, 0) * ${sql.lit(QUARTERS_A_DAY)}) as next
    from ids left join totalled_codes on totalled_codes.code_id = ids.code_id
    where ids.code_id is not null
    order by ids.n`.execute(db)
  return rows
}

/** Returns the code after which it stopped because a step is over; undefined if it filled all. */
async function fillCodes(tx: Tx, codes: Walked[], until: number): Promise<string | undefined> {
  const end = performance.now() + STEP_MS
  for (const { code_id } of codes) {
    await fillCode(tx, code_id, until)
    if (performance.now() > end) return code_id
  }
  return undefined
}

/** Adds the days of a code to its totals that are not in them. */
async function fillCode(tx: Tx, codeId: string, until: number): Promise<void> {
  const known = await tx
    .selectFrom('totalled_codes')
    .select('until')
    .where('code_id', '=', codeId)
    .executeTakeFirst()
  if (!known) {
    await tx.deleteFrom('scan_totals').where('code_id', '=', codeId).execute()
    await tx.deleteFrom('facet_totals').where('code_id', '=', codeId).execute()
  }
  const { rows } = await sql<{ first: number | null }>`
    select min(quarter) / ${sql.lit(QUARTERS_A_DAY)} as first from scan_counts
    where code_id = ${codeId} and quarter >= ${(known?.until ?? 0) * QUARTERS_A_DAY}`.execute(tx)
  const from = rows[0]?.first ?? until
  if (from >= until) return
  await sql`with months(month, start, stop) as (${monthsBetween(from, until)})
    insert into scan_totals (code_id, month, persons, firsts, others)
    select code_id, month, sum(persons), sum(firsts), sum(others)
    from months cross join scan_counts
    where code_id = ${codeId} and quarter >= start and quarter < stop
    group by code_id, month
    on conflict (code_id, month) do update set persons = scan_totals.persons + excluded.persons,
      firsts = scan_totals.firsts + excluded.firsts, others = scan_totals.others + excluded.others`.execute(
    tx,
  )
  await sql`insert into facet_totals (code_id, facet, value, persons)
    select code_id, facet, value, sum(persons) from scan_facets
    where code_id = ${codeId} and day >= ${from} and day < ${until} group by code_id, facet, value
    on conflict (code_id, facet, value) do update set persons = facet_totals.persons + excluded.persons`.execute(
    tx,
  )
  await tx
    .insertInto('totalled_codes')
    .values({ code_id: codeId, until })
    .onConflict((conflict) => conflict.column('code_id').doUpdateSet({ until }))
    .execute()
}

/** The months of these UTC days, each with its quarter-hours among them. */
function monthsBetween(from: number, to: number) {
  const first = monthOf(from)
  const months = Array.from({ length: monthOf(to - 1) - first + 1 }, (_, index) => first + index)
  return sql.join(
    months.map((month) => {
      const start = Math.max(from, firstDayOfMonth(month)) * QUARTERS_A_DAY
      const stop = Math.min(to, firstDayOfMonth(month + 1)) * QUARTERS_A_DAY
      return sql`select ${sql.lit(month)}, ${sql.lit(start)}, ${sql.lit(stop)}`
    }),
    sql` union all `,
  )
}
