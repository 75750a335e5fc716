/**
 * `npm run restore -- FILE`: restores a backup into the empty place that the settings name.
 * `-- --release` lets mails and webhooks out again, which a restore holds.
 */

import { resolve } from 'node:path'
import { raiseGeneration } from '../src/server/analytics/store/ledger/marks.ts'
import { type Restored, restore, type SecretState } from '../src/server/backup/restore.ts'
import { systemClock } from '../src/server/clock.ts'
import { readConfig } from '../src/server/config.ts'
import { removeMark } from '../src/server/database/service-marks.ts'
import { fail, readArguments } from './command.ts'
import { existingDatabase } from './existing-database.ts'

const USAGE = 'npm run restore -- FILE, and when all is well: npm run restore -- --release'

const number = new Intl.NumberFormat('en-US')
const counted = (count: number, thing: string) =>
  `${number.format(count)} ${thing}${count === 1 ? '' : 's'}`

const secrets: Record<SecretState, string> = {
  kept: 'The secret is in DATA_DIR again: second steps and webhook secrets stay as they were',
  same: 'SESSION_SECRET is that of the backup: second steps and webhook secrets stay as they were',
  differs:
    'SESSION_SECRET is another one than in the backup, which is in DATA_DIR/session-secret now. Set SESSION_SECRET to it before you start, or second steps ask for recovery codes and webhooks get new secrets',
  closed:
    'The secret is in the backup, but BACKUP_KEY is not set. Restore with it, or second steps ask for recovery codes and webhooks get new secrets',
  'left out':
    'The backup has no secret. Unless SESSION_SECRET is the former one, second steps ask for recovery codes and webhooks get new secrets',
}

function report(done: Restored) {
  console.log(
    `Restored ${counted(done.rows, 'row')} of ${counted(done.tables, 'table')}, as of ${new Date(done.at).toISOString()}`,
  )
  console.log(
    `Ended: ${counted(done.sessions, 'session')} and ${counted(done.apps, 'connected app')}. People sign in, and connect their apps, again`,
  )
  console.log(
    `Paused: ${counted(done.keys, 'API key')} and ${counted(done.shares, 'share link')}, until their owners turn them on again`,
  )
  console.log(
    `Held: ${counted(done.mails, 'mail')}, and webhooks. When all is well: npm run restore -- --release`,
  )
  console.log(
    'Plans are read again at the payment provider. With Stripe, npm run stripe:relink finds who has paid since',
  )
  console.log(secrets[done.secretState])
  if (done.files > 0) {
    console.log(`The start counts the scans in ${counted(done.files, 'file')} of the journal`)
  }
  if (done.scansIn) {
    console.log(
      'The scans were in ClickHouse and are not in the backup. Bring ClickHouse back to about the same time: scans that waited when the backup was made are inserted into it again',
    )
  }
  for (const journal of done.missing) {
    console.log(`The scans in journal ${journal} were on another machine when the backup was made`)
  }
}

async function release() {
  const database = existingDatabase(readConfig(process.env))
  await removeMark(database.db, 'held').finally(() => database.close())
  console.log('Mails and webhooks go out again')
}

const deps = { clock: systemClock, settleScans: raiseGeneration }
const options = { release: { type: 'boolean', default: false } } as const
const { values, positionals } = readArguments(options, USAGE)
const [name, ...others] = positionals
if (others.length > 0 || (name === undefined) !== values.release) fail(USAGE)
try {
  if (name === undefined) await release()
  else report(await restore(readConfig(process.env), resolve(name), deps))
} catch (error) {
  fail(
    `${values.release ? 'Nothing was changed' : 'Nothing was restored'}: ${(error as Error).message}`,
  )
}
