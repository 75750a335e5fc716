/**
 * `npm run rebuild-rollups`: mends the rollups from the ledger. It reads the environment like
 * the server, and may run beside it.
 */

import { rebuildRollups } from '../src/server/analytics/store/repair/repair.ts'
import { ConfigError, readConfig } from '../src/server/config.ts'
import { fail } from './command.ts'
import { existingDatabase, ofThisVersion } from './existing-database.ts'

try {
  const database = existingDatabase(readConfig(process.env))
  await ofThisVersion(database)
  const { days, changed } = await rebuildRollups(database)
  await database.close()
  console.log(`Rollups rebuilt from the ledger; days: ${days}, numbers mended: ${changed}`)
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  fail(`The rollups could not be rebuilt: ${(error as Error).message}`)
}
