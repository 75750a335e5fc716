import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, newPlace } from '../support/engines.ts'
import { newPerson, Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { startService } from '../support/service.ts'
import { startTessera, type Tessera, tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

describe.each(engines)('a server whose database is gone on %s', (engine) => {
  let tessera: Tessera
  let member: Person
  beforeAll(async () => {
    tessera = await startTessera({ engine, hasLanding: true })
    member = await newPerson(tessera)
    expect(await member.ask('/readyz')).toEqual({ status: 'ok' })
    // Only a handle that was used stays closed.
    await sql`select 1`.execute(tessera.database.lookups)
    await tessera.database.close()
  })
  afterAll(async () => {
    // Its database is closed already.
    await tessera.stop().catch(() => {})
  })

  test('is alive and not ready', async () => {
    const visitor = new Person(tessera, '')
    expect(await visitor.ask('/healthz')).toEqual({ status: 'ok' })
    await expectRefusal(visitor.call('/readyz'), 'unavailable')
  })

  test('answers accounts that it is unavailable, without the cause', async () => {
    for (const path of ['/api/auth/user', '/api/qr-codes']) {
      expect(await refusal(await member.call(path))).toEqual({
        status: 503,
        code: 'unavailable',
        message: 'We’re having trouble right now. Please try again in a moment.',
      })
    }
  })

  test('sends the app to a browser with a session', async () => {
    const response = await member.call('/')
    expect(response.status).toBe(503)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<div id="root">')
  })

  test('still shows visitors the landing page', async () => {
    const response = await new Person(tessera, '').call('/', { headers: { cookie: '' } })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Like a Pro')
  })
})

test('a server with a damaged database file is not ready', async () => {
  const place = await newPlace('sqlite')
  const before = await startService(place)
  const { rows } = await sql<{ page: number; size: number }>`
    select rootpage as page, page_size as size from sqlite_master, pragma_page_size()
    where type = 'table' and name = 'codes'`.execute(before.database.db)
  await before.stop()
  const [{ page, size } = { page: 0, size: 0 }] = rows
  const file = await open(join(place.dataDir, 'tessera.sqlite'), 'r+')
  await file.write(Buffer.alloc(size, 0xaa), 0, size, (page - 1) * size)
  await file.close()

  const after = await startService(place)
  expect(await refusal(await fetch(`${after.origin}/readyz`))).toMatchObject({ status: 503 })
  expect((await fetch(`${after.origin}/healthz`)).status).toBe(200)
  await after.stop()
  await place.remove()
})

describe('metrics', () => {
  /** Starts a service; returns a way to ask for its metrics. */
  async function service(environment: Record<string, string> = {}) {
    const { port } = new URL((await tesseraForTest({ environment })).origin)
    return async (headers: Record<string, string> = {}) => {
      const { status, body } = await visit(`http://127.0.0.1:${port}/metrics`, { headers })
      return [status, body] as const
    }
  }

  test('are for this machine, but not through a proxy on it', async () => {
    const metrics = await service()
    const [status, text] = await metrics()
    expect(status).toBe(200)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+ \d+(\.\d+)?)$/)
    }
    expect(text).toMatch(/answered_before_commit/)
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { host: 'qr.example.com' },
      { host: '127.0.0.1.example.com' },
    ] as Record<string, string>[]) {
      expect((await metrics(headers))[0]).toBe(404)
    }
    for (const host of ['localhost:3000', '[::1]', '127.0.0.2']) {
      expect((await metrics({ host }))[0]).toBe(200)
    }
  })

  test('need a token where a proxy is in front, whatever it passes on', async () => {
    const metrics = await service({ TRUST_PROXY: '1' })
    expect((await metrics({ host: 'localhost' }))[0]).toBe(404)
  })

  test('with a token are for its bearer only', async () => {
    const token = 'a-token-of-length-24-xyz'
    const metrics = await service({ METRICS_TOKEN: token })
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await metrics({ ...forwarded, authorization: `Bearer ${token}` }))[0]).toBe(200)
    for (const authorization of ['', token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`]) {
      expect((await metrics({ authorization }))[0]).toBe(404)
    }
    expect((await metrics())[0]).toBe(404)
  })
})
