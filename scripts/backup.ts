/**
 * `npm run backup -- FILE`: writes a backup beside the running service, which it reads the settings of.
 * `-- --verify FILE` reads a backup from beginning to end.
 */

import { resolve } from 'node:path'
import { sessionSecret } from '../src/server/accounts/sessions/session-secret.ts'
import { readBackup } from '../src/server/backup/backup-file.ts'
import { backUp } from '../src/server/backup-program.ts'
import { readConfig } from '../src/server/config.ts'
import { fail, readArguments } from './command.ts'
import { existingDatabase } from './existing-database.ts'

const USAGE = 'npm run backup -- [--verify] FILE'

const number = new Intl.NumberFormat('en-US')
const partsOf = ({ tables, rows, files }: { tables: number; rows: number; files: number }) =>
  `${number.format(rows)} rows of ${tables} tables, and ${number.format(files)} files of the journal`

const WITHOUT_SCANS = 'The scans are in ClickHouse, and not in it: back ClickHouse up too'

async function verify(file: string) {
  const found = await readBackup(file, {})
  console.log(`${file} is whole: ${partsOf(found)}`)
  console.log(`It was made on ${new Date(found.at).toISOString()} by version ${found.version}`)
  if (found.scansIn) console.log(WITHOUT_SCANS)
  console.log(found.secret ? 'It has the secret; BACKUP_KEY opens it' : 'It leaves the secret out')
}

async function make(file: string) {
  const config = readConfig(process.env)
  await existingDatabase(config).close()
  const done = await backUp({ config, secret: sessionSecret(config), file })
  console.log(`${file} is written: ${partsOf(done)}`)
  if (!done.hasSecret) {
    console.log(
      'BACKUP_KEY is not set, so the secret is left out. Without it a restore asks for recovery codes in place of second steps, and webhooks get new secrets',
    )
  }
  if (done.lacksScans) console.log(WITHOUT_SCANS)
  for (const journal of done.missing) {
    console.log(
      `The scans in journal ${journal} are not in it: that is on another machine. Back that DATA_DIR up too`,
    )
  }
}

const options = { verify: { type: 'boolean', default: false } } as const
const { values, positionals } = readArguments(options, USAGE)
const [name, ...others] = positionals
if (!name || others.length > 0) fail(USAGE)
try {
  await (values.verify ? verify : make)(resolve(name))
} catch (error) {
  fail(
    `${values.verify ? `${name} cannot be restored` : 'No backup was made'}: ${(error as Error).message}`,
  )
}
