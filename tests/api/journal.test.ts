import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Capture, openCapture } from '../../src/server/analytics/record/capture.ts'
import { allCounted, scanMetric } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { holdLedger } from '../support/held-database.ts'
import { countedLedger, eventually, ledgerOf } from '../support/ledger.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { type PrintedCode, printCode } from '../support/printed-code.ts'
import { times } from '../support/soak.ts'
import { runTessera, startAnother } from '../support/tessera.ts'
import { Crowd, IPHONE, visit } from '../support/visitors.ts'

const VISITOR_ADDRESS = '203.0.113.77'

describe.each(engines)('the journal of scans on %s', (engine) => {
  const environment = { TRUST_PROXY: '1' }
  const service = runTessera({ engine, environment })
  let code: PrintedCode

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
      (await ledgerOf(service.database)).filter(
        (row) => row.class === 'person' && row.code_id === code.id,
      )
    await eventually(async () => (await persons()).length >= sent.length)
    await stored()
    expect((await persons()).map((row) => row.text).sort()).toEqual([...sent].sort())
    await countedLedger(service.database)
  }

  const journals = () => readdir(join(service.dataDir, 'journal'))
  const left = async () => (await journals()).filter((name) => !name.endsWith('.lock'))

  const newCapture = async (stopPatienceMs = 100) => {
    const capture = await openCapture({
      database: service.database,
      clock: service.clock.now,
      dataDir: service.dataDir,
      log: pino({ level: 'silent' }),
      processId: process.pid,
      config: service.config,
      stopPatienceMs,
    })
    capture.fold(() => {})
    return capture
  }

  /** Records a scan by each, and waits until all are answered. */
  const record = (capture: Capture, visitors: string[]) =>
    Promise.all(
      visitors.map((agent) => {
        const headers = { 'user-agent': agent }
        const visitor = { method: 'GET', address: VISITOR_ADDRESS, headers }
        const at = service.clock.now().getTime()
        const reading = capture.read(visitor, at)
        return new Promise<void>((resolve) =>
          capture.record(code.id, reading, resolve, at, { utm: null }),
        )
      }),
    )

  test('every scan is stored at the first try', async () => {
    const before = scanMetric(service, 'scans_recorded_total')
    const sent = await scan(40, 'healthy')
    await stored()
    expect(scanMetric(service, 'scans_recorded_total')).toBe(before + 40)
    for (const fault of [
      ...['journal_write_failures_total', 'fold_failures_total'],
      ...['scans_refused_total', 'scans_lost_total', 'scans_waiting'],
    ]) {
      expect([fault, scanMetric(service, fault)]).toEqual([fault, 0])
    }
    await everyScanOnce(sent)
  })

  test('two processes write the same counts, and each scan is in them once', async () => {
    const second = await startAnother(service, { environment })
    const crowds = [service, second].map((each, n) => {
      const crowd = new Crowd(`process-${n}`)
      crowd.start([`${each.origin}/qr/${code.key}`])
      return crowd
    })
    const enough = times(100, 5_000)
    await eventually(() => crowds.every(({ answered }) => answered.length > enough))
    await Promise.all(crowds.map((crowd) => crowd.stop()))
    await second.stop()
    expect(crowds.flatMap(({ faults }) => faults)).toEqual([])
    await everyScanOnce(crowds.flatMap(({ answered }) => answered))
  })

  test('a stop during a fold stores the scans that came to disk meanwhile', async () => {
    const capture = await newCapture(STEP_LIMIT_MS)
    const held = await holdLedger(service.database.location)
    const early = named(5, 'early')
    await record(capture, early)
    if (held.isWanted) await eventually(held.isWanted)
    const late = named(5, 'late')
    await record(capture, late)
    const stopped = capture.stop()
    await held.release()
    await stopped
    await everyScanOnce([...early, ...late])
  })

  test('what a stop cannot store, the next process does', async () => {
    const capture = await newCapture()
    const sent = named(25, 'left')
    const held = await holdLedger(service.database.location)
    await record(capture, sent)
    await capture.stop()
    await held.release()
    expect(await left()).toHaveLength(2)
    const heir = await newCapture()
    await eventually(async () => (await left()).length === 2)
    await heir.stop()
    expect(await left()).toHaveLength(1)
    await everyScanOnce(sent)
  })

  test('no table and no file ever holds an address', async () => {
    await everyScanOnce(await scan(3, 'address'))
    const [own = ''] = await left()
    const folder = join(service.dataDir, 'journal', own)
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name))),
    )
    expect(files.some((file) => file.includes(IPHONE))).toBe(true)
    expect(files.some((file) => file.includes(VISITOR_ADDRESS))).toBe(false)
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
