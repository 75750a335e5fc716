import { type RawBuilder, sql } from 'kysely'
import { ConfigError } from '../../../config.ts'
import type { Database } from '../../../database/connect.ts'
import { atOneInstant } from '../../../database/transact.ts'
import { firstDayOfMonth, isoOfQuarter, QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { GENERATION, markOf, raiseGeneration } from '../ledger/marks.ts'
import { WORKSPACE } from '../packs/ledger-scans.ts'
import { facetNames, type Scan, textNames } from '../scan.ts'
import { idFrom, instantOfId, scanId } from '../scan-ids.ts'
import type { Period } from '../scans-store.ts'
import { type Copy, type Counted, copyOneWay, living } from './both-sides.ts'
import type { ClickHouse } from './clickhouse.ts'
import { attributeCells, headWith, ownCells } from './inbox.ts'
import { between } from './own-scans.ts'
import { INTO_SCANS } from './tables.ts'
import { partitionOf, purges } from './upkeep.ts'

/** Rows that are read and inserted at once */
const ROWS_MAX = 50_000

/** Copies the ledger to ClickHouse, beside the service that runs without it. @throws ConfigError if ClickHouse has more */
export async function copyToClickHouse(copy: Copy): Promise<Counted[]> {
  await removePurged(copy)
  const begin = async (differing: Counted[]) => {
    const more = differing.find(({ ledger, clickhouse }) => clickhouse > ledger)
    if (more) {
      throw new ConfigError(
        `ClickHouse has scans of ${isoOfQuarter(more.quarter)} that PostgreSQL lacks. If the service has run with SCANS_URL: npm run copy-scans -- --back`,
      )
    }
    // ClickHouse would take removed scans for repeats.
    await raiseGeneration(copy.database.db)
  }
  return copyOneWay(copy, { begin, sums: copySums, scans: copyPeriod })
}

/** Removes the scans of purged codes from ClickHouse, which no service does that runs without it. */
async function removePurged({ database, clickhouse }: Copy): Promise<void> {
  const codes = database.db.selectFrom('forgotten_codes').select('code_id')
  const due = codes.where('clickhouse_passes', '<', 2).limit(1)
  const { run } = purges(database, clickhouse, { mutations_sync: '2' })
  while (await due.executeTakeFirst()) await run()
}

/** Hands over the rows of a query in pages, as of one instant. */
function eachPage<Row>(
  database: Database,
  query: RawBuilder<Row>,
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  return atOneInstant(database, async (db) => {
    await sql`declare pages no scroll cursor for ${query}`.execute(db)
    const next = sql<Row>`fetch ${sql.lit(ROWS_MAX)} from pages`
    for (;;) {
      const { rows } = await next.execute(db)
      if (rows.length === 0) return
      await take(rows)
    }
  })
}

/* Single scans */

type LedgerScan = Omit<Scan, 'at' | 'agent'> & { agent: string | null; workspace_id: string | null }

/** Copies the scans of a part of a UTC day, without those that are there. */
async function copyPeriod(copy: Copy, { from, to }: Period): Promise<void> {
  const { database, clickhouse, onBatch } = copy
  const token = await tokenOf(copy)
  const columns = textNames.map((name) => sql.ref(`scans.${name}`))
  const scans = sql<LedgerScan>`select scans.id, scans.code_id, scans.visitor,
      ${WORKSPACE} as workspace_id, ${sql.join(columns)}, agents.text as agent
    from scans left join agents on agents.id = scans.agent
    where scans.id >= ${idFrom(from * QUARTER_MS)} and scans.id < ${idFrom(to * QUARTER_MS)}
      and ${living('scans')}
    order by scans.id`
  await eachPage(database, scans, async (rows) => {
    const there = await idsBetween(clickhouse, rows[0] as LedgerScan, rows.at(-1) as LedgerScan)
    const lacking = rows.filter(({ id }) => !there.has(id))
    const lines = lacking.map(
      (row) => headWith(row.workspace_id, row.code_id) + ownCells(row) + attributeCells(row),
    )
    const ids = `${lacking[0]?.id}:${lacking.at(-1)?.id}:${lacking.length}`
    if (lines.length > 0) await clickhouse.insert(INTO_SCANS, lines, `${token}:${ids}`)
    onBatch(from, rows.length)
  })
}

const tokenOf = async ({ database }: Copy) =>
  `copy:${(await markOf(database.db, GENERATION))?.at ?? 0}`

/** The ids that ClickHouse has in the milliseconds from one scan to another one, of the same UTC day */
async function idsBetween(clickhouse: ClickHouse, first: LedgerScan, last: LedgerScan) {
  const scans = between(instantOfId(first.id), instantOfId(last.id) + 1)
  const rows = await clickhouse.rows<{ at: number; counter: number; nonce: string }>(
    `select at, counter, nonce from scans where ${scans.sql}`,
    scans.params,
  )
  return new Set(rows.map(({ at, counter, nonce }) => scanId(at, counter, nonce)))
}

/* Sums */

type SumRow = Record<string, string | number | null>

/** Copies the sums of a month, in place of what an earlier copy has left. Those by which months are compared come last. */
async function copySums(copy: Copy, month: number): Promise<void> {
  const { database, clickhouse } = copy
  const token = await tokenOf(copy)
  for (const table of ['scan_sums', 'facet_sums']) {
    await clickhouse.run(`alter table ${table} drop partition ${partitionOf(month)}`)
  }
  for (const [table, rows] of Object.entries(sumsOf(month)).reverse()) {
    let page = 0
    await eachPage(database, rows, async (some) => {
      const lines = some.map((row) => JSON.stringify(Object.values(row)))
      await clickhouse.insert(table, lines, `${token}:${month}:${page++}`)
    })
  }
}

/** The rows of both tables of sums, in the order of their columns. The rollup of values has no row for scans without one. */
function sumsOf(month: number): Record<'scan_sums' | 'facet_sums', RawBuilder<SumRow>> {
  const [from, to] = [month, month + 1].map((each) => sql.lit(firstDayOfMonth(each)))
  const quarters = sql.lit(QUARTERS_A_DAY)
  const workspace = sql`coalesce((select workspace_id from codes where id = code_id), '')`
  const counts = sql`(select * from scan_counts where quarter >= ${from} * ${quarters}
    and quarter < ${to} * ${quarters} and ${living('scan_counts')})`
  const facets = sql.join(facetNames.map((name) => sql.lit(name)))
  return {
    scan_sums: sql`select ${workspace} as workspace_id, code_id, quarter, persons, firsts, others
      from ${counts} as counts`,
    facet_sums: sql`
      with named as (select * from scan_facets
        where day >= ${from} and day < ${to} and ${living('scan_facets')}),
      days as (select code_id, quarter / ${quarters} as day, sum(persons) as persons
        from ${counts} as counts group by 1, 2)
      select ${workspace} as workspace_id, code_id, day, facet, value, persons from named
      union all
      select ${workspace} as workspace_id, code_id, day, facet, null,
        cast(days.persons - coalesce(sum(named.persons), 0) as bigint)
      from days cross join unnest(array[${facets}]) as names(facet)
        left join named using (code_id, day, facet)
      group by code_id, day, facet, days.persons
      having days.persons > coalesce(sum(named.persons), 0)`,
  }
}
