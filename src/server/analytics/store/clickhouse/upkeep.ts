import type { ClickHouseSettings } from '@clickhouse/client'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connect.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import { dateText, firstDayOfMonth, monthOf, QUARTER_MS, utcDay } from '../../../dates.ts'
import type { Job } from '../../../jobs.ts'
import { KEPT_FROM, keptFrom, setMark } from '../ledger/marks.ts'
import { facetNames } from '../scan.ts'
import type { ClickHouse } from './clickhouse.ts'
import { PERSON } from './own-scans.ts'

const EVERY_MS = 10 * MINUTE_MS
/** Purged codes whose scans go in one statement */
const CODES_MAX = 1_000
const TABLES = ['scans', 'scan_sums', 'facet_sums']

/**
 * Removes the scans of purged codes, twice: an insert may have been under way when its code was purged. No query
 * asks for a purged code, so no reader has to wait for it.
 * @param settings of these statements
 */
export function purges(
  { db }: Pick<Database, 'db'>,
  clickhouse: ClickHouse,
  settings?: ClickHouseSettings,
): Job {
  async function pass(done: 0 | 1) {
    const rows = await db
      .selectFrom('forgotten_codes')
      .select(['code_id', 'workspace_id'])
      .where('clickhouse_passes', '=', done)
      .limit(CODES_MAX)
      .execute()
    if (rows.length === 0) return
    const codeIds = rows.map(({ code_id }) => code_id)
    const owners = rows.map(({ workspace_id }) => workspace_id).filter((id) => id !== null)
    // Only a deleted account's codes have none. Then the order of the tables doesn't help.
    const isOwn = owners.length < rows.length ? '' : 'workspace_id in {owners:Array(String)} and '
    await remove(
      clickhouse,
      `${isOwn}code_id in {codeIds:Array(String)}`,
      { owners, codeIds },
      settings,
    )
    await db
      .updateTable('forgotten_codes')
      .set({ clickhouse_passes: done + 1 })
      .where('code_id', 'in', codeIds)
      .execute()
  }
  const run = async () => {
    await pass(1)
    await pass(0)
  }
  return { name: 'clickhouse-purges', everyMs: EVERY_MS, run }
}

export const forgetAccountInClickHouse = (clickhouse: ClickHouse, workspaceId: WorkspaceId) =>
  remove(clickhouse, 'workspace_id = {workspaceId:String}', { workspaceId })

async function remove(
  clickhouse: ClickHouse,
  where: string,
  params: Record<string, string | string[]>,
  settings?: ClickHouseSettings,
) {
  for (const table of TABLES)
    await clickhouse.run(`alter table ${table} delete where ${where}`, params, settings)
}

/**
 * Drops the scans of months before the last `months` whole ones. Before a month goes, its sums are kept, and a mark
 * says from which day on scans are read: no total changes.
 */
export function retention(
  { db, clock }: Pick<Database, 'db'> & { clock: Clock },
  clickhouse: ClickHouse,
  months: number | undefined,
): Job {
  async function run() {
    if (months === undefined) return
    const end = monthOf(utcDay(clock().getTime())) - months
    const complete = await keptFrom(db)
    for (const month of await monthsWithScans(clickhouse)) {
      if (month >= end) return
      const [first, next] = [firstDayOfMonth(month), firstDayOfMonth(month + 1)]
      // Scans that came after their month had gone have no sums to be added to.
      if (first >= complete) {
        await keepSums(clickhouse, month)
        await setMark(db, KEPT_FROM, next)
      }
      await clickhouse.run(`alter table scans drop partition ${partitionOf(month)}`)
    }
  }
  return { name: 'clickhouse-retention', everyMs: EVERY_MS, run }
}

/** A month as partitions are named: 202611 */
export const partitionOf = (month: number) =>
  dateText(firstDayOfMonth(month)).slice(0, 7).replace('-', '')

/** The months that have a partition, the oldest first */
export async function monthsWithScans(clickhouse: ClickHouse): Promise<number[]> {
  const sql = `select distinct partition from system.parts
    where database = currentDatabase() and table = 'scans' and active order by partition`
  const rows = await clickhouse.rows<{ partition: string }>(sql)
  return rows.map(
    ({ partition }) => Number(partition.slice(0, 4)) * 12 + Number(partition.slice(4)) - 1,
  )
}

/** Keeps what a month's scans add up to, day by day, in place of what an earlier try has kept. */
export async function keepSums(clickhouse: ClickHouse, month: number): Promise<void> {
  for (const table of ['scan_sums', 'facet_sums']) {
    await clickhouse.run(`alter table ${table} drop partition ${partitionOf(month)}`)
  }
  const days = await clickhouse.rows<{ day: number }>(`select distinct day from scans
    where day >= ${firstDayOfMonth(month)} and day < ${firstDayOfMonth(month + 1)} order by day`)
  for (const { day } of days) await keepDay(clickhouse, day)
}

async function keepDay(clickhouse: ClickHouse, day: number): Promise<void> {
  const keys = 'workspace_id, code_id, quarter'
  await clickhouse.run(`insert into scan_sums
    select ${keys}, sum(persons), sum(firsts), sum(others) from (
      select workspace_id, code_id, intDiv(at, ${QUARTER_MS}) as quarter,
        countIf(${PERSON}) as persons, 0 as firsts, countIf(not (${PERSON})) as others
      from scans where day = ${day} group by ${keys}
      union all
      select workspace_id, code_id, intDiv(first, ${QUARTER_MS}) as quarter, 0, count(), 0
      from (select workspace_id, code_id, min(at) as first from scans
        where day = ${day} and ${PERSON} and visitor != 0
        group by workspace_id, code_id, visitor)
      group by ${keys})
    group by ${keys}`)
  const facets = facetNames.map((name) => `('${name}', ${name})`)
  await clickhouse.run(`insert into facet_sums
    select workspace_id, code_id, day, facet.1, facet.2, count() from scans
    array join [${facets}] as facet
    where day = ${day} and ${PERSON} group by workspace_id, code_id, day, facet`)
}
