import pino from 'pino'
import {
  adoptOrphans,
  claimNew,
  type Owned,
} from '../../../src/server/analytics/record/journal/ownership.ts'

/*
 * A process with journals: `claimNew` or `adoptOrphans` as the parent says, which gets the ids; then it
 * lives until it is killed. No variable keeps what it claimed.
 */

const log = pino({ level: 'silent' })

process.on('message', ({ what, dataDir }: { what: string; dataDir: string }) => {
  const claimed: Owned[] =
    what === 'new' ? [claimNew(dataDir, process.pid)] : adoptOrphans(dataDir, log)
  process.send?.(claimed.map(({ id }) => id))
  setImmediate(() => global.gc?.())
})
