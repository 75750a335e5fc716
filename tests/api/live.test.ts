import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { CodeAnalytics } from '../../src/contract/analytics/analytics.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { openAtOnce } from '../../src/server/http/limits/limits.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { oneEngine } from '../support/engines.ts'
import { EventReader } from '../support/event-source.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { METRICS_TOKEN, metricOf } from '../support/metric.ts'
import { cookieOf, enrolPerson, newPerson, Person } from '../support/person.ts'
import { times } from '../support/soak.ts'
import { runTessera, startTessera } from '../support/tessera.ts'
import { IPHONE, visit } from '../support/visitors.ts'

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

describe.each(oneEngine)('the stream of scans on %s', (engine) => {
  const environment = { ...BEHIND_PROXY, DEMO: 'on', METRICS_TOKEN }
  const tessera = runTessera({ engine, environment })
  const ada = enrolPerson(tessera, 'unlimited')
  const open: EventReader[] = []
  afterAll(() => {
    for (const reader of open) reader.close()
  })

  function stream({ cookie }: Person) {
    const reader = new EventReader(tessera.origin, { cookie, from: someAddress() })
    open.push(reader)
    return reader
  }
  const scan = ({ shortCode }: { shortCode: string }, agent = IPHONE) =>
    visit(`${tessera.origin}/qr/${shortCode}`, { headers: { 'user-agent': agent } })
  const eventually = (isSo: () => Promise<boolean> | boolean) =>
    expect.poll(async () => isSo(), { timeout: STEP_LIMIT_MS }).toBe(true)

  test('a scan is told of when it is in the numbers', async () => {
    const code = await ada.code()
    const reader = await stream(ada).begun()
    expect((await reader.response).headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
    })
    expect((await reader.response).headers).not.toHaveProperty('content-encoding')
    for (const scans of [1, 2]) {
      await scan(code)
      await reader.names(code.id, scans)
      const { totalScans } = await ada.ask<CodeAnalytics>(`/api/analytics/qr-code/${code.id}`)
      expect(totalScans).toBe(scans)
    }
  })

  test('only the owner is told, and only of persons', async () => {
    const bob = await newPerson(tessera)
    const [hers, his] = [await ada.code(), await bob.code()]
    const [ofAda, ofBob] = [await stream(ada).begun(), await stream(bob).begun()]
    await scan(hers, BOT)
    await scan(hers)
    await scan(his)
    await ofAda.names(hers.id)
    await ofBob.names(his.id)
    expect(ofBob.codes).toEqual([his.id])
    expect(ofAda.codes).toEqual([hers.id])
    const other = await ada.code()
    await scan(other, BOT)
    await scan(hers)
    await ofAda.names(hers.id, 2)
    expect(ofAda.codes).not.toContain(other.id)
  })

  test('news that come while a stream opens are sent to it or counted before it begins', async () => {
    const code = await ada.code()
    for (let round = 1; round <= times(3, 20); round++) {
      const visited = scan(code)
      const reader = await stream(ada).begun()
      const { totalScans } = await ada.ask<CodeAnalytics>(`/api/analytics/qr-code/${code.id}`)
      await visited
      if (totalScans < round) await reader.names(code.id)
      await eventually(async () => {
        const now = await ada.ask<CodeAnalytics>(`/api/analytics/qr-code/${code.id}`)
        return now.totalScans === round
      })
      reader.close()
    }
  })

  test('a HEAD is refused', async () => {
    const head = await ada.call('/api/analytics/stream', { method: 'HEAD' })
    expect(head.status).toBe(405)
  })

  test('it ends when its session does, and the session is not used by it', async () => {
    const eve = await newPerson(tessera)
    const { db } = tessera.database
    const used = () =>
      db.selectFrom('sessions').selectAll().where('userId', '=', eve.id).executeTakeFirst()
    const reader = await stream(eve).begun()
    const session = await used()
    const adas = await stream(ada).begun()
    await reader.until(() => reader.bytes.length > 0)
    expect(await used()).toEqual(session)
    await eve.make('/api/auth/sign-out')
    await reader.ended
    expect(reader.events.at(-1)?.event).toBe('end')
    expect(adas.hasEnded).toBe(false)
  })

  test('it ends with a session that is over by its time', async () => {
    const eve = await newPerson(tessera)
    const reader = await stream(eve).begun()
    const past = new Date(Date.now() - 1000).toISOString()
    await sql`update sessions set "expiresAt" = ${past} where "userId" = ${eve.id}`.execute(
      tessera.database.db,
    )
    await reader.ended
    expect(reader.events.at(-1)?.event).toBe('end')
  })

  test('an account and an address have so many at once, and one that ends makes room', async () => {
    const many = await newPerson(tessera)
    const { atOnceEach } = openAtOnce['account-streams']
    const readers = Array.from({ length: atOnceEach }, () => stream(many))
    await Promise.all(readers.map((reader) => reader.begun()))
    const refused = stream(many)
    expect(await refused.status()).toBe(429)
    expect((await refused.response).headers['retry-after']).toBe('60')
    expect(await stream(ada).status()).toBe(200)
    readers[0]?.close()
    await eventually(async () => (await stream(many).status()) === 200)
    for (const reader of readers) reader.close()
    expect(await metricOf(tessera, 'streams_refused_total')).toBeGreaterThan(0)
  })

  test('who looks at the demo has one, by address', async () => {
    await tessera.app.jobs.runDue()
    const onlooker = new Person(tessera, '')
    onlooker.cookie = cookieOf(await onlooker.call('/api/demo', { method: 'POST' }))
    const { atOnceEach } = openAtOnce['account-streams']
    const readers = Array.from({ length: atOnceEach + 1 }, () => stream(onlooker))
    await Promise.all(readers.map((reader) => reader.begun()))
    const [code] = await onlooker.ask<{ id: string; shortCode: string }[]>('/api/qr-codes')
    if (!code) throw new Error('the demo has no code')
    await scan(code)
    await Promise.all(readers.map((reader) => reader.names(code.id)))
    for (const reader of readers) reader.close()
  })

  test('a reader that does not read is let go, and the others are told all the same', async () => {
    const eve = await newPerson(tessera, 'unlimited')
    const rows = Array.from({ length: 200 }, (_, number) => ({
      name: `Table ${number}`,
      url: 'https://example.com/menu',
    }))
    const body = { rows }
    const codes = await eve.make<QrCode[]>('/api/qr-codes/bulk', body)
    const ids = codes.map(({ id }) => id)
    const { hostname, port } = new URL(tessera.origin)
    const asleep = connect(Number(port), hostname)
    asleep.write(
      `GET /api/analytics/stream HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${eve.cookie}\r\n\r\n`,
    )
    await new Promise((resolve) => asleep.once('data', resolve))
    asleep.pause()
    const awake = await stream(eve).begun()
    const before = await metricOf(tessera, 'streams_let_go_total')
    const letGo = async () => (await metricOf(tessera, 'streams_let_go_total')) > before
    let isLetGo = false
    for (let round = 0; !isLetGo && round < 200; round++) {
      // The folding thread's news; the system keeps megabytes for a reader.
      for (let news = 0; news < 100; news++) {
        tessera.tellScanned(ids)
        await new Promise((resolve) => setImmediate(resolve))
      }
      isLetGo = await letGo()
    }
    expect(isLetGo).toBe(true)
    expect(awake.hasEnded).toBe(false)
    asleep.destroy()
    await scan(codes[0] as { shortCode: string })
    const told = awake.codes.length
    await awake.until(() => awake.codes.length >= told)
  })
})

describe('a stop', () => {
  test('waits for no stream', async () => {
    const tessera = await startTessera()
    const ada = await newPerson(tessera)
    const { cookie } = ada
    const readers = Array.from({ length: 5 }, () => new EventReader(tessera.origin, { cookie }))
    await Promise.all(readers.map((reader) => reader.begun()))
    await tessera.stop()
    await Promise.all(readers.map((reader) => reader.ended))
    expect(readers.flatMap(({ events }) => events.map(({ event }) => event))).not.toContain('end')
  })
})
