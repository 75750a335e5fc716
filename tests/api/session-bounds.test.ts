import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession, SESSIONS_MAX } from '../../src/server/accounts/sessions/sessions-store.ts'
import { transact } from '../../src/server/database/transact.ts'
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
  const sessionsOf = ({ id }: Person) =>
    tessera.database.db.selectFrom('sessions').selectAll().where('userId', '=', id).execute()

  test('an account keeps the hundred sessions that were used last', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    await transact(tessera.database.db, async (tx) => {
      const session = { userId: person.id, address: '', agent: '' }
      for (let count = 1; count < SESSIONS_MAX; count++) {
        await createSession(tx, session)
      }
    })
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
})
