import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import type { Database } from '../../database/connect.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { QUARTER_MS, utcDay } from '../instants.ts'
import { facetNames } from './rollups.ts'

/** About how many ledger rows a step covers. A step never splits a code's day. */
const STEP_ROWS = 10_000
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS
/** After every day that a rollup can hold. */
const LAST_DAY = Math.floor(2 ** 31 / QUARTERS_A_DAY) - 1

const sources = ['scans', 'scan_counts', 'scan_facets'] as const

/** The UTC days of one code from `from` up to but not including `to`, counted since 1970-01-01. */
type Step = { codeId: string; from: number; to: number }

/**
 * Recomputes both rollups from the ledger, each step in one transaction. It may run beside the
 * service: no scan waits for more than a step, and none is missed or counted twice. Answers the
 * number of codes.
 */
export async function rebuildRollups(database: Database, stepRows = STEP_ROWS): Promise<number> {
  const { db } = database
  let codes = 0
  for (let codeId = await codeAfter(db, ''); codeId; codeId = await codeAfter(db, codeId)) {
    for (let from = 0; from < LAST_DAY; ) {
      const step = { codeId, from, to: await endOfStep(db, codeId, from, stepRows) }
      await transact(db, (tx) => rebuildStep(tx, step, database.location.engine === 'postgres'))
      from = step.to
    }
    codes++
  }
  return codes
}

/** The next code in the ledger or a rollup, in the order of the ids. */
async function codeAfter(db: Db, codeId: string): Promise<string | undefined> {
  const found = await Promise.all(
    sources.map(async (table) => {
      const row = await db
        .selectFrom(table)
        .select('code_id')
        .where('code_id', '>', codeId)
        .orderBy('code_id')
        .limit(1)
        .executeTakeFirst()
      return row?.code_id
    }),
  )
  return least(
    db,
    found.filter((id) => id !== undefined),
  )
}

/** The engine compares, because PostgreSQL may sort texts by the rules of a language. */
async function least(db: Db, ids: string[]): Promise<string | undefined> {
  if (ids.length === 0) return undefined
  const each = sql.join(
    ids.map((id) => sql`select cast(${id} as text) as id`),
    sql` union all `,
  )
  const { rows } = await sql<{ id: string }>`select min(id) as id from (${each}) as ids`.execute(db)
  return rows[0]?.id
}

async function endOfStep(db: Db, codeId: string, from: number, stepRows: number): Promise<number> {
  const beyond = await db
    .selectFrom('scans')
    .select('at')
    .where('code_id', '=', codeId)
    .where('at', '>=', from * DAY_MS)
    .orderBy('at')
    .offset(stepRows)
    .limit(1)
    .executeTakeFirst()
  return beyond ? Math.max(utcDay(beyond.at), from + 1) : LAST_DAY
}

async function rebuildStep(tx: Tx, step: Step, isPostgres: boolean): Promise<void> {
  // The recorder writes ledger and rollups in one transaction. While we hold this lock, we count the
  // scans that we see in the ledger, and each waiting transaction adds the ones that we do not see.
  if (isPostgres) {
    await sql`lock table scan_counts, scan_facets in share row exclusive mode`.execute(tx)
  }
  await rebuildCounts(tx, step)
  await rebuildFacets(tx, step)
}

async function rebuildCounts(tx: Tx, step: Step): Promise<void> {
  await tx
    .deleteFrom('scan_counts')
    .where('code_id', '=', step.codeId)
    .where('quarter', '>=', step.from * QUARTERS_A_DAY)
    .where('quarter', '<', step.to * QUARTERS_A_DAY)
    .execute()
  await sql`
    insert into scan_counts (code_id, quarter, persons, firsts, others)
    select code_id, ${sliceOf(QUARTER_MS)},
      sum(case when class = 'person' then 1 else 0 end),
      sum("first"),
      sum(case when class = 'person' then 0 else 1 end)
    from scans where ${within(step)} group by 1, 2`.execute(tx)
}

async function rebuildFacets(tx: Tx, step: Step): Promise<void> {
  await tx
    .deleteFrom('scan_facets')
    .where('code_id', '=', step.codeId)
    .where('day', '>=', step.from)
    .where('day', '<', step.to)
    .execute()
  for (const facet of facetNames) {
    const column = sql.ref(facet)
    await sql`
      insert into scan_facets (code_id, day, facet, value, persons)
      select code_id, ${sliceOf(DAY_MS)}, ${sql.lit(facet)}, ${column}, count(*)
      from scans where ${within(step)} and class = 'person' and ${column} is not null
      group by 1, 2, 4`.execute(tx)
  }
}

/** Both engines divide integers to an integer. */
function sliceOf(milliseconds: number): RawBuilder<number> {
  return sql`cast(at / ${sql.lit(milliseconds)} as integer)`
}

function within({ codeId, from, to }: Step): RawBuilder<boolean> {
  return sql`code_id = ${codeId} and at >= ${from * DAY_MS} and at < ${to * DAY_MS}`
}
