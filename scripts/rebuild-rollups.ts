/**
 * `npm run rebuild-rollups`: mends the rollups from the ledger. It reads the environment like
 * the server, and may run beside it.
 */

import { rebuildRollups } from '../src/server/analytics/store/repair/repair.ts'
import { readConfig } from '../src/server/config.ts'
import { onDatabase } from './existing-database.ts'
import { runCommand } from './run-command.ts'

const rebuild = () =>
  onDatabase(readConfig(process.env), async (database) => {
    const { days, changed } = await rebuildRollups(database)
    console.log(`Rollups rebuilt from the ledger; days: ${days}, numbers mended: ${changed}`)
  })

await runCommand(rebuild, 'The rollups could not be rebuilt')
