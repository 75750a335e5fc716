import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/accounts/accounts.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { jobsAfter } from '../support/jobs.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

const WRONG = {
  status: 401,
  code: 'invalid_credentials',
  message: 'Wrong email address or password.',
}

describe.each(engines)('accounts on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  const someEmail = () => `${randomUUID()}@example.com`
  const someone = () => new Person(tessera, someEmail())
  const signUp = (body: object) => {
    const usual = { email: someEmail(), password: PASSWORD, name: 'Ada Lovelace' }
    return someone().post('/api/auth/sign-up/email', { ...usual, ...body })
  }
  const signIn = (email: string, password: string) => new Person(tessera, email).signIn(password)

  test('signing up signs in with cookies that scripts and other sites cannot use', async () => {
    const response = await signUp({})
    expect(response.status).toBe(200)
    const cookies = response.headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    expect(cookies[0]).toMatch(/^tessera_session=[^;]{40,};/)
    expect(cookies[1]).toMatch(/^tessera_device=[^;]{40,};/)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly/i)
      expect(cookie).toMatch(/; SameSite=Lax/i)
      expect(cookie).toMatch(/; Path=\//i)
      expect(cookie).not.toMatch(/; (Secure|Domain)/i)
    }
  })

  test('a sign-up and a sign-in answer the user, without the session', async () => {
    const email = someEmail()
    const up = await signUp({ email, name: 'Ada King Lovelace' })
    const user = {
      id: expect.any(String),
      email,
      firstName: 'Ada',
      lastName: 'King Lovelace',
      profileImageUrl: null,
      subscriptionTier: 'free',
      emailVerified: false,
      timeZone: null,
      deletionAt: null,
    }
    expect(await up.json()).toEqual({ user })
    const signedIn = await signIn(email, PASSWORD)
    expect(signedIn.status).toBe(200)
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/^tessera_session=.*HttpOnly/i)
    expect(await signedIn.json()).toEqual({ user })
  })

  test.each([
    ['Ada', 'Ada', null],
    ['  Ada   King  Lovelace ', 'Ada', 'King Lovelace'],
    ['Ådá 李 \u{1F600}', 'Ådá', '李 \u{1F600}'],
  ])('the name %j is split at its first space', async (name, firstName, lastName) => {
    const { user } = (await (await signUp({ name })).json()) as { user: User }
    expect(user).toMatchObject({ firstName, lastName })
  })

  test('a sign-up sets nothing but name, e-mail address and password', async () => {
    const response = await signUp({
      id: 'chosen',
      subscriptionTier: 'unlimited',
      plan: 'unlimited',
      emailVerified: true,
      image: 'https://example.com/a.png',
      firstName: 'Eve',
      callbackURL: 'https://evil.example',
    })
    const { user } = (await response.json()) as { user: User }
    expect(user).toMatchObject({
      firstName: 'Ada',
      profileImageUrl: null,
      subscriptionTier: 'free',
    })
    expect(user.id).not.toBe('chosen')
  })

  test('a wrong password and an unknown address are answered alike', async () => {
    const { email } = await newPerson(tessera)
    const wrong = await signIn(email, 'another password')
    const unknown = await signIn(someEmail(), 'another password')
    expect(wrong.headers.getSetCookie()).toEqual([])
    const answers = [await refusal(wrong), await refusal(unknown)]
    expect(answers).toEqual([WRONG, WRONG])
    const endless = await signIn(`${'x'.repeat(9_000)}${someEmail()}`, PASSWORD)
    expect(await refusal(endless)).toEqual(WRONG)
  })

  test('an e-mail address is the same in any case', async () => {
    const { email } = await newPerson(tessera)
    expect((await signIn(email.toUpperCase(), PASSWORD)).status).toBe(200)
    await expectRefusal(signUp({ email: email.toUpperCase() }), 'account_exists')
  })

  test('eight sign-ups with one address at once make one account', async () => {
    const email = someEmail()
    const responses = await Promise.all(Array.from({ length: 8 }, () => signUp({ email })))
    expect(await tally(responses)).toEqual({ 200: 1, 409: 7 })
  })

  const badSignUps: [string, Record<string, string>, string, string | RegExp][] = [
    ['short', { password: 'short1!' }, 'password', 'Password must be at least 8 characters'],
    ['long', { password: 'x'.repeat(129) }, 'password', 'Password must be at most 128 characters'],
    ['common', { password: 'Password123' }, 'password', /very common password/],
    ['nameless', { name: '  ' }, 'name', 'Name is required'],
    ['mailless', { email: 'ada' }, 'email', 'Enter a valid email address'],
    ['with a NUL', { name: 'A\0da' }, 'name', 'Contains characters that cannot be used'],
  ]

  test.each(badSignUps)('a sign-up that is %s is refused', async (_case, body, field, message) => {
    const email = someEmail()
    const answer = await expectRefusal(signUp({ email, ...body }), 'invalid_input')
    expect(answer.fields?.[field]).toMatch(message)
    expect(answer.message).toMatch(message)
    const made = await signIn(email, body.password ?? PASSWORD)
    expect(made.ok).toBe(false)
  })

  test('signing out ends the session on the server too', async () => {
    const person = await newPerson(tessera)
    const response = await person.call('/api/logout')
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/')
    expect(response.headers.getSetCookie().join('\n')).toMatch(/^tessera_session=;.*Max-Age=0/i)
    expect(await person.isSignedIn()).toBe(false)
    const byApi = await newPerson(tessera)
    expect((await byApi.post('/api/auth/sign-out')).status).toBe(200)
    expect(await byApi.isSignedIn()).toBe(false)
    for (const { id } of [person, byApi]) expect(await sessionsOf(id)).toEqual([])
  })

  const sessionsOf = (userId: PersonId) => rowsOf(tessera.database.db, 'sessions', { userId })

  test.each(['cross-site', 'same-site'])('a %s page cannot sign users out', async (site) => {
    const person = await newPerson(tessera)
    const response = await person.call('/api/logout', { headers: { 'sec-fetch-site': site } })
    expect(response.status).toBe(302)
    expect(await person.isSignedIn()).toBe(true)
  })

  test('a sign-out without a session goes to the start page', async () => {
    for (const cookie of ['', 'tessera_session=%zz', 'tessera_session=a.b; tessera_session=c']) {
      const response = await someone().call('/api/logout', { headers: { cookie } })
      expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    }
  })

  test('a session ends after its time, and one sign-out leaves other devices signed in', async () => {
    const phone = await newPerson(tessera)
    const laptop = phone.elsewhere()
    await laptop.signIn()
    await phone.call('/api/logout')
    expect(await laptop.isSignedIn()).toBe(true)
    await endSessions(phone.id)
    expect(await laptop.isSignedIn()).toBe(false)
  })

  /** Lets the time of an account's sessions be over. */
  async function endSessions(userId: string) {
    const past = engine === 'sqlite' ? new Date(0).toISOString() : new Date(0)
    const { db } = tessera.database
    await sql`update sessions set "expiresAt" = ${past} where "userId" = ${userId}`.execute(db)
  }

  test('only sessions that have ended are removed', async () => {
    const [gone, here] = [await newPerson(tessera), await newPerson(tessera)]
    await endSessions(gone.id)
    await jobsAfter(tessera, 2 * 60 * 60 * 1000)
    expect(await sessionsOf(gone.id)).toEqual([])
    expect(await here.isSignedIn()).toBe(true)
  })

  test('no cache keeps an account’s data', async () => {
    const person = await newPerson(tessera)
    const paths = [
      '/api/auth/user',
      '/api/user/subscription',
      '/api/qr-codes',
      '/api/analytics/user',
    ]
    for (const path of paths) {
      const response = await person.call(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('a forged cookie does not sign in', async () => {
    const { cookie } = await newPerson(tessera)
    const [name, value = ''] = cookie.split('=')
    const token = decodeURIComponent(value).split('.')[0]
    const last = value.at(-5) === 'A' ? 'B' : 'A'
    const forged = [
      `${name}=${token}`,
      `${name}=${token}.`,
      `${name}=${value.slice(0, -5)}${last}${value.slice(-4)}`,
      `${name}=`,
      `${name}=%zz`,
      `__Host-${cookie}`,
    ]
    for (const attempt of forged) {
      const response = await someone().call('/api/auth/user', { headers: { cookie: attempt } })
      expect([attempt, response.status]).toEqual([attempt, 401])
    }
  })

  test.each(['/api/login?returnTo=%00', '/api/login?returnTo=/a%00b', '/?a=%00', '/profile?a=%00'])(
    'a browser at %s gets a page',
    async (path) => {
      const page = await someone().call(path)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      await page.text()
    },
  )

  test('the login address shows the sign-in page, or redirects an account that is signed in', async () => {
    const page = await someone().call('/api/login?returnTo=/profile')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    const person = await newPerson(tessera)
    for (const [query, target] of [
      ['', '/'],
      ['?returnTo=/subscription%3Ftier%3Dstarter', '/subscription?tier=starter'],
      // tests/unit/contract/return-to.test.ts has the other addresses.
      ['?returnTo=//evil.example', '/'],
      ['?returnTo=/a&returnTo=/b', '/'],
    ]) {
      const { headers } = await person.call(`/api/login${query}`)
      expect([query, headers.get('location')]).toEqual([query, target])
    }
  })
})

describe('accounts behind https', () => {
  const origin = 'https://qr.example.com'
  const tessera = runTessera({ environment: { PUBLIC_URL: origin, SIGN_UP: 'open' } })

  test('the cookie is secure and bound to the host', async () => {
    const person = new Person(tessera, 'ada@example.com')
    const body = { email: person.email, password: PASSWORD, name: 'Ada' }
    const headers = { origin }
    const up = await person.call('/api/auth/sign-up/email', { method: 'POST', body, headers })
    expect(up.status).toBe(200)
    const [cookie = ''] = up.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-tessera_session=/)
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) {
      expect(cookie.toLowerCase()).toContain(`; ${attribute.toLowerCase()}`)
    }
    expect(cookie).not.toMatch(/domain/i)
    person.cookie = cookieOf(up)
    expect(await person.isSignedIn()).toBe(true)
    const out = await person.call('/api/logout')
    expect(out.headers.getSetCookie()[0]).toMatch(/^__Host-tessera_session=;.*Secure/i)
    expect(await person.isSignedIn()).toBe(false)
  })
})
