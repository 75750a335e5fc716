import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
  beforeEach(async () => {
    place = await newPlace(engine)
    service = await start()
    code = await printCode(service.database.db)
    await visit(`${service.origin}/qr/${code.key}`, { method: 'HEAD' })
    await stored()
  })
  afterEach(async () => {
    await service.stop()
    await place.remove()
  })

  const stored = () => eventually(() => service.capture.recorder.backlog === 0)

  async function scan(count: number, name: string): Promise<string[]> {
    const visitors = Array.from({ length: count }, (_, number) => `${IPHONE} ${name}/${number}`)
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
      (await ledgerOf(service.database.db)).filter((row) => row.class === 'person')
    await eventually(async () => (await persons()).length >= sent.length)
    expect((await persons()).map((row) => row.text).sort()).toEqual([...sent].sort())
    const ledger = await ledgerOf(service.database.db)
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  }

  /** Scans while the ledger is held, and stops before it is free again. */
  async function stopWhileHeld(count: number): Promise<string[]> {
    const held = await holdLedger(place.location)
    const sent = await scan(count, 'held')
    await service.stop()
    await held.release()
    return sent
  }

  const folder = () => join(place.dataDir, 'spill')
  const spilled = async () =>
    (await readdir(folder()))
      .filter((name) => name.startsWith('scans-'))
      .map((name) => join(folder(), name))

  test('on a healthy disk every scan is stored at the first try', async () => {
    const sent = await scan(40, 'healthy')
    await stored()
    expect(service.capture.recorder.counts).toMatchObject({
      recorded: 41,
      failedCommits: 0,
      spilled: 0,
      lost: 0,
    })
    await everyScanOnce(sent)
  })

  test('two processes write the same counts, and each scan is in them once', async () => {
    const second = await start()
    const crowds = [service, second].map((each, n) => {
      const crowd = new Crowd(`process-${n}`)
      crowd.start([`${each.origin}/qr/${code.key}`])
      return crowd
    })
    const enough = times(200, 20_000)
    const limit = times(20_000, 600_000)
    await eventually(() => crowds.every(({ answered }) => answered.length > enough), limit)
    await Promise.all(crowds.map((crowd) => crowd.stop()))
    await second.stop()
    expect(crowds.flatMap(({ faults }) => faults)).toEqual([])
    await everyScanOnce(crowds.flatMap(({ answered }) => answered))
  })

  test('while somebody holds the ledger, redirects go out and their scans come later', async () => {
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

  test('what cannot be stored by the stop is replayed once, copies and all', async () => {
    const sent = await stopWhileHeld(25)
    expect(service.capture.recorder.counts).toMatchObject({ spilled: 25, lost: 0 })
    const [file = ''] = await spilled()
    const lines = await readFile(file, 'utf8')
    await copyFile(file, join(folder(), 'scans-copy.jsonl'))
    // The same lines twice in one file, the last one torn; it is the first to be replayed.
    await writeFile(join(folder(), 'scans-0.jsonl'), `${lines}${lines}${lines.slice(0, 50)}`)

    service = await start()
    await eventually(async () => (await spilled()).length === 0)
    await everyScanOnce(sent)

    await writeFile(join(folder(), 'scans-late.jsonl'), lines)
    await service.stop()
    service = await start()
    await eventually(async () => (await spilled()).length === 0)
    await everyScanOnce(sent)
  })

  test('neither the files nor the database ever hold an address', async () => {
    const sent = await stopWhileHeld(3)
    const [file = ''] = await spilled()
    const text = await readFile(file, 'utf8')
    expect(text.split('\n')).toHaveLength(4)
    for (const address of [VISITOR_ADDRESS, '127.0.0.1']) expect(text).not.toContain(address)
    service = await start()
    await everyScanOnce(sent)
    for (const table of [
      'scans',
      'agents',
      'visitors',
      'scan_counts',
      'scan_facets',
      'visitor_salts',
    ]) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(service.database.db)
      expect(rows.length).toBeGreaterThan(0)
      for (const address of [VISITOR_ADDRESS, '127.0.0.1']) {
        expect(JSON.stringify(rows)).not.toContain(address)
      }
    }
  })

  test('a scan that the database refuses is set aside and keeps no other out', async () => {
    await service.stop()
    const lineOf = (agent: string) => pastLine({ code_id: code.id, at: Date.now(), agent })
    const good = Array.from({ length: 7 }, (_, n) => lineOf(`good ${n}`))
    // PostgreSQL stores no NUL in a text.
    const bad = lineOf('bad \0')
    const lines = engine === 'postgres' ? [...good.slice(0, 3), bad, ...good.slice(3)] : good
    await mkdir(folder(), { recursive: true })
    await writeFile(join(folder(), 'scans-odd.jsonl'), lines.join('\n'))
    service = await start()
    await eventually(async () => (await spilled()).length === 0)
    await everyScanOnce(Array.from({ length: 7 }, (_, n) => `good ${n}`))
    const refused = await readFile(join(folder(), 'refused-scans.jsonl'), 'utf8').catch(() => '')
    expect(refused).toBe(engine === 'postgres' ? `${bad}\n` : '')
  })
})
