import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { NOW_SCANS_MAX } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db } from '../../../database/schema.ts'
import { QUARTER_MS, quarterOf } from '../../../dates.ts'
import { apps } from '../../user-agents/apps.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import {
  ask,
  between,
  both,
  FIRST_PLACE,
  ORDER,
  type OwnScans,
  ofCodes,
  PERSON,
  taken,
} from '../clickhouse/own-scans.ts'
import { idFrom, partsOfId, scanId } from '../scan-ids.ts'
import { columnOf } from '../scan-rows.ts'
import {
  EVER,
  type LedgerScan,
  type ScansStore,
  type SeenScan,
  type Wanted,
} from '../scans-store.ts'

/*
 * The newest scans. The ledger has no index by code, so we look at a number of its newest
 * rows, of all codes. The rollup, which has the code in its key, says first if there can be one.
 */

/** A page that asks every two seconds sees each scan of a server with up to 2,500 a second. */
const LATEST_ROWS_MAX = 5_000
const NOW_ROWS_MAX = 20_000

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

const EVER_MS = EVER.to * QUARTER_MS

const shown = ['id', 'code_id', 'at', 'city', 'country', 'device', 'os', 'branch'] as const

/** Those of these codes that had visits of a kind since about this instant. */
async function scannedCodes(
  db: Db,
  codeIds: string[],
  since: number,
  kind: Wanted['kind'] = 'people',
): Promise<string[]> {
  if (codeIds.length === 0) return []
  const rows = await db
    .selectFrom('scan_counts')
    .select('code_id')
    .distinct()
    .where('code_id', 'in', codeIds.slice(0, IDS_MAX))
    .where('quarter', '>=', quarterOf(since))
    .where(kind === 'people' ? 'persons' : 'others', '>', 0)
    .execute()
  return rows.map(({ code_id }) => code_id)
}

const PEOPLE: Wanted = { kind: 'people', filters: {} }

function newestScans(
  db: Db,
  codeIds: string[],
  since: number,
  rowsMax: number,
  { kind, filters }: Wanted = PEOPLE,
) {
  const newest = db
    .selectFrom('scans')
    .select(['class', 'region', 'browser', 'language', 'referrer', ...shown])
    .where('id', '>=', idFrom(since))
    .orderBy('id', 'desc')
    .limit(rowsMax)
  return db
    .selectFrom(newest.as('newest'))
    .where('code_id', 'in', codeIds)
    .where('class', kind === 'people' ? '=' : '!=', 'person')
    .where(({ and }) => and(Object.entries(filters).map(isTaken)))
}

const appNames = sql.join(apps.map(({ name }) => name))

/** The condition of a filter, as packs take it (scan-rows.ts). */
function isTaken([name, value]: [string, string]): RawBuilder<SqlBool> {
  const facet = name as Facet
  const column = sql.ref(columnOf(facet))
  if (value !== UNKNOWN) {
    const isValue = sql<SqlBool>`lower(${column}) = ${value.toLowerCase()}`
    return facet === 'app' ? sql`${isValue} and ${column} in (${appNames})` : isValue
  }
  const isUnknown = sql<SqlBool>`${column} is null`
  return facet === 'app' ? sql`(${isUnknown} or ${column} not in (${appNames}))` : isUnknown
}

