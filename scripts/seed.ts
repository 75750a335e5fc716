/**
 * `npm run seed -- --scans N --codes M`: fills the database with codes and 13 months of their scans,
 * to see how the service does at that size. It reads the environment like the server. The accounts are
 * seed-1@example.com to seed-10@example.com; `--accounts N` makes another number of them.
 */

import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../src/server/config.ts'
import { connect, locationOf } from '../src/server/database/connect.ts'
import { fail } from './command.ts'
import { makeSeed, SeedRefused } from './seed/make-seed.ts'
import { SEED_PASSWORD, seedEmail } from './seed/seed-codes.ts'

const USAGE = 'npm run seed -- --scans N --codes M, with M at least 1, and --accounts N'

function counts(): { scans: number; codes: number; accounts: number } {
  const number = (text: string) => ({ type: 'string', default: text }) as const
  const options = { scans: number('100000'), codes: number('1000'), accounts: number('10') }
  const { values } = parseArgs({ options })
  const [scans, codes, accounts] = [values.scans, values.codes, values.accounts].map(Number) as [
    number,
    number,
    number,
  ]
  const isRight = [scans, codes, accounts].every(Number.isSafeInteger)
  if (!isRight || scans < 0 || codes < 1 || accounts < 1) fail(USAGE)
  return { scans, codes, accounts }
}

try {
  const config = readConfig(process.env)
  const database = connect(locationOf(config), () => {})
  const made = counts()
  const start = performance.now()
  await makeSeed(database, { ...made, now: Date.now() })
  await database.close()
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`${made.scans} scans of ${made.codes} codes in ${seconds} s`)
  console.log(`Sign in as ${seedEmail(1)} with the password "${SEED_PASSWORD}"`)
} catch (error) {
  if (error instanceof ConfigError || error instanceof SeedRefused) fail(error.message)
  fail(`The seed could not be made: ${(error as Error).message}`)
}
