import { afterEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/contract/time.ts'
import { hashPassword } from '../../src/server/accounts/passwords/passwords.ts'
import { makeToken } from '../../src/server/accounts/proof/mailed-links.ts'
import { savePassword } from '../../src/server/accounts/users-store.ts'
import { transact } from '../../src/server/database/transact.ts'
import { engines } from '../support/engines.ts'
import { quickKey } from '../support/enrolment.ts'
import { HeldHashes } from '../support/held-hashes.ts'
import { eventually } from '../support/ledger.ts'
import { Mailed } from '../support/mailed.ts'
import { cookieOf, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { signedInAgo } from '../support/session-age.ts'

const OLD = 'an old password, which a stranger knows'
const NEW = 'seven otters in a boat'
const THEIRS = 'a password of a thief of the browser'
const WRONG = { status: 401, code: 'invalid_credentials' }

describe.each(engines)('a change while a password is hashed, on %s', (engine) => {
  const hashes = new HeldHashes()
  const here = Mailed.run(engine, {}, hashes.derive)
  afterEach(() => hashes.release())

  /** Makes a call that hashes this password. Its answer comes once the test releases it. */
  async function waiting(password: string, call: () => Promise<Response>) {
    hashes.began.length = 0
    hashes.hold(password)
    const answer = call()
    await eventually(async () => hashes.began.includes(password))
    return { answer }
  }

  /** A member whose password is OLD. */
  async function member(): Promise<Person> {
    const person = await here.member()
    await give(person, OLD)
    return person
  }

  async function give({ id }: Person, password: string) {
    const hash = await hashPassword(password, quickKey)
    const { db } = here.tessera.database
    await transact(db, (tx) => savePassword(tx, id, hash, new Date()))
  }

  /** Another browser of that person. */
  const otherBrowser = async ({ email }: Person) =>
    here.browser(email, cookieOf(await here.signIn(email, OLD)))

  const sessionsOf = ({ id }: Person) =>
    rowsOf(here.tessera.database.db, 'sessions', { userId: id })

  test('a sign-in with the password before a change of it opens nothing', async () => {
    const owner = await member()
    const guess = await waiting(OLD, () => here.signIn(owner.email, OLD))
    const body = { password: NEW }
    expect((await here.post('/api/account/password', body, owner)).status).toBe(204)
    hashes.release()
    expect(await refusal(await guess.answer)).toMatchObject(WRONG)
    expect(await sessionsOf(owner)).toHaveLength(1)
    expect(await here.isSignedIn(owner)).toBe(true)
  })

  test('a sign-in with the password before a reset of it opens nothing', async () => {
    const owner = await member()
    const { db } = here.tessera.database
    const link = { userId: owner.id, email: owner.email }
    const token = await makeToken(db, 'reset-password', link, here.tessera.clock.now())
    const guess = await waiting(OLD, () => here.signIn(owner.email, OLD))
    const body = { token, password: NEW }
    expect((await here.post('/api/auth/reset-password', body)).status).toBe(204)
    hashes.release()
    expect(await refusal(await guess.answer)).toMatchObject(WRONG)
    expect(await sessionsOf(owner)).toHaveLength(0)
  })

  test('such a refusal leaves the browser’s earlier session', async () => {
    const owner = await member()
    const other = await here.member()
    const guess = await waiting(OLD, () => here.signIn(owner.email, OLD, other))
    await here.post('/api/account/password', { password: NEW }, owner)
    hashes.release()
    expect((await guess.answer).status).toBe(401)
    expect(await here.isSignedIn(other)).toBe(true)
  })

  test('a browser that was signed out since sets no password', async () => {
    const owner = await member()
    const thief = await otherBrowser(owner)
    const body = { password: THEIRS }
    const change = await waiting(THEIRS, () => here.post('/api/account/password', body, thief))
    expect((await owner.delete('/api/account/sessions')).status).toBe(204)
    hashes.release()
    expect((await change.answer).status).toBe(401)
    expect(await here.isSignedIn(owner)).toBe(true)
    expect((await here.signIn(owner.email, THEIRS)).status).toBe(401)
    expect((await here.signIn(owner.email, OLD)).status).toBe(200)
  })

  test('a password that was replaced since proves nothing in the settings', async () => {
    const person = await member()
    await signedInAgo(person, HOUR_MS)
    const body = { password: OLD, email: here.someEmail() }
    const change = await waiting(OLD, () => here.post('/api/account/email', body, person))
    await give(person, NEW)
    hashes.release()
    expect((await change.answer).status).toBe(403)
    expect(await here.eventsOf(person.email)).not.toContain('email-change-asked')
  })
})