export async function latestScan(db: Db, codeId: string, after: number) {
  if ((await scannedCodes(db, [codeId], after)).length === 0) return undefined
  const own = newestScans(db, [codeId], after + 1, LATEST_ROWS_MAX).select(shown)
  return own.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

const shownInClickHouse = [...shown.filter((name) => name !== 'id'), 'counter', 'nonce']

type StoredScan = Omit<SeenScan, 'id'> & { counter: number; nonce: string }

/** Gives a scan of ClickHouse its id. */
const seen = <Row extends StoredScan>({ counter, nonce, ...scan }: Row) => ({
  id: scanId(scan.at, counter, nonce),
  ...scan,
})

export async function latestScanInClickHouse(own: OwnScans, codeId: string, after: number) {
  const scans = both(ofCodes(own, [codeId]), between(after + 1, EVER_MS))
  const sql = `select ${shownInClickHouse} from scans where ${scans.sql} and ${PERSON}
    order by at desc, counter desc, nonce desc limit 1`
  const [row] = await ask<StoredScan>(own, sql, scans)
  return row && seen(row)
}

export async function recentScans(db: Db, asked: string[], from: number, wanted: Wanted) {
  const codeIds = await scannedCodes(db, asked, from, wanted.kind)
  if (codeIds.length === 0) return { since: from, minutes: new Map(), scans: [] }
  const own = newestScans(db, codeIds, from, NOW_ROWS_MAX, wanted)
  const minute = sql<number>`(at - ${sql.lit(from)}) / ${sql.lit(MINUTE_MS)}`
  const minutes = await own
    .select([minute.as('minute'), sql<number>`count(*)`.as('scans')])
    .groupBy('minute')
    .execute()
  const scans = await own.select(shown).orderBy('id', 'desc').limit(NOW_SCANS_MAX).execute()
  const unseen = await db
    .selectFrom('scans')
    .select('at')
    .where('id', '>=', idFrom(from))
    .orderBy('id', 'desc')
    .offset(NOW_ROWS_MAX)
    .limit(1)
    .executeTakeFirst()
  return {
    since: unseen ? unseen.at + 1 : from,
    minutes: new Map(minutes.map((row) => [Number(row.minute), Number(row.scans)])),
    scans,
  }
}

export async function recentScansInClickHouse(
  own: OwnScans,
  codeIds: string[],
  from: number,
  wanted: Wanted,
) {
  const scans = both(ofCodes(own, codeIds), between(from, EVER_MS))
  const isWanted = await taken(own, wanted, scans)
  const source = `from scans where ${scans.sql} and ${isWanted.sql}`
  const perMinute = `select intDiv(at - ${from}, ${MINUTE_MS}) as minute, count() as scans ${source} group by minute`
  const minutes = await ask<{ minute: number; scans: number }>(own, perMinute, scans, isWanted)
  const newest = `select ${shownInClickHouse} ${source}
    order by at desc, counter desc, nonce desc limit ${NOW_SCANS_MAX}`
  const rows = await ask<StoredScan>(own, newest, scans, isWanted)
  return {
    since: from,
    minutes: new Map(minutes.map(({ minute, scans }) => [minute, scans])),
    scans: rows.map(seen),
  }
}

export async function scansAfter(
  db: Db,
  { after, until, limit }: Parameters<ScansStore['after']>[0],
): Promise<LedgerScan[]> {
  const rows = await db
    .selectFrom('scans')
    .select([...shown, 'class', 'first', 'region', 'browser', 'referrer', 'language'])
    .where('id', '>', after)
    .where('id', '<', until)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ class: kind, ...scan }) => ({ ...scan, isPerson: kind === 'person' }))
}

/** An id, or the beginning of one, as scans are in the order of ids */
const placeOf = (id: string) => {
  const { at, counter, nonce } = partsOfId(id)
  return { at: Number.isNaN(at) ? EVER_MS : at, counter: counter || 0, nonce }
}

/** Whether a scan was its visitor's first at the code on the day is read of the scans of these codes and days alone. */
export async function scansAfterInClickHouse(
  clickhouse: ClickHouse,
  { after, until, limit }: Parameters<ScansStore['after']>[0],
): Promise<LedgerScan[]> {
  const [begin, end] = [placeOf(after), placeOf(until)]
  const place = `(${ORDER})`
  const part = {
    sql: `${place} > ({at:Int64}, {counter:UInt32}, {nonce:String})
      and ${place} < ({endAt:Int64}, {endCounter:UInt32}, {endNonce:String})`,
    params: { ...begin, endAt: end.at, endCounter: end.counter, endNonce: end.nonce },
  }
  const scans = both(between(begin.at, end.at + 1), part)
  const columns = [...shownInClickHouse, 'region', 'browser', 'referrer', 'language']
  const own = `workspace_id, code_id, day, visitor, class, ${ORDER}`
  const sql = `with found as (select ${[...new Set([...columns, ...own.split(', ')])]}
      from scans where ${scans.sql} order by ${ORDER} limit ${limit})
    select ${columns}, ${PERSON} as isPerson, isPerson and (${own}) in (
      select workspace_id, code_id, day, visitor, class, ${FIRST_PLACE}
      from scans where (workspace_id, code_id, day) in (select workspace_id, code_id, day from found)
        and day >= {firstDay:UInt32} and day <= {lastDay:UInt32} and ${PERSON} and visitor != 0
      group by workspace_id, code_id, day, visitor, class) as first
    from found order by ${ORDER}`
  const rows = await ask<StoredScan & Omit<LedgerScan, keyof SeenScan>>({ clickhouse }, sql, scans)
  return rows.map((row) => ({ ...seen(row), isPerson: Boolean(row.isPerson) }))
}

export async function newestScan(db: Db): Promise<number | undefined> {
  const scans = db.selectFrom('scans').select('at').orderBy('id', 'desc')
  return (await scans.limit(1).executeTakeFirst())?.at
}

/** The parts of the newest days are read, which know their days. */
export async function newestScanInClickHouse(clickhouse: ClickHouse): Promise<number | undefined> {
  const sql =
    'select max(at) as newest, count() as rows from scans where day = (select max(day) from scans)'
  const [row] = await clickhouse.rows<{ newest: number; rows: number }>(sql)
  return row && row.rows > 0 ? row.newest : undefined
}
