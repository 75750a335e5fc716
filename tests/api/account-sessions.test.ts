import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { SessionEntry } from '../../src/contract/accounts/account-settings.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { createSession, SESSIONS_MAX } from '../../src/server/accounts/sessions/sessions-store.ts'
import { transact } from '../../src/server/database/transact.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { subjectsTo } from '../support/mailbox.ts'
import { cookieOf, enrolForEach, newPerson, Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { signedInAgo } from '../support/session-age.ts'
import { runTessera } from '../support/tessera.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe.each(oneEngineInCi)('the sessions of an account on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const person = enrolForEach(tessera)

  const sessionsOf = (person: Person) => person.ask<SessionEntry[]>('/api/account/sessions')
  const end = (person: Person, id = '') => person.delete(`/api/account/sessions${id && `/${id}`}`)

  /** Signs in from a browser with these cookies. */
  async function signIn({ email, id }: Person, cookie = '', from = someAddress()) {
    const browser = Object.assign(new Person(tessera, email), { id, cookie })
    const headers = { 'x-forwarded-for': from, 'user-agent': FIREFOX }
    const body = { email, password: PASSWORD }
    const call = { method: 'POST', body, headers }
    const response = await browser.call('/api/auth/sign-in/email', call)
    expect(response.status).toBe(200)
    browser.cookie = cookieOf(response)
    return browser
  }

  test('each says its browser, its shortened address and when it was used', async () => {
    // Some proxies write a port behind it.
    await signIn(person, '', '203.0.113.77:51234')
    const [own, other] = await sessionsOf(person)
    expect(own).toMatchObject({ isCurrent: true, device: 'Unknown device', address: null })
    expect(other).toEqual({
      id: expect.stringMatching(/^\w+$/),
      isCurrent: false,
      device: 'Firefox on Windows',
      address: '203.0.113.x',
      signedInAt: expect.any(String),
      lastSeenAt: expect.any(String),
    })
    const text = JSON.stringify([own, other])
    for (const { token } of await rowsOf(tessera.database.db, 'sessions', { userId: person.id })) {
      expect(text).not.toContain(token)
    }
  })

  test('one ends, and the others stay', async () => {
    const [phone, office] = [await signIn(person), await signIn(person)]
    const [own] = await sessionsOf(phone)
    expect((await end(person, own?.id)).status).toBe(204)
    expect([await phone.isSignedIn(), await office.isSignedIn()]).toEqual([false, true])
    expect(await sessionsOf(person)).toHaveLength(2)
    expect(await person.history()).toContain('session-ended')
    await expectRefusal(end(person, own?.id), 'not_found')
  })

  test('the one of this browser can end, which signs out', async () => {
    const [own] = await sessionsOf(person)
    const response = await end(person, own?.id)
    expect(response.headers.getSetCookie().join()).toMatch(/^tessera_session=;.*Max-Age=0/)
    expect(await person.isSignedIn()).toBe(false)
  })

  test('‘Sign out everywhere’ leaves this browser alone', async () => {
    const [phone, office] = [await signIn(person), await signIn(person)]
    const stranger = await newPerson(tessera)
    expect((await end(phone)).status).toBe(204)
    const all = [phone, office, person, stranger]
    expect(await Promise.all(all.map((each) => each.isSignedIn()))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect((await sessionsOf(phone)).map(({ isCurrent }) => isCurrent)).toEqual([true])
    expect(await phone.history()).toContain('signed-out-everywhere')
  })

  test('after ‘Sign out everywhere’ a browser that was known is new again', async () => {
    const phone = await signIn(person)
    const lost = await signIn(person)
    const subject = 'New login to your Tessera account'
    const mails = async () =>
      (await subjectsTo(tessera, person.email)).filter((each) => each === subject).length
    await expect.poll(mails).toBe(1)
    await end(phone)
    await signIn(person, phone.cookie)
    await signIn(person, lost.cookie)
    await expect.poll(mails).toBe(2)
  })

  test('each ends after 90 days, however often it is used', async () => {
    await signedInAgo(person, 90 * DAY_MS - HOUR_MS)
    expect(await person.isSignedIn()).toBe(true)
    await signedInAgo(person, 90 * DAY_MS + HOUR_MS)
    const other = await signIn(person)
    await signedInAgo(person, 90 * DAY_MS + HOUR_MS)
    expect([await person.isSignedIn(), await other.isSignedIn()]).toEqual([false, false])
    expect(await rowsOf(tessera.database.db, 'sessions', { userId: person.id })).toEqual([])
  })

  test('the last use of one is written once an hour', async () => {
    const twoHoursAgo = Date.now() - 2 * HOUR_MS
    const [updatedAt, expiresAt] = [twoHoursAgo, twoHoursAgo + 30 * DAY_MS].map((at) =>
      new Date(at).toISOString(),
    )
    await sql`update sessions set "updatedAt" = ${updatedAt}, "expiresAt" = ${expiresAt}
      where "userId" = ${person.id}`.execute(tessera.database.db)
    const watcher = await signIn(person)
    const seen = async () => (await sessionsOf(watcher)).find(({ isCurrent }) => !isCurrent)
    expect((await seen())?.lastSeenAt).toBe(updatedAt)
    await person.isSignedIn()
    expect((await seen())?.lastSeenAt).not.toBe(updatedAt)
  })

  test('signing in ends the session that this browser had', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const before = await signIn(person)
    const after = await signIn(other, before.cookie)
    expect([await before.isSignedIn(), await after.isSignedIn()]).toEqual([false, true])
    expect(await person.isSignedIn()).toBe(true)
    expect(await sessionsOf(person)).toHaveLength(1)
  })

  test('an account keeps the hundred sessions that were used last', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    await transact(tessera.database.db, async (tx) => {
      const session = { userId: person.id, address: '', agent: 'x'.repeat(5_000) }
      for (let count = 1; count < SESSIONS_MAX; count++) await createSession(tx, session)
    })
    expect(await person.isSignedIn()).toBe(true)
    const newest = await signIn(person)
    expect(await Promise.all([person, newest, other].map((each) => each.isSignedIn()))).toEqual([
      false,
      true,
      true,
    ])
    const rows = await rowsOf(tessera.database.db, 'sessions', { userId: person.id })
    const agents = rows.map(({ userAgent }) => userAgent?.length ?? 0)
    expect([agents.length, Math.max(...agents)]).toEqual([SESSIONS_MAX, 512])
  })
})
