/**
 * `npm run reclassify`: reads stored scans again by today's rules, and mends the figures. It reads the
 * environment like the server, and may run beside it. `-- --dry-run` only
 * reports.
 */

import { DAY_MS } from '#contract/time.ts'
import { rules } from '../src/server/analytics/record/classification.ts'
import { openScans } from '../src/server/analytics/store/open-store.ts'
import type { Reread, RereadOptions } from '../src/server/analytics/store/scans-store.ts'
import { systemClock as clock } from '../src/server/clock.ts'
import { readConfig } from '../src/server/config.ts'
import { fail, readArguments } from './command.ts'
import { onDatabase } from './existing-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'npm run reclassify [-- --dry-run]'
/** A line of progress so often at most */
const TELL_MS = 5_000

const number = new Intl.NumberFormat('en-US')
const scans = (count: number) => `${number.format(count)} ${count === 1 ? 'scan' : 'scans'}`
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

let told = performance.now()
const tell: RereadOptions['onDay'] = ({ day, daysDone, days, scans: done }) => {
  if (performance.now() - told < TELL_MS) return
  told = performance.now()
  console.log(`Day ${daysDone} of ${days} (${dateOf(day)}): ${scans(done)} so far`)
}

function report(done: Reread, isDry: boolean) {
  console.log(
    `${scans(done.scans)} of older rules ${isDry ? 'would be' : 'were'} read again, by version ${rules.version}`,
  )
  const ways = [...done.classes].sort(([, one], [, other]) => other - one)
  for (const [way, count] of ways) console.log(`  ${way}: ${number.format(count)}`)
  if (done.scans > 0 && ways.length === 0) console.log('  None of another class')
  if (done.names > 0)
    console.log(`  Another device, system or browser: ${number.format(done.names)}`)
  if (done.scans > 0) {
    console.log('HEAD requests, prefetches, hints and places are what they were when the scan came')
  }
  if (done.unread > 0)
    console.log(`${scans(done.unread)} keep their class: no User-Agent is stored`)
  if (done.later > 0) console.log(`${scans(done.later)} keep their class: later rules gave it`)
  if (done.from > 0) {
    console.log(`Days before ${dateOf(done.from)} stay as they are: their scans are kept no longer`)
  }
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const options = { 'dry-run': { type: 'boolean', default: false } } as const
const { values, positionals } = readArguments(options, USAGE)
if (positionals.length > 0) fail(USAGE)
const isDry = values['dry-run']
async function reread(): Promise<void> {
  const options = { isDry, signal: stop.signal, onDay: tell }
  const done = await onDatabase(readConfig(process.env), (database) =>
    openScans(database, { clock }).reread(rules, options),
  )
  report(done, isDry)
  if (done.isStopped) fail('Stopped before the end. Run it again to go on')
}

await runCommand(reread, 'The scans could not be read again')
