/**
 * `npm run copy-database -- postgres://…`, or `-- sqlite` for a file in DATA_DIR: copies the server's database to
 * another one beside the running service. `-- --take-back` lets the server start on the old database again.
 */

import { copyDatabase } from '../src/server/backup/copy-database.ts'
import { type Config, ConfigError, readConfig } from '../src/server/config.ts'
import { connect, type Location, locationOf } from '../src/server/database/connect.ts'
import { removeMark } from '../src/server/database/service-marks.ts'
import { fail, readArguments } from './command.ts'
import { existingDatabase, ofThisVersion } from './existing-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'npm run copy-database -- postgres://…, or -- sqlite, or -- --take-back'

const number = new Intl.NumberFormat('en-US')

function targetOf(text: string, { dataDir }: Config): Location {
  if (text === 'sqlite') return locationOf({ dataDir })
  return /^postgres(ql)?:\/\//.test(text) ? { engine: 'postgres', url: text } : fail(USAGE)
}

const withoutPassword = (url: string) => url.replace(/:[^:@/]*@/, '@')
const nameOf = (place: Location) =>
  place.engine === 'postgres' ? withoutPassword(place.url) : place.file

async function copy(config: Config, to: Location) {
  const source = existingDatabase(config)
  if (to.engine === 'sqlite' && source.location.engine === 'sqlite')
    throw new ConfigError('Both databases are SQLite')
  if (to.engine === 'sqlite' && config.scans)
    throw new ConfigError('SCANS_URL needs PostgreSQL: bring the scans back into it first')
  await ofThisVersion(source)
  const target = connect(to, () => {})
  try {
    const tables = await copyDatabase({
      source,
      target,
      targetName: nameOf(to),
      say: (line) => console.log(line),
    })
    for (const { name, rows, sum } of tables) {
      console.log(`${name.padEnd(24)} ${number.format(rows).padStart(14)} rows  ${sum}`)
    }
  } finally {
    await target.close()
    await source.close()
  }
  console.log(
    `All ${nameOf(to)} has is the same. Now stop the server, and start it with the same DATA_DIR`,
  )
  if (to.engine === 'sqlite') return console.log(`and ${to.file} in it, without DATABASE_URL`)
  const secret = config.sessionSecret
    ? 'the same SESSION_SECRET'
    : 'SESSION_SECRET=$(cat DATA_DIR/session-secret)'
  console.log(`and DATABASE_URL of the new database, and ${secret}`)
  console.log('To go back instead: npm run copy-database -- --take-back, with the former settings')
}

async function takeBack(config: Config) {
  const database = existingDatabase(config)
  await removeMark(database.db, 'moved').finally(() => database.close())
  console.log(
    'The server starts on this database again. What the other one has had since is not in it',
  )
}

const options = { 'take-back': { type: 'boolean', default: false } } as const
const { values, positionals } = readArguments(options, USAGE)
const [to, ...others] = positionals
if (others.length > 0 || (to === undefined) !== values['take-back']) fail(USAGE)
const move = async () => {
  const config = readConfig(process.env)
  await (to === undefined ? takeBack(config) : copy(config, targetOf(to, config)))
}

await runCommand(move, 'The database was not moved, and the server can go on')
