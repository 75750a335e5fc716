import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { scansChecks } from '../../src/server/analytics/store/open-store.ts'
import { systemClock } from '../../src/server/clock.ts'
import { readConfig } from '../../src/server/config.ts'
import type { Location } from '../../src/server/database/connect.ts'
import { examine } from '../../src/server/doctor/finding.ts'
import { startScansServer } from '../support/clickhouse.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { eventually } from '../support/ledger.ts'
import { newPerson, type Person } from '../support/person.ts'
import { ended, settingsOf, startProcess } from '../support/process.ts'
import { runScript } from '../support/script.ts'
import type { Tessera } from '../support/tessera.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

const PASSWORD = 'only-ClickHouse-knows'
const TOKEN = 'a token for metrics'

/** A started server whose ClickHouse is at a port, with a code that was scanned. */
async function startedWith(port: number) {
  const database = await openTestDatabase('postgres')
  const settings = settingsOf(database.location)
  let log = ''
  const { origin, child } = await startProcess({
    dataDir: database.dataDir,
    environment: {
      ...settings,
      SCANS_URL: `http://scans:${PASSWORD}@127.0.0.1:${port}/default`,
      METRICS_TOKEN: TOKEN,
      LOG_LEVEL: 'trace',
    },
    onLog: (text) => {
      log += text
    },
  })
  onTestFinished(async () => {
    await ended(child, 'SIGKILL')
    await database.stop()
  })
  const { SESSION_SECRET: secret = '' } = settings
  const config = readConfig({ PUBLIC_URL: origin })
  const started: Partial<Tessera> = { origin, database, secret, config }
  const owner = await newPerson(started as Tessera)
  const { shortCode } = await owner.code()
  const scanned = await visit(`${origin}/qr/${shortCode}`, { headers: { 'user-agent': FIREFOX } })
  expect(scanned.status).toBe(302)
  return { owner, origin, log: () => log }
}

async function fakeServer(answer: RequestListener): Promise<number> {
  const port = await freePort()
  const server = createServer(answer).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  return port
}

const textOf = ({ headers }: IncomingMessage) => `${PASSWORD} ${JSON.stringify(headers)}`

const refuse: RequestListener = (request, response) =>
  response.writeHead(403).end(`Code: 516. Exception: ${textOf(request)} (AUTHENTICATION_FAILED)`)

const ASKED = ['user', 'qr-codes', 'daily-breakdown', 'figures', 'breakdown?facet=city', 'now']
const answersOf = (owner: Person) =>
  Promise.all(
    ASKED.map(async (path) => {
      const answer = await owner.call(`/api/analytics/${path}`)
      return [path, answer.status, (await answer.json()).code]
    }),
  )

/** The doctor's findings on a ClickHouse. */
const doctorOn = (port: number) => {
  const scans = { url: `http://scans:${PASSWORD}@127.0.0.1:${port}` }
  return examine(scansChecks({ engine: 'postgres', url: '', scans }, systemClock))
}

describe('a start with SCANS_URL', () => {
  test.each<[string, () => Promise<number>]>([
    ['is away', () => freePort()],
    ['refuses', () => fakeServer(refuse)],
    ['is something else', () => fakeServer((request, response) => response.end(textOf(request)))],
  ])(
    'goes on and redirects if the server %s, and figures say 503 without its secrets',
    async (_how, portOf) => {
      const port = await portOf()
      const { owner, origin, log } = await startedWith(port)
      expect(await answersOf(owner)).toEqual(ASKED.map((path) => [path, 503, 'unavailable']))
      const headers = { authorization: `Bearer ${TOKEN}` }
      const metrics = await (await fetch(`${origin}/metrics`, { headers })).text()
      expect(metrics).toContain('\ntessera_scans_waiting 1\n')
      await eventually(async () => log().includes('scans wait: folding fails'))
      expect(log()).toContain('scans wait in the journal for ClickHouse')
      for (const secret of [PASSWORD, `:${port}`, btoa(`scans:${PASSWORD}`)]) {
        expect(log() + metrics).not.toContain(secret)
      }
    },
  )

  const tryWithServer = process.env.TEST_CHDB ? test : () => {}
  tryWithServer('counts what waited when the server is there', async () => {
    const port = await freePort()
    const { owner } = await startedWith(port)
    const { kill } = await startScansServer({ port })
    onTestFinished(kill)
    const total = async () => (await owner.call('/api/analytics/user')).json()
    await eventually(async () => (await total()).totalScans === 1)
    expect((await doctorOn(port))[0]?.found).toMatch(/^ClickHouse .* free/)
  })
})

test('a server that never answers ends a query in time, and the next one at once', async () => {
  let asked = 0
  const port = await fakeServer(() => {
    asked++
  })
  const clickhouse = new ClickHouse({ url: `http://127.0.0.1:${port}` })
  onTestFinished(() => clickhouse.close())
  await expect(clickhouse.rows('select 1', {}, 100)).rejects.toMatchObject({ code: 'TIMEOUT' })
  await expect(clickhouse.rows('select 1')).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(asked).toBe(1)
})

test('a backup says that it has no scans of a ClickHouse, which it does not ask', async () => {
  const { location, dataDir, stop } = await openTestDatabase('postgres')
  onTestFinished(stop)
  const scans = { url: `http://127.0.0.1:${await freePort()}` }
  const place = { dataDir, location: { ...location, scans } as Location, environment: {} }
  const file = join(await newFolder(), 'today.backup')
  const without = 'The scans are in ClickHouse, and not in it'
  expect((await runScript('backup', place, file)).stdout).toContain(without)
  expect((await runScript('backup', place, '--verify', file)).stdout).toContain(without)
  const sqlite = runScript('copy-database', place, 'sqlite')
  await expect(sqlite).rejects.toThrow('SCANS_URL needs PostgreSQL')
})

const GB = 1024 ** 3
const WELL = { version: '25.3.1.1', freeBytes: 90 * GB, share: 0.9, logBytes: GB, parts: 12 }

test.each([
  ['ok', 'ClickHouse 25.3.1.1 answers', WELL],
  ['problem', 'SCANS_URL leads to ClickHouse 24.3.1', { ...WELL, version: '24.3.1' }],
  ['problem', 'has 500 MB of free space', { ...WELL, freeBytes: 500 * 1024 ** 2, share: 0.01 }],
  ['warning', 'has 2048 MB of free space', { ...WELL, freeBytes: 2 * GB, share: 0.01 }],
  ['warning', 'log tables have 2048 MB', { ...WELL, logBytes: 2 * GB }],
  ['warning', 'has 301 parts', { ...WELL, parts: 301 }],
])('the doctor finds the state of a ClickHouse: %s, %s', async (level, words, state) => {
  const port = await fakeServer((_request, response) => {
    response.setHeader('x-clickhouse-query-id', 'x')
    response.end(`${JSON.stringify({ ...state, at: Date.now() })}\n`)
  })
  const [found] = await doctorOn(port)
  expect(found).toMatchObject({ level, found: expect.stringContaining(words) })
})
