import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { visitorSalts } from '../../src/server/analytics/record/salts.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { countedLedger, ledgerOf } from '../support/ledger.ts'
import { type PrintedCode, printCode } from '../support/printed-code.ts'
import { rawAnswer } from '../support/raw-bytes.ts'
import { rowsOf } from '../support/rows.ts'
import type { Service } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { runTessera, startAnother } from '../support/tessera.ts'
import { TestClock } from '../support/test-clock.ts'
import { FIREFOX, IPHONE, visit } from '../support/visitors.ts'

const GERMAN_ADDRESS = '85.214.132.117'

describe.each(engines)('the ledger on %s', (engine) => {
  const environment = { TRUST_PROXY: '1' }
  const service = runTessera({ engine, environment })
  let code: PrintedCode

  beforeEach(async () => {
    code = await printCode(service.database.db)
  })

  async function scan(
    headers: Record<string, string> = {},
    { method = 'GET', from = service as Service } = {},
  ) {
    const answer = await visit(`${from.origin}/qr/${code.key}`, { method, headers })
    expect(answer.status).toBe(302)
    await allCounted(from)
  }

  /** The rows of this test's code, oldest first. */
  async function rows() {
    return (await ledgerOf(service.database)).filter((row) => row.code_id === code.id)
  }

  async function persons(): Promise<number> {
    const row = await service.database.db
      .selectFrom('scan_counts')
      .select((counts) => counts.fn.sum<number>('persons').as('persons'))
      .where('code_id', '=', code.id)
      .executeTakeFirst()
    return Number(row?.persons ?? 0)
  }

  // This one comes first: it runs all jobs, one of which checks every code in the database.
  test('gives each visitor a new hash on the next UTC day, and deletes the salt of the past day', async () => {
    const clock = new TestClock()
    clock.set('2030-03-01T23:59:00Z')
    const today = Math.floor(clock.now().getTime() / DAY_MS)
    const late = await startAnother(service, { clock, environment })
    const salts = async () =>
      (
        await service.database.db.selectFrom('visitor_salts').select('day').orderBy('day').execute()
      ).map(({ day }) => day)
    await scan({}, { from: late })
    expect(await salts()).toEqual(expect.arrayContaining([today, today + 1]))
    clock.advance(2 * 60_000)
    await scan({}, { from: late })
    await scan({}, { from: late })
    const [yesterday, first, again] = await rows()
    expect(first?.visitor).not.toBe(yesterday?.visitor)
    expect(again?.visitor).toBe(first?.visitor)
    expect([yesterday?.first, first?.first, again?.first]).toEqual([1, 1, 0])

    await late.app.jobs.runDue()
    expect(await salts()).not.toContain(today)
    expect(await salts()).toContain(today + 1)
    await late.stop()
    await service.capture.salts.load()
  })

  test('has all that we know about a scan, and no more', async () => {
    await scan({
      'x-forwarded-for': GERMAN_ADDRESS,
      referer: 'https://News.Example.com:8443/story?id=7#top',
      'accept-language': 'de-AT,de;q=0.9,en;q=0.5',
    })
    const [row] = await rows()
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{24}$/),
      code_id: code.id,
      workspace_id: 'no-user',
      at: expect.any(Number),
      class: 'person',
      rule: '3:person',
      country: 'DE',
      region: null,
      city: null,
      device: 'Mobile',
      os: 'iOS',
      browser: 'Safari',
      referrer: 'news.example.com',
      language: 'de',
      agent: expect.any(Number),
      text: IPHONE,
      visitor: expect.stringMatching(/^[\w-]{16}$/),
      utm: null,
      branch: null,
      first: 1,
    })
  })

  test('keeps every hit with the rule that classified it, and counts only persons', async () => {
    const crawler = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }
    await scan()
    await scan(crawler)
    await scan({}, { method: 'HEAD' })
    expect(await rows()).toMatchObject([
      { class: 'person', rule: '3:person', first: 1 },
      { class: 'bot', rule: '3:isbot:Google', first: 0 },
      { class: 'head', rule: '3:method:head', first: 0 },
    ])
    expect(await persons()).toBe(1)
  })

  test('believes a forwarded address only from a trusted proxy', async () => {
    const open = await startAnother(service)
    await scan({ 'x-forwarded-for': GERMAN_ADDRESS }, { from: open })
    await open.stop()
    expect(await rows()).toMatchObject([{ country: null }])
  })

  test('keeps each User-Agent once', async () => {
    const who = `${FIREFOX} ${randomUUID()}`
    await scan({ 'user-agent': who })
    await scan({ 'user-agent': who, 'x-forwarded-for': GERMAN_ADDRESS })
    const agents = await rowsOf(service.database.db, 'agents', { text: who })
    expect(agents).toHaveLength(1)
    expect(new Set((await rows()).map((row) => row.agent))).toEqual(new Set([agents[0]?.id]))
  })

  test("marks a visitor's first scan of a code on a day, once", async () => {
    await scan()
    await scan()
    await scan({ 'user-agent': FIREFOX })
    await scan({ 'x-forwarded-for': GERMAN_ADDRESS })
    expect((await rows()).map((row) => row.first)).toEqual([1, 0, 1, 1])
    const before = code
    code = await printCode(service.database.db)
    await scan()
    expect((await rows()).map((row) => row.first)).toEqual([1])
    expect((await rows())[0]?.visitor).toBe(
      (await ledgerOf(service.database)).find((row) => row.code_id === before.id)?.visitor,
    )
  })

  test('marks the first scan once across two processes and a restart', async () => {
    const second = await startAnother(service, { environment })
    await Promise.all([service, second, service, second].map((from) => scan({}, { from })))
    await second.stop()
    const third = await startAnother(service, { environment })
    await scan({}, { from: third })
    await third.stop()
    const found = await rows()
    expect(found).toHaveLength(5)
    expect(found.filter((row) => row.first === 1)).toHaveLength(1)
    expect(new Set(found.map((row) => row.visitor)).size).toBe(1)
  })

  test('shares the salt of a day, even one that a process made without the database', async () => {
    const clock = () => new Date('2031-05-01T12:00:00Z')
    const day = Math.floor(clock().getTime() / DAY_MS)
    const alone = visitorSalts(service.database.db, clock)
    const key = alone.of(day)
    await alone.load()
    const other = visitorSalts(service.database.db, clock)
    await other.load()
    expect([alone.of(day), other.of(day)]).toEqual([key, key])
    expect(other.of(day + 1)).toBe(alone.of(day + 1))
    expect(other.of(day + 1)).not.toBe(key)
  })

  test('takes any bytes that HTTP lets through in a header', async () => {
    // RFC 9110 §5.5: visible characters, blanks, and obs-text from 0x80.
    const byte = fc.oneof(
      fc.integer({ min: 0x80, max: 0xff }),
      fc.integer({ min: 0x20, max: 0x7e }),
    )
    const value = fc.array(byte, { maxLength: 600 }).map((bytes) => Buffer.from(bytes))
    const property = fc.asyncProperty(value, value, value, async (agent, referer, language) => {
      const before = (await rows()).length
      const head = [
        `GET /qr/${code.key} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        `User-Agent: ${agent.toString('latin1')}`,
        `Referer: ${referer.toString('latin1')}`,
        `Accept-Language: ${language.toString('latin1')}`,
      ]
      const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
      const answer = await rawAnswer(service.origin, bytes)
      expect(answer).toMatch(/^HTTP\/1\.1 302 /)
      await allCounted(service)
      expect(await rows()).toHaveLength(before + 1)
    })
    await fc.assert(property, { seed, numRuns: times(15, 500) })
  })

  test('agrees with its rollups after all these tests', async () => {
    const ledger = await countedLedger(service.database)
    expect(ledger.length).toBeGreaterThan(20)
  })
})
