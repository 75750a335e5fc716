import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { NOW_SCANS_MAX } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db } from '../../../database/schema.ts'
import { quarterOf } from '../../../dates.ts'
import { apps } from '../../user-agents/apps.ts'
import { idFrom } from '../scan-ids.ts'
import { columnOf } from '../scan-rows.ts'
import type { LedgerScan, ScansStore, Wanted } from '../scans-store.ts'

/*
 * The newest scans. The ledger has no index by code, so we look at a number of its newest
 * rows, of all codes. The rollup, which has the code in its key, says first if there can be one.
 */

/** A page that asks every two seconds sees each scan of a server with up to 2,500 a second. */
const LATEST_ROWS_MAX = 5_000
const NOW_ROWS_MAX = 20_000

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

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

export async function newestScan(db: Db): Promise<number | undefined> {
  const scans = db.selectFrom('scans').select('at').orderBy('id', 'desc')
  return (await scans.limit(1).executeTakeFirst())?.at
}
