import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { prepareScans } from '../../src/server/analytics/store/open-store.ts'
import { ConfigError } from '../../src/server/config.ts'
import type { Location, ScansPlace } from '../../src/server/database/connect.ts'
import { scansIn } from '../support/clickhouse.ts'
import { listen } from '../support/free-port.ts'
import { databaseForBlock } from '../support/test-database.ts'

const database = databaseForBlock('postgres')

test('a server that is too old is refused', async () => {
  // As Debian's clickhouse-server answers.
  const headers = { 'x-clickhouse-server-display-name': 'scans' }
  const old = createServer((_, to) => to.writeHead(200, headers).end('{"version":"18.16.1"}\n'))
  onTestFinished(() => void old.close())
  const scans = { url: `http://127.0.0.1:${await listen(old, '127.0.0.1')}/default` }
  const location = { ...database.location, scans } as Location
  await expect(prepareScans({ ...database, location })).rejects.toThrow(
    new ConfigError('SCANS_URL leads to ClickHouse 18.16.1. Tessera needs 24.8 or later'),
  )
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
