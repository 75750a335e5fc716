import { expect } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { scanId } from '../../src/server/analytics/store/scan-ids.ts'
import type { Database, ScansPlace } from '../../src/server/database/connect.ts'
import type { Db, Tables } from '../../src/server/database/schema.ts'
import { atOneInstant } from '../../src/server/database/transact.ts'
import { scansIn } from './clickhouse.ts'
import { STEP_LIMIT_MS } from './limits.ts'

export type LedgerRow = Tables['scans'] & { text: string | null }

/** The scans of all codes or of these, oldest first, each row with the text of its User-Agent. */
export async function ledgerOf(
  { db, location }: Pick<Database, 'db' | 'location'>,
  codes?: string[],
): Promise<LedgerRow[]> {
  const place = scansIn(location)
  if (place) return inClickHouse(place, codes)
  return db
    .selectFrom('scans')
    .leftJoin('agents', 'agents.id', 'scans.agent')
    .selectAll('scans')
    .select('agents.text')
    .$if(codes !== undefined, (query) => query.where('scans.code_id', 'in', codes ?? []))
    .orderBy('scans.at')
    .orderBy('scans.id')
    .execute()
}

type StoredScan = LedgerRow & { counter: number; nonce: string }

async function inClickHouse(place: ScansPlace, codes: string[] = []): Promise<LedgerRow[]> {
  const clickhouse = new ClickHouse(place)
  const rows = await clickhouse.rows<StoredScan>(
    `select *, agent as text, class = 'person' and visitor != 0 and row_number() over
        (partition by code_id, day, visitor, class order by at, counter, nonce) = 1 as first
      from scans where code_id in {codes:Array(String)} or empty({codes:Array(String)})
      order by at, counter, nonce`,
    { codes },
  )
  await clickhouse.close()
  return rows.map(({ counter, nonce, ...row }) => ({ ...row, id: scanId(row.at, counter, nonce) }))
}

const QUARTER_MS = 900_000
const FACETS = ['branch', 'country', 'device', 'os', 'browser', 'referrer', 'language'] as const

/** The rollups as lines of `key: numbers`, sorted the same on both engines. */
export type Rollups = { counts: string[]; facets: string[] }

/** The rollups of all codes or of these. */
export async function rollupsOf(db: Db, codes?: string[]): Promise<Rollups> {
  const ofThese = codes ?? []
  const counts = await db
    .selectFrom('scan_counts')
    .selectAll()
    .$if(codes !== undefined, (query) => query.where('code_id', 'in', ofThese))
    .execute()
  const facets = await db
    .selectFrom('scan_facets')
    .selectAll()
    .$if(codes !== undefined, (query) => query.where('code_id', 'in', ofThese))
    .execute()
  return rollupLines({ counts, facets })
}

type RollupRows = {
  counts: Tables['scan_counts'][]
  facets: Tables['scan_facets'][]
}

export const rollupLines = ({ counts, facets }: RollupRows): Rollups => ({
  counts: counts
    .map((row) => `${row.code_id} ${row.quarter}: ${row.persons} ${row.firsts} ${row.others}`)
    .sort(),
  facets: facets
    .map((row) => `${row.code_id} ${row.day} ${row.facet} ${row.value}: ${row.persons}`)
    .sort(),
})

/** Counts row by row what the rollups must be. */
export function countedFrom(ledger: LedgerRow[]): Rollups {
  const counts = new Map<string, [number, number, number]>()
  const facets = new Map<string, number>()
  for (const row of ledger) {
    const isPerson = row.class === 'person'
    const key = `${row.code_id} ${Math.floor(row.at / QUARTER_MS)}`
    const [persons, firsts, others] = counts.get(key) ?? [0, 0, 0]
    counts.set(key, [persons + Number(isPerson), firsts + row.first, others + Number(!isPerson)])
    for (const facet of isPerson ? FACETS : []) {
      if (row[facet] === null) continue
      const facetKey = `${row.code_id} ${Math.floor(row.at / DAY_MS)} ${facet} ${row[facet]}`
      facets.set(facetKey, (facets.get(facetKey) ?? 0) + 1)
    }
  }
  return {
    counts: [...counts].map(([key, numbers]) => `${key}: ${numbers.join(' ')}`).sort(),
    facets: [...facets].map(([key, persons]) => `${key}: ${persons}`).sort(),
  }
}

/**
 * Checks that the ledger's rows, of all or these codes, agree with their rollups, and returns the rows.
 * Both are read at one instant, so a fold may go on at the same time.
 */
export function countedLedger(database: Database, codeIds?: string[]): Promise<LedgerRow[]> {
  return atOneInstant(database, async (db) => {
    const ledger = await ledgerOf({ ...database, db }, codeIds)
    // ClickHouse keeps no rollups of days whose scans it has.
    if (scansIn(database.location)) return ledger
    expect(await rollupsOf(db, codeIds)).toEqual(countedFrom(ledger))
    return ledger
  })
}

/** Waits until a condition holds, and fails the test after the limit. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  limitMs = STEP_LIMIT_MS,
): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not so after ${limitMs} ms: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
