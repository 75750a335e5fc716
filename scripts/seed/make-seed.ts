import { DAY_MS } from '#contract/time.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import { fillTotals } from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import type { Database } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { seedAccounts, seedCodes, seedEmail } from './seed-codes.ts'
import { rollupsOfDay } from './seed-rollups.ts'
import { seedDays } from './seed-scans.ts'
import { seedVisitors } from './seed-visitors.ts'
import { seedWriter } from './seed-writer.ts'

const ACCOUNTS = 10
/** About 13 months */
const DAYS = 395
/** The newest days of `visitors` that still tell first scans */
const VISITOR_DAYS = 2

export type Seed = {
  scans: number
  codes: number
  accounts?: number
  days?: number
  now: number
}

/** Why there can be no seed, in one line. */
export class SeedRefused extends Error {}

/**
 * Makes codes with scans of the last 13 months: the ledger, its rollups, its totals and its packs. What it makes
 * depends on nothing but the numbers asked for and the instant.
 * @throws SeedRefused where it was made before
 */
export async function makeSeed(database: Database, seed: Seed): Promise<void> {
  const { db, location } = database
  const { codes, accounts = ACCOUNTS, days = DAYS, now } = seed
  await migrate(database)
  const known = db.selectFrom('users').select('id').where('email', '=', seedEmail(1))
  if (await known.executeTakeFirst()) {
    throw new SeedRefused(`This database has a seed already: there is an account ${seedEmail(1)}`)
  }
  const owners = await seedAccounts(db, { codes, accounts, now })
  const writer = seedWriter(location)
  const from = now - days * DAY_MS
  const codeIds = await seedCodes(writer, { count: codes, owners, madeAt: from })
  const agents = new Map(seedVisitors().map(({ agent }) => [agent.id, agent]))
  await writer.write([{ table: 'agents', rows: [...agents.values()] }])
  const today = Math.floor(now / DAY_MS)
  for (const day of seedDays({ count: seed.scans, codeIds, from, to: now })) {
    const { counts, facets } = rollupsOfDay(day)
    const visitors = day.day > today - VISITOR_DAYS ? day.scans.filter(({ first }) => first) : []
    await writer.write([
      { table: 'scans', rows: day.scans },
      { table: 'visitors', rows: visitors.map((scan) => ({ ...scan, day: day.day })) },
      { table: 'scan_counts', rows: counts },
      { table: 'scan_facets', rows: facets },
    ])
  }
  await writer.close()
  await fillTotals(database, new Date(now))
  await packAll(database, new Date(now))
}
