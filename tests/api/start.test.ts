import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'
import { connect } from '../../src/server/database/connect.ts'
import { refuseEmptyStart } from '../../src/server/database/empty-start.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { refuseStart } from '../../src/server/database/schema-version.ts'
import { type MarkName, removeMark, setMark } from '../../src/server/database/service-marks.ts'
import { engines, newPlace, oneEngineInCi } from '../support/engines.ts'
import { freePort, listen } from '../support/free-port.ts'
import { ended, settingsOf } from '../support/process.ts'
import { runScript } from '../support/script.ts'
import { isSoak } from '../support/soak.ts'

/** The environment of a newcomer, without ours and the test runner’s; modules are kept as npm start has it. */
const { HOME = '', PATH = '' } = process.env
const NEWCOMER = { HOME, PATH, NODE_COMPILE_CACHE: 'dist/compile-cache' }
const SERVER = ['node', 'src/server/main.ts']

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-start-'))
  await chmod(dataDir, 0o755)
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

function run([command = '', ...args]: string[], settings: Record<string, string>) {
  const env = { ...NEWCOMER, DATA_DIR: dataDir, ...settings }
  const child = spawn(command, args, { env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const says = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => output.includes(text) && resolve(output)
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`it ended without it:\n${output}`)))
    })
  return { child, says, output: () => output }
}

/** Runs a start that ends with 1, and returns its output. */
async function refused(command: string[], settings: Record<string, string>): Promise<string> {
  const { child, says, output } = run(command, settings)
  const end = new Promise((resolve) => child.once('close', resolve))
  // A start that goes on would hold the test up.
  says('Tessera is running at').then(
    () => child.kill(),
    () => {},
  )
  expect(await end).toBe(1)
  expect(output()).not.toMatch(/^\s+at /m)
  return output()
}

async function startsAndStops(settings: Record<string, string>) {
  const { child, says } = run(SERVER, { PORT: String(await freePort()), ...settings })
  await says('Tessera is running at')
  expect(await ended(child, 'SIGTERM')).toBe(0)
}

test('npm start prints its address, serves the landing page and ends with 0', async () => {
  const port = await freePort()
  const { child, says } = run(['npm', 'start'], { PORT: String(port) })
  await says(`Tessera is running at http://localhost:${port}`)
  const page = await fetch(`http://localhost:${port}/`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Create &amp; Manage QR Codes Like a Pro')
  expect(await ended(child, 'SIGTERM')).toBe(0)
  expect(await readdir(dataDir)).toContain('tessera.sqlite')
})

test.skipIf(process.platform === 'win32')('no other user can read what it stored', async () => {
  const files = ['.', ...(await readdir(dataDir))]
  expect(files).toEqual(expect.arrayContaining(['session-secret', 'has-database']))
  const modes = await Promise.all(files.map(async (name) => (await stat(join(dataDir, name))).mode))
  expect(modes.map((mode) => mode & 0o077)).toEqual(files.map(() => 0))
})

test('a bad setting stops the start with one line that names it', async () => {
  const output = await refused(SERVER, { PORT: 'eighty' })
  expect(output).toMatch(/^PORT .*a port from 0 to 65535\n$/)
})

test('a DATA_DIR that lost its SQLite file does not start empty without EMPTY_OK', async () => {
  const file = join(dataDir, 'tessera.sqlite')
  await rm(file)
  expect(await refused(SERVER, {})).toBe(
    `DATA_DIR had a database, but ${file} is gone: bring it back; EMPTY_OK=1 starts empty\n`,
  )
  expect(await readdir(dataDir)).not.toContain('tessera.sqlite')
  await startsAndStops({ EMPTY_OK: '1' })
  if (isSoak) await startsAndStops({})
})

test('a host that is not of this machine stops the start with one line', async () => {
  expect(await refused(SERVER, { HOST: '203.0.113.9' })).toBe(
    'HOST is 203.0.113.9, which is not an address of this machine\n',
  )
})

test('a port in use stops the start with one line, before it touches a database', async () => {
  const other = createServer()
  const port = await listen(other, '0.0.0.0')
  const file = join(dataDir, 'elsewhere')
  expect(await refused(SERVER, { PORT: `${port}`, DATA_DIR: file })).toBe(
    `PORT is ${port}, which is in use: end the other program, or set another\n`,
  )
  expect(existsSync(file)).toBe(false)
  other.close()
})

describe.each(engines)('a start on %s', (engine) => {
  const newer = 'The database is of a newer version of Tessera than this one: start that'
  const marks: [MarkName, string][] = [
    ['arriving', 'A restore or copy into this database has not finished: run it again'],
    [
      'moved',
      'This database was copied to another one: start there, or run npm run copy-database -- --take-back',
    ],
  ]

  test('is refused with one line on a database of a newer version, half a database, and one that was copied elsewhere', async () => {
    const place = await newPlace(engine)
    const { db, close } = connect(place.location, () => {})
    for (const [name, words] of marks) {
      await setMark(db, name, { at: 1, value: '' })
      await expect(refuseStart(db)).rejects.toThrow(words)
      await removeMark(db, name)
    }
    await refuseStart(db)
    await sql`insert into kysely_migration values ('999-later', '2030-01-01')`.execute(db)
    await expect(refuseStart(db)).rejects.toThrow(newer)
    if (oneEngineInCi.includes(engine)) {
      const settings = { DATA_DIR: place.dataDir, ...settingsOf(place.location) }
      expect(await refused(SERVER, { PORT: `${await freePort()}`, ...settings })).toBe(`${newer}\n`)
    }
    if (isSoak) {
      const script = runScript('rebuild-rollups', place)
      expect(await script.catch(({ stderr }) => stderr)).toBe(`${newer}\n`)
    }
    await close()
    await place.remove()
  })
})

if (engines.includes('postgres')) {
  test('an empty database beside a SQLite file is refused without EMPTY_OK', async () => {
    const beside = await newPlace('sqlite')
    const { location, remove } = await newPlace('postgres', { empty: true })
    const database = connect(location, () => {})
    const start = (settings = {}) => {
      const environment = { DATA_DIR: beside.dataDir, ...settingsOf(location), ...settings }
      return refuseEmptyStart(database, readConfig(environment))
    }
    await expect(start()).rejects.toThrow(
      `DATABASE_URL names an empty database, but DATA_DIR holds ${join(beside.dataDir, 'tessera.sqlite')}: ` +
        'unset DATABASE_URL to use that; EMPTY_OK=1 starts empty',
    )
    await start({ EMPTY_OK: '1' })
    await migrate(database)
    await start()
    await database.close()
    await remove()
    await beside.remove()
  })
}
