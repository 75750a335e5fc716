import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { NOW_MINUTES, NOW_SCANS_MAX, type Now } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { quarterOf } from '../../dates.ts'
import { apps } from '../record/user-agents/apps.ts'
import { idFrom } from '../store/ledger/scan-ids.ts'
import type { Series } from './daily-breakdown.ts'
import { labelOf } from './labels.ts'
import { columnOf, type Wanted } from './scan-rows.ts'

/*
 * The newest scans. The ledger has no index by code, so we look at a number of its newest
 * rows, of all codes. The rollup, which has the code in its key, says first if there can be one.
 */

/** A page that asks every two seconds sees each scan of a server with up to 2,500 a second. */
const LATEST_ROWS_MAX = 5_000
const NOW_ROWS_MAX = 20_000

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

const shown = ['at', 'city', 'country', 'device', 'os'] as const
type Shown = Pick<Tables['scans'], (typeof shown)[number]>

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
    .select(['id', 'code_id', 'class', 'region', 'browser', 'language', 'referrer', ...shown])
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

/** The newest scan of a code by a person after an instant in epoch milliseconds. */
export async function latestScan(db: Db, codeId: string, after: number) {
  if ((await scannedCodes(db, [codeId], after)).length === 0) return null
  const scan = await newestScans(db, [codeId], after + 1, LATEST_ROWS_MAX)
    .select(shown)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return scan ? present(scan) : null
}

const present = ({ at, city, country, device, os }: Shown) => ({
  at: new Date(at).toISOString(),
  place: { city, country: country && labelOf('country', country) },
  device,
  os,
})

/**
 * The scans of these codes in each of the last minutes, and the newest ones. A minute that was not looked
 * at to its beginning is null.
 */
export async function scansNow(db: Db, codes: Series[], at: number, wanted: Wanted): Promise<Now> {
  // Whole minutes, the last of which is under way
  const from = (Math.floor(at / MINUTE_MS) - NOW_MINUTES + 1) * MINUTE_MS
  const nameOf = new Map(codes.map(({ id, name }) => [id, name]))
  const ids = await scannedCodes(db, [...nameOf.keys()], from, wanted.kind)
  const { since, minutes, scans } = await newestOf(db, ids, from, wanted)
  return {
    at: new Date(at).toISOString(),
    minutes: Array.from({ length: NOW_MINUTES }, (_, minute) =>
      from + minute * MINUTE_MS < since ? null : (minutes.get(minute) ?? 0),
    ),
    scans: scans.map(({ id, code_id, ...scan }) => ({
      id,
      code: { id: code_id, name: nameOf.get(code_id) ?? '' },
      ...present(scan),
    })),
  }
}

/** `since` is where the rows that were looked at begin, in epoch milliseconds. */
async function newestOf(db: Db, codeIds: string[], from: number, wanted: Wanted) {
  if (codeIds.length === 0) return { since: from, minutes: new Map<number, number>(), scans: [] }
  const own = newestScans(db, codeIds, from, NOW_ROWS_MAX, wanted)
  const minute = sql<number>`(at - ${sql.lit(from)}) / ${sql.lit(MINUTE_MS)}`
  const minutes = await own
    .select([minute.as('minute'), sql<number>`count(*)`.as('scans')])
    .groupBy('minute')
    .execute()
  const scans = await own
    .select(['id', 'code_id', ...shown])
    .orderBy('id', 'desc')
    .limit(NOW_SCANS_MAX)
    .execute()
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

/** The next rows of the ledger between two ids, of all codes, in the order of their ids. */
export async function scansAfter(
  db: Db,
  { after, until, limit }: { after: string; until: string; limit: number },
) {
  const rows = await db
    .selectFrom('scans')
    .select(['id', 'code_id', 'at', 'class', 'first', 'country', 'region', 'city', 'device', 'os'])
    .select(['browser', 'referrer', 'language'])
    .where('id', '>', after)
    .where('id', '<', until)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ class: kind, ...scan }) => ({ ...scan, isPerson: kind === 'person' }))
}
