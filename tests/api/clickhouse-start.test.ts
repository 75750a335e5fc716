import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { prepareScans } from '../../src/server/analytics/store/open-store.ts'
import type { ScansPlace } from '../../src/server/database/connect.ts'
import { scansIn } from '../support/clickhouse.ts'
import { newFolder } from '../support/folder.ts'
import { listen } from '../support/free-port.ts'
import { SERVER, settingsOf } from '../support/process.ts'
import { databaseForBlock } from '../support/test-database.ts'

const database = databaseForBlock('postgres')

/** Runs a start that ends with 1, and returns what it says. */
async function refused(settings: Record<string, string>): Promise<string> {
  const { HOME = '', PATH = '' } = process.env
  const env = { HOME, PATH, PORT: '0', DATA_DIR: await newFolder(), ...settings }
  const child = spawn('node', SERVER, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const said = await text(child.stderr)
  expect(await ended).toBe(1)
  return said
}

test('SCANS_URL without DATABASE_URL is refused with one line', async () => {
  expect(await refused({ SCANS_URL: 'http://127.0.0.1:8123/tessera' })).toMatch(
    /^DATABASE_URL is required with SCANS_URL.*\n$/,
  )
})

test('a server that is too old is refused with one line', async () => {
  // What Debian's clickhouse-server answers.
  const old = createServer((_, response) => response.end('{"version":"18.16.1"}\n'))
  onTestFinished(() => void old.close())
  const scans = { url: `http://127.0.0.1:${await listen(old, '127.0.0.1')}/default` }
  expect(
    await refused(settingsOf({ ...database.location, scans } as typeof database.location)),
  ).toBe('SCANS_URL leads to ClickHouse 18.16.1. Tessera needs 24.8 or later\n')
})

test('a table that would take repeated scans twice is refused', async () => {
  const clickhouse = new ClickHouse(scansIn(database.location) as ScansPlace)
  await prepareScans(database)
  await clickhouse.run('alter table scans modify setting non_replicated_deduplication_window = 0')
  await expect(prepareScans(database)).rejects.toThrow(
    'a ClickHouse that would count repeated scans twice: the deduplication window of its table scans',
  )
  await clickhouse.close()
})
