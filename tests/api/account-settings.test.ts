import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountSettings, HistoryEntry } from '../../src/contract/account-settings.ts'
import type { User } from '../../src/contract/accounts.ts'
import { makeToken, useToken } from '../../src/server/accounts/recovery/mailed-links.ts'
import { ownAccount } from '../../src/server/accounts/users-store.ts'
import { recordEvent } from '../../src/server/audit.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { mailTo, subjectsTo } from '../support/mailbox.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

const HOUR_MS = 60 * 60 * 1000
const NEW_PASSWORD = 'a much better one'

describe.each(engines)('the settings of an account on %s', (engine) => {
  let tessera: Tessera
  beforeAll(async () => {
    tessera = await startTessera({ engine, environment: BEHIND_PROXY })
  })
  afterAll(() => tessera.stop())

  const settingsOf = (person: Person) => person.ask<AccountSettings>('/api/account')
  const change = (person: Person, body: object) =>
    person.call('/api/account', { method: 'PATCH', body })
  const historyOf = async (person: Person) =>
    (await person.ask<HistoryEntry[]>('/api/account/history')).map(({ event }) => event)
  const isSignedIn = async (person: Person) => (await person.call('/api/auth/user')).status === 200

  async function signIn({ email }: Person, password: string) {
    const browser = new Person(tessera, email)
    const headers = { 'x-forwarded-for': someAddress() }
    const body = { email, password }
    const response = await browser.call('/api/auth/sign-in/email', {
      method: 'POST',
      body,
      headers,
    })
    browser.cookie = cookieOf(response)
    return browser
  }
  const setPassword = (person: Person, body: object) =>
    person.call('/api/account/password', {
      method: 'POST',
      body,
      headers: { 'x-forwarded-for': someAddress() },
    })

  test('a new account has a name, a password and nothing switched off', async () => {
    const person = await newPerson(tessera)
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
    const person = await newPerson(tessera)
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
    const person = await newPerson(tessera)
    await change(person, { timeZone: 'europe/berlin' })
    expect((await settingsOf(person)).timeZone).toBe('Europe/Berlin')
    expect((await person.ask<User>('/api/auth/user')).timeZone).toBe('Europe/Berlin')
    const response = await change(person, { timeZone: 'Mars/Olympus' })
    expect(await refusal(response)).toMatchObject({ code: 'invalid_input' })
    expect((await settingsOf(person)).timeZone).toBe('Europe/Berlin')
  })

  test('notices are switched off and on again', async () => {
    const person = await newPerson(tessera)
    await change(person, { noticesOff: ['plan-ends', 'code-ends', 'code-ends'] })
    expect((await settingsOf(person)).noticesOff).toEqual(['code-ends', 'plan-ends'])
    await change(person, { firstName: 'Augusta' })
    expect((await settingsOf(person)).noticesOff).toEqual(['code-ends', 'plan-ends'])
    await change(person, { noticesOff: [] })
    expect((await settingsOf(person)).noticesOff).toEqual([])
    const response = await change(person, { noticesOff: ['security'] })
    expect(await refusal(response)).toMatchObject({ code: 'invalid_input' })
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
    const person = await newPerson(tessera)
    const before = await settingsOf(person)
    expect(await refusal(await change(person, body))).toMatchObject({ code: 'invalid_input' })
    expect(await settingsOf(person)).toEqual(before)
  })

  describe('a new password', () => {
    test('needs no old one right after a sign-in, and the owner gets a mail', async () => {
      const person = await newPerson(tessera)
      expect((await setPassword(person, { password: NEW_PASSWORD })).status).toBe(204)
      expect(await isSignedIn(await signIn(person, PASSWORD))).toBe(false)
      expect(await isSignedIn(await signIn(person, NEW_PASSWORD))).toBe(true)
      expect(await historyOf(person)).toContain('password-changed')
      const text = await mailTo(tessera, person.email, 'Your password was changed')
      expect(text).not.toContain(NEW_PASSWORD)
    })

    test('ends all other sessions and every link that was mailed', async () => {
      const person = await newPerson(tessera)
      const elsewhere = await signIn(person, PASSWORD)
      const { db } = tessera.database
      const link = { userId: person.id, email: person.email }
      const token = await makeToken(db, 'reset-password', link, tessera.clock.now())
      expect((await setPassword(person, { password: NEW_PASSWORD })).status).toBe(204)
      expect([await isSignedIn(person), await isSignedIn(elsewhere)]).toEqual([true, false])
      const used = await useToken(db, 'reset-password', token, tessera.clock.now())
      expect(used).toBeUndefined()
    })

    test('needs the old one if the sign-in is a quarter of an hour old', async () => {
      const person = await newPerson(tessera)
      await signedInAgo(person, HOUR_MS / 4)
      const password = NEW_PASSWORD
      expect(await refusal(await setPassword(person, { password }))).toMatchObject({
        code: 'sign_in_again',
      })
      const wrong = await setPassword(person, { password, current: 'wrong horse battery' })
      expect(await refusal(wrong)).toMatchObject({ code: 'wrong_password' })
      expect(await isSignedIn(await signIn(person, PASSWORD))).toBe(true)
      await signedInAgo(person, HOUR_MS / 4)
      expect((await setPassword(person, { password, current: PASSWORD })).status).toBe(204)
      expect(await isSignedIn(await signIn(person, password))).toBe(true)
    })

    test('is not reached by guessing the old one', async () => {
      const person = await newPerson(tessera)
      await signedInAgo(person, HOUR_MS)
      const guess = (current: string) => setPassword(person, { current, password: NEW_PASSWORD })
      const guesses = Array.from({ length: 10 }, () => guess('wrong horse battery'))
      const codes = await Promise.all(guesses.map(async (each) => (await refusal(await each)).code))
      expect(new Set(codes)).toEqual(new Set(['wrong_password']))
      expect(await refusal(await guess(PASSWORD))).toMatchObject({ code: 'rate_limited' })
      // The owner, who can sign in, is not locked out.
      const browser = await signIn(person, PASSWORD)
      expect((await setPassword(browser, { password: NEW_PASSWORD })).status).toBe(204)
    })

    test('does not accept a sign-in from the future as fresh', async () => {
      const person = await newPerson(tessera)
      await signedInAgo(person, -HOUR_MS)
      const response = await setPassword(person, { password: NEW_PASSWORD })
      expect(await refusal(response)).toMatchObject({ code: 'sign_in_again' })
    })

    const weak = (person: Person) => ['short', 'aaaaaaaaaaaa', 'password123', person.email]
    test('is not short, repeated, common or the own address', async () => {
      const person = await newPerson(tessera)
      for (const password of weak(person)) {
        const response = await setPassword(person, { password })
        const { code, fields } = await refusal(response)
        expect([password, code, Object.keys(fields ?? {})]).toEqual([
          ...[password, 'invalid_input', ['password']],
        ])
      }
      expect(await subjectsTo(tessera, person.email)).toEqual([])
    })

    test('can be the first one of an account', async () => {
      const person = await newPerson(tessera)
      const { db } = tessera.database
      await db
        .updateTable('accounts')
        .set({ providerId: 'oidc', accountId: randomUUID(), password: null })
        .where('userId', '=', person.id)
        .execute()
      expect((await settingsOf(person)).hasPassword).toBe(false)
      await signedInAgo(person, HOUR_MS)
      const early = await setPassword(person, { password: NEW_PASSWORD, current: 'whatever' })
      expect(await refusal(early)).toMatchObject({ code: 'sign_in_again' })
      await signedInAgo(person, 0)
      expect((await setPassword(person, { password: NEW_PASSWORD })).status).toBe(204)
      expect((await settingsOf(person)).hasPassword).toBe(true)
      expect(await isSignedIn(await signIn(person, NEW_PASSWORD))).toBe(true)
      await mailTo(tessera, person.email, 'Your account has a password now')
    })
  })

  const guarded: [string, object?][] = [
    ['/api/account/email', { email: 'other@example.com' }],
    ['/api/account/deletion'],
    ['/api/account/keys', { name: 'Till', scope: 'read', days: null }],
    ['/api/account/passkeys/options'],
    ['/api/account/second-factor'],
    ['/api/account/second-factor/off'],
    ['/api/account/recovery-codes'],
  ]
  test.each(guarded)('%s asks for the password if the sign-in is not fresh', async (path, body) => {
    const person = await newPerson(tessera, 'unlimited')
    await signedInAgo(person, HOUR_MS)
    const send = (password?: string) =>
      person.call(path, { method: 'POST', body: { ...body, password } })
    expect(await refusal(await send())).toMatchObject({ status: 403, code: 'sign_in_again' })
    const wrong = await refusal(await send('a wrong guess'))
    expect(wrong).toMatchObject({ status: 403, code: 'wrong_password' })
    expect([200, 201, 202, 204, 409]).toContain((await send(PASSWORD)).status)
  })

  test('the history shows the newest hundred events of security', async () => {
    const person = await newPerson(tessera)
    const entry = { userId: person.id, actor: 'user' } as const
    const record = (event: 'signed-in' | 'code-made', at: number) =>
      recordEvent(tessera.database.db, { ...entry, event }, new Date(at))
    for (let at = 0; at < 120; at++) await record('signed-in', at)
    for (let at = 0; at < 120; at++) await record('code-made', at)
    const history = await person.ask<HistoryEntry[]>('/api/account/history')
    expect(history.map(({ at }) => Date.parse(at))).toEqual(
      Array.from({ length: 100 }, (_, index) => 119 - index),
    )
    expect(await historyOf(await newPerson(tessera))).toEqual([])
  })
})

test('if passwords are off, none is set and none proves anything', async () => {
  const tessera = await startTessera({
    environment: {
      PASSWORD_LOGIN: 'off',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'tessera',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Acme',
    },
  })
  const person = await newPerson(tessera)
  const settings = await person.ask<AccountSettings>('/api/account')
  expect(settings).toMatchObject({ hasPassword: false, provider: null })
  const body = { password: NEW_PASSWORD }
  const response = await person.call('/api/account/password', { method: 'POST', body })
  expect(await refusal(response)).toMatchObject({ code: 'not_found' })
  await signedInAgo(person, HOUR_MS)
  const proof = { method: 'POST', body: { password: PASSWORD } }
  const factor = await person.call('/api/account/second-factor', proof)
  expect(await refusal(factor)).toMatchObject({ code: 'sign_in_again' })
  await tessera.stop()
})
