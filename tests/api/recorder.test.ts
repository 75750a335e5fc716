import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Capture } from '../../src/server/analytics/capture/capture.ts'
import { CommitThread } from '../../src/server/analytics/capture/commit-thread.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { holdLedger } from '../support/held-database.ts'
import { countedFrom, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { pastLine } from '../support/past-scans.ts'
import { type PrintedCode, printCode } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { times } from '../support/soak.ts'
import { Crowd, IPHONE, visit } from '../support/visitors.ts'

const VISITOR_ADDRESS = '203.0.113.77'

describe.each(engines)('the recorder on %s', (engine) => {
  let place: Place
  let service: Service
  let code: PrintedCode

  const start = () => startService({ ...place, environment: { TRUST_PROXY: '1' } })
  beforeAll(async () => {
    place = await newPlace(engine)
    service = await start()
  })
  afterAll(async () => {
    await service.stop()
    await place.remove()
  })
  beforeEach(async () => {
    code = await printCode(service.database.db)
    await visit(`${service.origin}/qr/${code.key}`, { method: 'HEAD' })
    await stored()
  })

  const stored = () => allCounted(service)
  const named = (count: number, name: string) =>
    Array.from({ length: count }, (_, number) => `${IPHONE} ${name}/${number}`)

  async function scan(count: number, name: string): Promise<string[]> {
    const visitors = named(count, name)
    const answers = await Promise.all(
      visitors.map((who) =>
        visit(`${service.origin}/qr/${code.key}`, {
          headers: { 'user-agent': who, 'x-forwarded-for': VISITOR_ADDRESS },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 302))
    return visitors
  }

  async function everyScanOnce(sent: string[]) {
    const persons = async () =>
      (await ledgerOf(service.database.db)).filter(
        (row) => row.class === 'person' && row.code_id === code.id,
      )
    await eventually(async () => (await persons()).length >= sent.length)
    await stored()
    expect((await persons()).map((row) => row.text).sort()).toEqual([...sent].sort())
    const ledger = await ledgerOf(service.database.db)
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  }

  const folder = () => join(place.dataDir, 'spill')
  const spilled = async () =>
    (await readdir(folder()))
      .filter((name) => name.startsWith('scans-'))
      .map((name) => join(folder(), name))

  const newCapture = () =>
    Capture.start({
      ...{ database: service.database, clock: service.clock.now, dataDir: place.dataDir },
      ...{ log: pino({ level: 'silent' }), processId: process.pid, config: service.config },
      stopPatienceMs: 100,
    })

  /** Starts to capture, which replays the spill files, and stops when they are gone. */
  async function replay() {
    const capture = await newCapture()
    await eventually(async () => (await spilled()).length === 0)
    await capture.stop()
  }

  test('every scan is stored at the first try', async () => {
    const { counts } = service.capture.recorder
    const before = counts.recorded
    const sent = await scan(40, 'healthy')
    await stored()
    expect(counts.recorded).toBe(before + 40)
    expect(counts).toMatchObject({ failedCommits: 0, spilled: 0, refused: 0, lost: 0 })
    await everyScanOnce(sent)
  })

  test('two processes write the same counts, and each scan is in them once', async () => {
    const second = await start()
    const crowds = [service, second].map((each, n) => {
      const crowd = new Crowd(`process-${n}`)
      crowd.start([`${each.origin}/qr/${code.key}`])
      return crowd
    })
    const enough = times(100, 20_000)
    await eventually(() => crowds.every(({ answered }) => answered.length > enough))
    await Promise.all(crowds.map((crowd) => crowd.stop()))
    await second.stop()
    expect(crowds.flatMap(({ faults }) => faults)).toEqual([])
    await everyScanOnce(crowds.flatMap(({ answered }) => answered))
  })

  test('while another writer holds the ledger, redirects go out and their scans are stored later', async () => {
    const { recorder } = service.capture
    const before = recorder.counts.answeredBeforeCommit
    const held = await holdLedger(place.location)
    const sent = await scan(30, 'held')
    expect(recorder.counts.answeredBeforeCommit - before).toBe(30)
    expect(recorder.backlog).toBe(30)
    expect((await visit(`${service.origin}/healthz`)).status).toBe(200)
    sent.push(...(await scan(10, 'more')))
    await held.release()
    await everyScanOnce(sent)
    expect(recorder.counts).toMatchObject({ spilled: 0, lost: 0 })
  })

  test('requests that come at once share a transaction, and each gets an answer', async () => {
    const thread = new CommitThread(place.location)
    const agents = named(10, 'thread')
    const lines = agents.map((agent) => pastLine({ code_id: code.id, at: Date.now(), agent }))
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) => thread.commit(lines.slice(2 * n, 2 * n + 2))),
    )
    await thread.stop()
    expect(replies.map((reply) => reply.ok)).toEqual([true, true, true, true, true])
    const transactions = replies.reduce((sum, reply) => sum + (reply.ok ? reply.commits : 0), 0)
    expect(transactions).toBeLessThan(5)
    await everyScanOnce(agents)
  })

  test('scans that a stop cannot store are replayed once, from each copy of their file', async () => {
    const capture = await newCapture()
    const sent = named(25, 'spilled')
    const held = await holdLedger(place.location)
    const answers = sent.map((agent) => {
      const headers = { 'user-agent': agent }
      const visitor = { method: 'GET', address: VISITOR_ADDRESS, headers }
      return new Promise<void>((resolve) => capture.record(code.id, visitor, resolve))
    })
    await capture.stop()
    await Promise.all(answers)
    await held.release()
    expect(capture.recorder.counts).toMatchObject({ spilled: 25, lost: 0 })

    const [file = ''] = await spilled()
    const lines = await readFile(file, 'utf8')
    expect(lines.trim().split('\n')).toHaveLength(25)
    expect(lines).not.toContain(VISITOR_ADDRESS)
    await copyFile(file, join(folder(), 'scans-copy.jsonl'))
    await writeFile(join(folder(), 'scans-0.jsonl'), `${lines}${lines}`)
    await replay()
    await everyScanOnce(sent)
    await writeFile(join(folder(), 'scans-late.jsonl'), lines)
    await replay()
    await everyScanOnce(sent)
  })

  test('a scan that the database refuses is set aside and keeps no other out', async () => {
    const lineOf = (agent: string) => pastLine({ code_id: code.id, at: Date.now(), agent })
    const sent = named(7, 'good')
    const good = sent.map(lineOf)
    // PostgreSQL stores no NUL in a text.
    const bad = lineOf('bad \0')
    const lines = engine === 'postgres' ? [...good.slice(0, 3), bad, ...good.slice(3)] : good
    await mkdir(folder(), { recursive: true })
    await writeFile(join(folder(), 'scans-odd.jsonl'), lines.join('\n'))
    await replay()
    await everyScanOnce(sent)
    const refused = await readFile(join(folder(), 'refused-scans.jsonl'), 'utf8').catch(() => '')
    expect(refused).toBe(engine === 'postgres' ? `${bad}\n` : '')
  })

  test('no table ever holds an address', async () => {
    await everyScanOnce(await scan(3, 'address'))
    const tables = ['scans', 'agents', 'visitors', 'scan_counts', 'scan_facets', 'visitor_salts']
    for (const table of tables) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(service.database.db)
      expect(rows.length).toBeGreaterThan(0)
      for (const address of [VISITOR_ADDRESS, '127.0.0.1']) {
        expect(JSON.stringify(rows)).not.toContain(address)
      }
    }
  })
})
