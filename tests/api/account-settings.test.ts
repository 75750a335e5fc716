import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AccountSettings, HistoryEntry } from '../../src/contract/accounts/account-settings.ts'
import type { User } from '../../src/contract/accounts/accounts.ts'
import { HOUR_MS } from '../../src/contract/time.ts'
import { makeToken, spendToken } from '../../src/server/accounts/proof/mailed-links.ts'
import { ownAccount } from '../../src/server/accounts/users-store.ts'
import { recordEvent } from '../../src/server/audit.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { allSent, mailTo, subjectsTo } from '../support/mailbox.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { runTessera } from '../support/tessera.ts'

const NEW_PASSWORD = 'a much better one'

describe.each(oneEngineInCi)('the settings of an account on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const person = enrolForEach(tessera)

  const settingsOf = (person: Person) => person.ask<AccountSettings>('/api/account')
  const change = (person: Person, body: object) =>
    person.call('/api/account', { method: 'PATCH', body })
  const changeWorkspace = (person: Person, body: object) =>
    person.call('/api/workspace', { method: 'PATCH', body })
  const setPassword = (person: Person, password: string, current?: string) =>
    person.post('/api/account/password', { password, ...(current && { current }) })

  /** Whether a password signs in, in another browser. */
  const opens = async (person: Person, password: string) =>
    (await person.elsewhere().signIn(password)).ok

  test('a new account has a name, a password and nothing switched off', async () => {
    expect(await settingsOf(person)).toEqual({
      email: person.email,
      emailVerified: false,
      pendingEmail: null,
      firstName: 'Ada',
      lastName: 'Lovelace',
      pictureUrl: null,
      timeZone: null,
      hasPassword: true,
      provider: null,
      passkeys: [],
      noticesOff: [],
      deletionAt: null,
      secondFactor: { isOn: false, recoveryCodesLeft: 0 },
    })
  })

  test('a name is changed in part and shown everywhere', async () => {
    const changed = await change(person, { lastName: ' King ' })
    expect(await changed.json()).toMatchObject({ firstName: 'Ada', lastName: 'King' })
    const { db } = tessera.database
    expect(await ownAccount(db, person.id)).toMatchObject({
      email: person.email,
      name: 'Ada King',
    })
    await change(person, { lastName: '' })
    const user = await person.ask<User>('/api/auth/user')
    expect(user).toMatchObject({ firstName: 'Ada', lastName: null })
    expect(await ownAccount(db, person.id)).toMatchObject({ email: person.email, name: 'Ada' })
  })

  test('a time zone is kept by its canonical name', async () => {
    await change(person, { timeZone: 'europe/berlin' })
    expect((await settingsOf(person)).timeZone).toBe('Europe/Berlin')
    expect((await person.ask<User>('/api/auth/user')).timeZone).toBe('Europe/Berlin')
    await expectRefusal(change(person, { timeZone: 'Mars/Olympus' }), 'invalid_input')
    expect((await settingsOf(person)).timeZone).toBe('Europe/Berlin')
  })

  test('notices are switched off and on again', async () => {
    await change(person, { noticesOff: ['plan-ends', 'code-ends', 'code-ends'] })
    expect((await settingsOf(person)).noticesOff).toEqual(['code-ends', 'plan-ends'])
    await change(person, { firstName: 'Augusta' })
    expect((await settingsOf(person)).noticesOff).toEqual(['code-ends', 'plan-ends'])
    await change(person, { noticesOff: [] })
    expect((await settingsOf(person)).noticesOff).toEqual([])
    await expectRefusal(change(person, { noticesOff: ['security'] }), 'invalid_input')
  })

  test('a contact is shown on the owner’s paused and expired codes, and nowhere else', async () => {
    const other = await newPerson(tessera)
    const [paused, expired, deleted] = [
      await person.code(),
      await person.code(),
      await person.code(),
    ]
    const theirs = await other.code()
    for (const [owner, { id }] of [
      [person, paused],
      [other, theirs],
    ] as const) {
      await owner.change(id, { isActive: false })
    }
    await person.remove(deleted.id)
    const pageOf = async (name: string) => (await person.call(`/qr/${name}`)).text()
    const before = await pageOf(paused.shortCode)
    const shown = { shownName: '<b>Café Luna</b>', shownContact: 'hello@luna.example' }
    expect(await (await changeWorkspace(person, shown)).json()).toMatchObject(shown)
    expect(await person.ask('/api/workspace')).toMatchObject(shown)
    const contact = '<bdi>&lt;b&gt;Café Luna&lt;/b&gt;</bdi><br><bdi>hello@luna.example</bdi>'
    expect(await pageOf(paused.shortCode)).toContain(contact)
    expect(await pageOf(theirs.shortCode)).toBe(before)
    expect(await pageOf(deleted.shortCode)).toBe(await pageOf('unknown-name'))
    tessera.clock.advance(15 * 24 * HOUR_MS)
    expect(await pageOf(expired.shortCode)).toContain(contact)
    await changeWorkspace(person, { shownName: '', shownContact: '' })
    const none = { shownName: null, shownContact: null }
    expect(await person.ask('/api/workspace')).toMatchObject(none)
    expect(await pageOf(paused.shortCode)).toBe(before)
  })

  test('mails follow the language of the browser that signed in last', async () => {
    const { email } = person
    const signIn = (language: string) =>
      person.elsewhere().call('/api/auth/sign-in/email', {
        method: 'POST',
        body: { email, password: PASSWORD },
        headers: { 'accept-language': language, 'x-forwarded-for': '198.51.100.7' },
      })
    for (const language of ['de-DE,de;q=0.9,en;q=0.8', '*', 'x'.repeat(400)]) {
      expect((await signIn(language)).status).toBe(200)
    }
    await person.make('/api/account/deletion', {})
    await allSent(tessera)
    const subject = (await subjectsTo(tessera, email)).find((each) => each?.includes('deleted'))
    expect(subject).toMatch(/deleted on \d{1,2}\. \p{L}+ \d{4}$/u)
  })

  const notTheirs = [
    { email: 'other@example.com' },
    { emailVerified: true },
    { id: randomUUID() },
    { deletionAt: null },
    { subscriptionTier: 'unlimited' },
    { firstName: 'A\u0000da' },
    { lastName: 'x'.repeat(101) },
  ]
  test.each(notTheirs)('a change of %j is refused', async (body) => {
    const before = await settingsOf(person)
    await expectRefusal(change(person, body), 'invalid_input')
    expect(await settingsOf(person)).toEqual(before)
  })

  const badContacts = [
    { shownName: 'x'.repeat(81) },
    { shownName: 'Luna \u202eevil' },
    { shownContact: 'https://evil.test' },
    { shownContact: 'www.evil.test' },
    { shownContact: 'evil.test/login' },
  ]
  test.each(badContacts)('a contact of %j is refused', async (body) => {
    await expectRefusal(changeWorkspace(person, body), 'invalid_input')
  })

  describe('a new password', () => {
    test('needs no old one right after a sign-in, and the owner gets a mail', async () => {
      expect((await setPassword(person, NEW_PASSWORD)).status).toBe(204)
      expect([await opens(person, PASSWORD), await opens(person, NEW_PASSWORD)]).toEqual([
        false,
        true,
      ])
      expect(await person.history()).toContain('password-changed')
      const text = await mailTo(tessera, person.email, 'Your password was changed')
      expect(text).not.toContain(NEW_PASSWORD)
    })

    test('ends all other sessions and every link that was mailed', async () => {
      const elsewhere = person.elsewhere()
      await elsewhere.signIn()
      const { db } = tessera.database
      const link = { userId: person.id, email: person.email }
      const token = await makeToken(db, 'reset-password', link, tessera.clock.now())
      expect((await setPassword(person, NEW_PASSWORD)).status).toBe(204)
      expect([await person.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([true, false])
      const used = await spendToken(db, 'reset-password', token, tessera.clock.now())
      expect(used).toBeUndefined()
    })

    test('needs the old one if the sign-in is a quarter of an hour old', async () => {
      await signedInAgo(person, HOUR_MS / 4)
      await expectRefusal(setPassword(person, NEW_PASSWORD), 'sign_in_again')
      const wrong = await setPassword(person, NEW_PASSWORD, 'wrong horse battery')
      await expectRefusal(wrong, 'wrong_password')
      expect(await opens(person, PASSWORD)).toBe(true)
      await signedInAgo(person, HOUR_MS / 4)
      expect((await setPassword(person, NEW_PASSWORD, PASSWORD)).status).toBe(204)
      expect(await opens(person, NEW_PASSWORD)).toBe(true)
    })

    test('is not reached by guessing the old one', async () => {
      await signedInAgo(person, HOUR_MS)
      const guess = (current: string) => setPassword(person, NEW_PASSWORD, current)
      const guesses = Array.from({ length: 10 }, () => guess('wrong horse battery'))
      const codes = await Promise.all(guesses.map(async (each) => (await refusal(await each)).code))
      expect(new Set(codes)).toEqual(new Set(['wrong_password']))
      await expectRefusal(guess(PASSWORD), 'rate_limited')
      // The owner, who can sign in, is not locked out.
      const browser = person.elsewhere()
      await browser.signIn()
      expect((await setPassword(browser, NEW_PASSWORD)).status).toBe(204)
    })

    test('does not accept a sign-in from the future as fresh', async () => {
      await signedInAgo(person, -HOUR_MS)
      await expectRefusal(setPassword(person, NEW_PASSWORD), 'sign_in_again')
    })

    test('is not short, repeated, common or the own address', async () => {
      for (const password of ['short', 'aaaaaaaaaaaa', 'password123', person.email]) {
        expect(await refusal(await setPassword(person, password))).toMatchObject({
          code: 'invalid_input',
          fields: { password: expect.any(String) },
        })
      }
      expect(await subjectsTo(tessera, person.email)).toEqual([])
    })

    test('can be the first one of an account', async () => {
      const { db } = tessera.database
      const rows = db.updateTable('accounts').where('userId', '=', person.id)
      await rows.set({ providerId: 'oidc', accountId: randomUUID(), password: null }).execute()
      expect((await settingsOf(person)).hasPassword).toBe(false)
      await signedInAgo(person, HOUR_MS)
      await expectRefusal(setPassword(person, NEW_PASSWORD, 'whatever'), 'sign_in_again')
      await signedInAgo(person, 0)
      expect((await setPassword(person, NEW_PASSWORD)).status).toBe(204)
      expect((await settingsOf(person)).hasPassword).toBe(true)
      expect(await opens(person, NEW_PASSWORD)).toBe(true)
      await mailTo(tessera, person.email, 'Your account has a password now')
    })
  })

  const guarded: [string, object?][] = [
    ['/api/account/email', { email: 'other@example.com' }],
    ['/api/account/deletion'],
    ['/api/account/keys', { name: 'Till', scope: 'read', days: null }],
    ['/api/account/keys/missing/resume'],
    ['/api/account/passkeys/options'],
    ['/api/account/second-factor'],
    ['/api/account/second-factor/off'],
    ['/api/account/recovery-codes'],
  ]
  test.each(guarded)('%s asks for the password if the sign-in is not fresh', async (path, body) => {
    const person = await newPerson(tessera, 'unlimited')
    await signedInAgo(person, HOUR_MS)
    const send = (password?: string) => person.post(path, { ...body, password })
    await expectRefusal(send(), 'sign_in_again')
    await expectRefusal(send('a wrong guess'), 'wrong_password')
    expect([200, 201, 202, 204, 404, 409]).toContain((await send(PASSWORD)).status)
  })

  test('one password is enough for a quarter of an hour, but not for what changes the sign-in', async () => {
    const person = await newPerson(tessera, 'unlimited')
    await signedInAgo(person, HOUR_MS)
    const key = { name: 'Till', scope: 'read', days: null }
    const make = () => person.post('/api/account/keys', key)
    await expectRefusal(make(), 'sign_in_again')
    await person.post('/api/account/keys', { ...key, password: PASSWORD })
    expect((await make()).status).toBe(201)
    await expectRefusal(person.post('/api/account/recovery-codes'), 'sign_in_again')
    const { db } = tessera.database
    const past = { proved_at: Date.now() - HOUR_MS }
    await db.updateTable('sessions').set(past).where('userId', '=', person.id).execute()
    await expectRefusal(make(), 'sign_in_again')
  })

  test('the history shows the newest hundred events of security', async () => {
    const entry = { userId: person.id, actor: 'user' } as const
    const record = (event: 'signed-in' | 'code-made', at: number) =>
      recordEvent(tessera.database.db, { ...entry, event }, new Date(at))
    for (let at = 0; at < 120; at++) await record('signed-in', at)
    for (let at = 0; at < 120; at++) await record('code-made', at)
    const history = await person.ask<HistoryEntry[]>('/api/account/history')
    const wanted = Array.from({ length: 100 }, (_, index) => 119 - index)
    expect(history.map(({ at }) => Date.parse(at))).toEqual(wanted)
    const other = await newPerson(tessera)
    expect(await other.ask('/api/account/history')).toEqual([])
  })
})
