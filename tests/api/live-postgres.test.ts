import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { EventReader } from '../support/event-source.ts'
import { newFolder } from '../support/folder.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { newPerson, type Person } from '../support/person.ts'
import { type Service, startService } from '../support/service.ts'
import { IPHONE, visit } from '../support/visitors.ts'

describe.runIf(engines.includes('postgres'))('two processes on one PostgreSQL', () => {
  let place: Place
  let one: Service
  let other: Service
  let ada: Person
  let outside: Database

  beforeAll(async () => {
    place = await newPlace('postgres')
    const { location } = place
    one = await startService({ location, dataDir: place.dataDir })
    other = await startService({ location, dataDir: await newFolder() })
    ada = await newPerson({ ...one, dataDir: place.dataDir }, 'unlimited')
    outside = connect(location, () => {})
  })
  afterAll(async () => {
    await Promise.all([one?.stop(), other?.stop(), outside?.close()])
    await place?.remove()
  })

  const scan = (at: Service, { shortCode }: { shortCode: string }) =>
    visit(`${at.origin}/qr/${shortCode}`, { headers: { 'user-agent': IPHONE } })
  const stream = (at: Service) => new EventReader(at.origin, { cookie: ada.cookie })

  test('a scan at the one is told of at the other', async () => {
    const code = await ada.code()
    const [here, there] = [await stream(one).begun(), await stream(other).begun()]
    await scan(one, code)
    await Promise.all([here.names(code.id), there.names(code.id)])
    await scan(other, code)
    await Promise.all([here.names(code.id, 2), there.names(code.id, 2)])
    for (const reader of [here, there]) reader.close()
  })

  test('of more codes than a message can name it says so, and everything is asked for again', async () => {
    const reader = await stream(other).begun()
    one.tellScanned(Array.from({ length: 1_000 }, () => crypto.randomUUID()))
    await reader.until(() => reader.news.includes(null))
    reader.close()
  })

  test('who could not listen for a while asks for everything again', async () => {
    const reader = await stream(one).begun()
    const resets = () => reader.news.filter((codes) => codes === null).length
    const before = resets()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(outside.db)
    await expect.poll(resets, { timeout: STEP_LIMIT_MS }).toBeGreaterThan(before)
    const code = await ada.code()
    await scan(other, code)
    await reader.names(code.id)
    reader.close()
  })

  test('a session that ends at the one ends its stream at the other', async () => {
    const eve = await newPerson({ ...one, dataDir: place.dataDir })
    const reader = await new EventReader(other.origin, { cookie: eve.cookie }).begun()
    await eve.make('/api/auth/sign-out')
    await reader.ended
    expect(reader.events.at(-1)?.event).toBe('end')
  })
})
