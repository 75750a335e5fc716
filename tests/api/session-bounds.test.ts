import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { createAuth } from '../../src/server/accounts/auth.ts'
import { SESSIONS_MAX } from '../../src/server/accounts/sessions/sessions-store.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { cookieOf, newPerson, type Person } from '../support/person.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

describe.each(engines)('sessions on %s', (engine) => {
  let tessera: Tessera
  beforeAll(async () => {
    tessera = await startTessera({ engine })
  })
  afterAll(() => tessera.stop())

  const isSignedIn = async (person: Person) => (await person.call('/api/auth/user')).status === 200
  async function authOf() {
    const { database, secret, config } = tessera
    const { publicUrl } = config
    const auth = createAuth({ database, secret, publicUrl })
    return auth.$context
  }
  async function sessionsOf({ id }: Person) {
    const { adapter } = await authOf()
    type Session = { userAgent: string | null; expiresAt: Date }
    const where = [{ field: 'userId', value: id }]
    return adapter.findMany<Session>({ model: 'session', where, limit: 1_000 })
  }

  test('an account keeps the hundred sessions that were used last', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const { internalAdapter } = await authOf()
    for (let count = 1; count < SESSIONS_MAX; count++)
      await internalAdapter.createSession(person.id)
    expect(await isSignedIn(person)).toBe(true)
    const headers = { 'user-agent': 'x'.repeat(5_000) }
    const body = { email: person.email, password: PASSWORD }
    const call = { method: 'POST', body, headers }
    const response = await person.call('/api/auth/sign-in/email', call)
    expect(await isSignedIn(person)).toBe(false)
    person.cookie = cookieOf(response)
    expect(await isSignedIn(person)).toBe(true)
    expect(await isSignedIn(other)).toBe(true)
    const sessions = await sessionsOf(person)
    expect(sessions).toHaveLength(SESSIONS_MAX)
    const agents = sessions.map(({ userAgent }) => userAgent?.length ?? 0)
    expect(Math.max(...agents)).toBe(512)
  })

  test('a session from a clock that went back ends with those of today', async () => {
    const person = await newPerson(tessera)
    const { adapter } = await authOf()
    const where = [{ field: 'userId', value: person.id }]
    const expiresAt = new Date(Date.now() + 430 * DAY_MS)
    await adapter.updateMany({ model: 'session', where, update: { expiresAt } })
    tessera.clock.advance(DAY_MS)
    await tessera.app.jobs.runDue()
    expect(await isSignedIn(person)).toBe(true)
    const [session] = await sessionsOf(person)
    expect(session?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 30 * DAY_MS)
  })
})
