import { DAY_MS } from '#contract/time.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import type { Scan } from '../../src/server/analytics/store/scan.ts'
import { fillTotals } from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import { writeScans } from '../../src/server/analytics/store/write-scans.ts'
import type { Database } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { seedAccounts, seedCodes, seedEmail } from './seed-codes.ts'
import { seedDays } from './seed-scans.ts'

const ACCOUNTS = 10
/** About 13 months */
const DAYS = 395
const SCANS_AT_A_TIME = 50_000

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
  const from = now - days * DAY_MS
  const made = await seedCodes(db, { count: codes, owners, madeAt: from })
  const codeIds = made.map(({ id }) => id)
  let waiting: Scan[] = []
  for (const scans of seedDays({ count: seed.scans, codeIds, from, to: now })) {
    waiting = waiting.concat(scans)
    if (waiting.length < SCANS_AT_A_TIME) continue
    await writeScans(location, waiting)
    waiting = []
  }
  await writeScans(location, waiting)
  await fillTotals(database, new Date(now))
  await packAll(database, new Date(now))
}
