import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'

const SECRET = 'a secret that only the tests know'

describe.each(engines)('the first start on %s', (engine) => {
  let place: Place
  let running: ServerProcess[] = []
  beforeEach(async () => {
    place = await newPlace(engine)
  })
  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()))
    running = []
    await place.remove()
  })

  test('two processes that start at once on an empty database both serve', async () => {
    const environment: Record<string, string> =
      place.location.engine === 'postgres'
        ? { DATABASE_URL: place.location.url, SESSION_SECRET: SECRET }
        : {}
    running = await Promise.all([
      startProcess({ dataDir: place.dataDir, environment }),
      startProcess({ dataDir: place.dataDir, environment }),
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
  })

  test('a second start finds nothing to do', async () => {
    const environment: Record<string, string> =
      place.location.engine === 'postgres'
        ? { DATABASE_URL: place.location.url, SESSION_SECRET: SECRET }
        : {}
    const names = async () => {
      const database = connect(place.location, () => {})
      const { rows } = await sql<{ name: string; timestamp: string }>`
        select name, timestamp from kysely_migration order by name`.execute(database.db)
      await database.close()
      return rows
    }
    const first = await startProcess({ dataDir: place.dataDir, environment })
    expect(await first.stop()).toBe(0)
    const done = await names()
    expect(done.length).toBeGreaterThan(3)
    running = [await startProcess({ dataDir: place.dataDir, environment })]
    expect(await names()).toEqual(done)
  })
})
