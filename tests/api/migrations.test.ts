import { createHmac, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { connect, type Location } from '../../src/server/database/connect.ts'
import { migrate, migrateIn } from '../../src/server/database/migrate.ts'
import { migrations } from '../../src/server/database/migrations.ts'
import { migrationsOf } from '../../src/server/database/schema-version.ts'
import { engines, newPlace, serverEngineInCi } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { newPerson, Person } from '../support/person.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { startAt } from '../support/tessera.ts'

const SECRET = 'a secret that only the tests know'

describe.each(engines)('the migrations on %s', (engine) => {
  const place = madeIn(beforeEach, () => newPlace(engine, { empty: true }))
  afterEach(() => place.remove())

  test('after the migrations a cookie of Better Auth signs in, and codes from before migration 005 keep their look', async () => {
    await fillFormerVersion(place.location)
    const service = await startAt(place)
    const person = await newPerson(service)
    await service.database.db
      .updateTable('codes')
      .set({ workspace_id: person.workspaceId })
      .execute()
    const [code, ...others] = await person.ask<QrCode[]>('/api/qr-codes')
    const browser = new Person(service, '')
    browser.cookie = oldCookie()
    const { email } = await browser.ask<{ email: string }>('/api/auth/user')
    await service.stop()
    expect(email).toBe('ada@example.com')
    expect(others).toEqual([])
    expect(code).toMatchObject({
      name: 'Printed long ago',
      url: 'https://example.com/',
      shortCode: 'bcdfghj',
      style: 'rounded',
      foregroundColor: '#166534',
      ecc: 'M',
      compact: false,
    })
  })

  test('all run in one transaction, as a restore has them', async () => {
    const database = connect(place.location, () => {})
    await database.db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      await migrateIn(connection)
      await sql`commit`.execute(connection)
    })
    expect(await migrationsOf(database.db)).toEqual(Object.keys(migrations).sort())
    await database.close()
  })

  if (!serverEngineInCi.includes(engine)) return

  test('two processes that start at once on an empty database both serve, and a later start changes nothing', async () => {
    const { location, dataDir } = place
    const environment: Record<string, string> =
      location.engine === 'postgres' ? { DATABASE_URL: location.url, SESSION_SECRET: SECRET } : {}
    const running = await Promise.all([
      startProcess({ dataDir, environment }),
      startProcess({ dataDir, environment }),
    ])
    const [first, second] = running as [ServerProcess, ServerProcess]
    for (const { origin } of running) {
      expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    }
    const signUp = await fetch(`${first.origin}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: first.origin },
      body: JSON.stringify({
        email: 'ada@example.com',
        password: 'correct horse battery',
        name: 'Ada',
      }),
    })
    expect(signUp.status).toBe(200)
    const cookie = signUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const user = await fetch(`${second.origin}/api/auth/user`, { headers: { cookie } })
    expect(await user.json()).toMatchObject({ email: 'ada@example.com' })
    await Promise.all(running.map((server) => server.stop()))

    const database = connect(location, () => {})
    const done = async () => {
      const rows = sql`select name, timestamp from kysely_migration order by name`
      return (await rows.execute(database.db)).rows
    }
    const before = await done()
    expect(before.length).toBeGreaterThan(3)
    await migrate(database)
    expect(await done()).toEqual(before)
    await database.close()
  })
})

/** A session as Better Auth wrote it: its row had the token itself. */
const OLD_SESSION = {
  id: '3yqjXPuWAFPTisIYVZ2ArkljYrkJHfrz',
  token: '2TmLcm11azOFmC87bswppZbRuwDgSze0',
}

/** The cookie that Better Auth set: the token with its HMAC-SHA256 in base64, encoded for an address. */
function oldCookie(): string {
  const { token } = OLD_SESSION
  const signature = createHmac('sha256', SECRET).update(token).digest('base64')
  return `tessera_session=${encodeURIComponent(`${token}.${signature}`)}`
}

/** A database as the version before migration 005 left it, with one saved code. */
async function fillFormerVersion(location: Location): Promise<void> {
  const database = connect(location, () => {})
  const list = Object.fromEntries(Object.entries(migrations).slice(0, 4))
  const migrator = new Migrator({
    db: database.db as Kysely<unknown>,
    provider: { getMigrations: async () => list },
  })
  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  await sql`insert into codes (id, user_id, name, url, short_code, style, foreground_color,
    background_color, created_at, saved_at) values (${randomUUID()}, 'not yet here', 'Printed long ago',
    'https://example.com/', 'bcdfghj', 'rounded', '#166534', '#f0fdf4', 1, 1)`.execute(database.db)
  const [now, later] = [new Date(), new Date(Date.now() + DAY_MS)].map((at) => at.toISOString())
  await sql`insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt")
    values ('old user', 'Ada', 'ada@example.com', ${sql.raw('false')}, ${now}, ${now})`.execute(
    database.db,
  )
  await sql`insert into sessions (id, "userId", token, "createdAt", "updatedAt", "expiresAt")
    values (${OLD_SESSION.id}, 'old user', ${OLD_SESSION.token}, ${now}, ${now}, ${later})`.execute(
    database.db,
  )
  await database.close()
}
