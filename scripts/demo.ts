/**
 * `npm run demo`: the real server with a café's codes and three months of scans, in a DATA_DIR of
 * its own (./data/demo unless told otherwise). A later start uses what the first one made.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { plans } from '#contract/billing/plans.ts'
import { type Config, ConfigError, readConfig } from '../src/server/config.ts'
import { owner, PASSWORD, teacher } from '../src/server/demo/cafe.ts'
import { fail } from './command.ts'
import { DemoRefused, makeUnlessMade } from './demo/make-demo.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function settings(): Config {
  if (process.env.DATABASE_URL?.trim()) {
    throw new DemoRefused('The demo keeps its data in a folder of its own: unset DATABASE_URL')
  }
  // The server reads the same environment.
  process.env.DATA_DIR = process.env.DATA_DIR?.trim() || './data/demo'
  // Its screens say once that it is a demo.
  process.env.DEMO = 'data'
  // A line for each request would soon push the addresses out of sight.
  process.env.LOG_LEVEL = process.env.LOG_LEVEL?.trim() || 'warn'
  return readConfig(process.env)
}

function sayHow({ publicUrl, dataDir }: Config, made: Date) {
  const accounts = [owner, teacher].map(
    ({ email, tier }) => `  ${email.padEnd(18)}${PASSWORD.padEnd(19)}${plans[tier].name}`,
  )
  console.log(`
The demo of Tessera is running at ${publicUrl}
Sign in with one of these e-mail addresses and its password:
${accounts.join('\n')}
Its scans end on ${made.toISOString().slice(0, 10)}. For newer ones end it and delete ${dataDir}`)
}

try {
  const config = settings()
  const build = ['scripts/build.ts', '--if-stale']
  const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  const made = await makeUnlessMade(config)
  // It ends the process itself where it cannot start.
  await import('../src/server/main.ts')
  sayHow(config, made)
} catch (error) {
  if (error instanceof ConfigError || error instanceof DemoRefused) fail(error.message)
  fail(`The demo could not be made: ${(error as Error).message}`)
}
