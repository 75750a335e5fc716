/**
 * `npm run rebuild-rollups`: recomputes the rollups from the ledger. It reads the environment like
 * the server, and may run beside it.
 */
import { existsSync } from 'node:fs'
import { rebuildRollups } from '../src/server/analytics/ledger/rebuild.ts'
import { ConfigError, readConfig } from '../src/server/config.ts'
import { connect, type Location, locationOf } from '../src/server/database/connect.ts'

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** To open a missing SQLite file would create it. */
function refuseMissing(location: Location) {
  if (location.engine === 'sqlite' && !existsSync(location.file)) {
    fail(`DATA_DIR holds no database: ${location.file} does not exist`)
  }
}

try {
  const location = locationOf(readConfig(process.env))
  refuseMissing(location)
  const database = connect(location, () => {})
  const codes = await rebuildRollups(database)
  await database.close()
  console.log(`Rollups rebuilt from the ledger; codes: ${codes}`)
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  fail(`The rollups could not be rebuilt: ${(error as Error).message}`)
}
