import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SecondFactorOffer } from '../../src/contract/account-settings.ts'
import type { User } from '../../src/contract/accounts.ts'
import { appCode } from '../support/authenticator-app.ts'
import { Browser, type Visit } from '../support/browser.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { MailServer } from '../support/mail-server.ts'
import { type AtProvider, TestProvider } from '../support/oidc-provider.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

const CALLBACK = '/api/auth/provider/callback'
const isCallback = (url: URL) => url.pathname === CALLBACK

/** Somebody at the provider with an address that it has verified. */
function somebody(claims: Partial<AtProvider> = {}): AtProvider {
  const sub = randomUUID()
  return {
    ...{ sub, email: `${sub}@example.com`, email_verified: true },
    ...{ name: 'Grace Hopper', given_name: 'Grace', family_name: 'Hopper' },
    ...claims,
  }
}

type Setting = { tessera: Tessera; provider: TestProvider }

async function startWithProvider(
  environment: Record<string, string> = {},
  {
    engine = 'sqlite',
    idTokenS,
  }: { engine?: Tessera['database']['location']['engine']; idTokenS?: number } = {},
): Promise<Setting> {
  const provider = await TestProvider.at(idTokenS ? { idTokenS } : {})
  const tessera = await startTessera({
    engine,
    environment: { ...provider.environment, ...environment },
  })
  await provider.start(tessera.origin)
  return { tessera, provider }
}

async function stopAll({ tessera, provider }: Setting) {
  await provider.stop()
  await tessera.stop()
}

/** Signs in at the provider from the button of the sign-in page on. */
const signIn = (origin: string, browser = new Browser(), returnTo = '/dashboard'): Promise<Visit> =>
  browser.open(`${origin}/api/auth/provider?returnTo=${encodeURIComponent(returnTo)}`)

async function userOf(browser: Browser, origin: string): Promise<User | undefined> {
  const response = await browser.fetch(new URL('/api/auth/user', origin))
  return response.ok ? response.json() : undefined
}

/** Somebody who is signed in, as the API is called by them. */
async function personOf(browser: Browser, { tessera }: Setting): Promise<Person> {
  const user = await userOf(browser, tessera.origin)
  const person = new Person(tessera, user?.email ?? '')
  return Object.assign(person, {
    id: user?.id,
    cookie: browser.cookiesFor(new URL(tessera.origin)),
  })
}

const unlink = (person: Person, password?: string) =>
  person.call('/api/account/provider', { method: 'DELETE', body: { password } })

const titleOf = ({ html }: Visit) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

/** The sign-in as it comes back from the provider, not yet opened here. */
async function comeBack(origin: string, browser: Browser): Promise<URL> {
  const { url } = await browser.open(`${origin}/api/auth/provider?returnTo=/dashboard`, isCallback)
  return url
}

const eventsOf = async ({ database }: Tessera, userId: string) => {
  const rows = await database.db
    .selectFrom('audit_entries')
    .select('event')
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute()
  return rows.map(({ event }) => event)
}

describe.each(engines)('the provider on %s', (engine) => {
  let setting: Setting
  let tessera: Tessera
  let provider: TestProvider
  let origin: string
  beforeAll(async () => {
    setting = await startWithProvider({}, { engine })
    ;({ tessera, provider } = setting)
    origin = tessera.origin
  })
  afterAll(() => stopAll(setting))
  beforeEach(() => {
    provider.isDenied = false
    provider.otherKeys = undefined
    provider.otherClaims = {}
  })

  const prove = (account: { id: string }) =>
    tessera.database.db
      .updateTable('users')
      .set({ emailVerified: engine === 'postgres' ? true : 1 })
      .where('id', '=', account.id)
      .execute()

  async function turnOnSecondStep(person: Person) {
    const init = { method: 'POST', body: {} }
    const { secret } = await person.ask<SecondFactorOffer>('/api/account/second-factor', init)
    const code = appCode(secret, tessera.clock.now())
    await person.ask('/api/account/second-factor/confirm', { method: 'POST', body: { code } })
  }

  /** Begins in the settings to link the provider. */
  async function beginLink(person: Person, browser: Browser): Promise<string> {
    browser.give(origin, person.cookie)
    const response = await browser.fetch(new URL('/api/account/provider/link', origin), {
      ...{ method: 'POST', body: JSON.stringify({ password: PASSWORD }) },
      headers: { 'content-type': 'application/json', origin },
    })
    const { url } = (await response.json()) as { url: string }
    return url
  }

  /** Links the provider, from the settings to the end. */
  const link = async (person: Person, browser = new Browser()): Promise<Visit> =>
    browser.open(await beginLink(person, browser))

  test('somebody new gets an account with names and the proved address', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const visit = await signIn(origin, browser, '/dashboard?new')
    expect(visit.url.href).toBe(`${origin}/dashboard?new`)
    const user = await userOf(browser, origin)
    expect(user).toMatchObject({
      ...{ email: provider.person.email, emailVerified: true },
      ...{ firstName: 'Grace', lastName: 'Hopper' },
    })
    expect(await eventsOf(tessera, user?.id ?? '')).toEqual(
      expect.arrayContaining(['signed-up', 'provider-linked', 'signed-in']),
    )
  })

  test('the way to the provider has PKCE, a state and a nonce, and one cookie for scripts of nobody', async () => {
    const response = await new Browser().fetch(new URL('/api/auth/provider', origin))
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', redirect_uri: origin + CALLBACK },
      ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), scope: 'openid email profile' },
      ...{
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      },
    })
    const cookies = response.headers.getSetCookie()
    expect(cookies).toEqual([
      expect.stringMatching(
        /^tessera_provider=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  test('the same person comes back to the same account, whatever address they have by then', async () => {
    provider.person = somebody()
    const [first, second] = [new Browser(), new Browser()]
    await signIn(origin, first)
    provider.person = { ...provider.person, email: 'another@example.com' }
    await signIn(origin, second)
    expect((await userOf(second, origin))?.id).toBe((await userOf(first, origin))?.id)
  })

  test('two sign-ins of somebody new at once make one account', async () => {
    provider.person = somebody()
    const browsers = [new Browser(), new Browser(), new Browser()]
    const addresses = await Promise.all(browsers.map((browser) => comeBack(origin, browser)))
    await Promise.all(browsers.map((browser, at) => browser.open(addresses[at] ?? origin)))
    const ids = await Promise.all(
      browsers.map(async (browser) => (await userOf(browser, origin))?.id),
    )
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toBeDefined()
  })

  test('only a path of this site is where a sign-in ends', async () => {
    provider.person = somebody()
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      expect((await signIn(origin, new Browser(), returnTo)).url.href).toBe(`${origin}/`)
    }
  })

  test('who comes again while signed in proves anew who they are', async () => {
    provider.person = somebody()
    const browser = new Browser()
    await signIn(origin, browser)
    const before = provider.proofs
    await signIn(origin, browser)
    expect(provider.proofs).toBe(before + 1)
  })

  test('a declined sign-in shows a page with a way to try again', async () => {
    provider.person = somebody()
    provider.isDenied = true
    const browser = new Browser()
    const visit = await signIn(origin, browser)
    expect(visit.status).toBe(403)
    expect(titleOf(visit)).toBe('You are not signed in')
    expect(visit.html).toContain('href="/api/auth/provider?returnTo=%2Fdashboard"')
    expect(visit.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await userOf(browser, origin)).toBeUndefined()
  })

  test('an answer with another state is refused', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const address = await comeBack(origin, browser)
    address.searchParams.set('state', 'x'.repeat(43))
    const visit = await browser.open(address)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'This sign-in has expired'])
    expect(await userOf(browser, origin)).toBeUndefined()
  })

  test('an answer in another browser is refused', async () => {
    provider.person = somebody()
    const address = await comeBack(origin, new Browser())
    const other = new Browser()
    const visit = await other.open(address)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'This sign-in has expired'])
    expect(await userOf(other, origin)).toBeUndefined()
  })

  test('an answer with another nonce is refused', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const start = await browser.fetch(new URL('/api/auth/provider', origin))
    const address = new URL(start.headers.get('location') ?? '')
    address.searchParams.set('nonce', 'another one')
    const visit = await browser.open(address)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'We could not sign you in'])
    expect(await userOf(browser, origin)).toBeUndefined()
  })

  test('a code works once', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const address = await comeBack(origin, browser)
    const thief = new Browser()
    thief.give(origin, browser.cookiesFor(address))
    await browser.open(address)
    expect(await userOf(browser, origin)).toBeDefined()
    expect(titleOf(await browser.open(address))).toBe('This sign-in has expired')
    const replay = await thief.open(address)
    expect([replay.status, titleOf(replay)]).toEqual([400, 'This sign-in has expired'])
    expect(await userOf(thief, origin)).toBeUndefined()
  })

  test('a code that is too old for the provider is refused', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const address = await comeBack(origin, browser)
    await provider.expire(address.searchParams.get('code') ?? '')
    const visit = await browser.open(address)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'This sign-in has expired'])
  })

  test('a sign-in that takes more than ten minutes is over', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const address = await comeBack(origin, browser)
    tessera.clock.advance(11 * 60_000)
    const visit = await browser.open(address)
    tessera.clock.advance(-11 * 60_000)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'This sign-in has expired'])
  })

  test('new keys of the provider work at once', async () => {
    provider.person = somebody()
    await signIn(origin)
    await provider.rotate()
    const browser = new Browser()
    await signIn(origin, browser)
    expect((await userOf(browser, origin))?.email).toBe(provider.person.email)
  })

  test('an id_token that is signed with another key is refused', async () => {
    provider.person = somebody()
    provider.otherKeys = TestProvider.otherKeys()
    const browser = new Browser()
    const visit = await signIn(origin, browser)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'We could not sign you in'])
    expect(await userOf(browser, origin)).toBeUndefined()
  })

  test.each([
    ['for another client', { aud: 'somebody-else' }],
    ['of another issuer', { iss: 'https://id.example.com' }],
    ['that ended an hour ago', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ])('an id_token %s is refused', async (_what, claims) => {
    provider.person = somebody()
    provider.otherClaims = claims
    const browser = new Browser()
    const visit = await signIn(origin, browser)
    expect([visit.status, titleOf(visit)]).toEqual([400, 'We could not sign you in'])
    expect(await userOf(browser, origin)).toBeUndefined()
    provider.otherClaims = {}
    await signIn(origin, browser)
    expect(await userOf(browser, origin)).toBeDefined()
  })

  test('a provider that is down gives a page, and works when it is back', async () => {
    provider.person = somebody()
    const browser = new Browser()
    const address = await comeBack(origin, browser)
    await provider.stop()
    const visit = await browser.open(address)
    expect([visit.status, titleOf(visit)]).toEqual([503, 'Example ID does not answer right now'])
    const again = await signIn(origin, browser)
    expect([again.status, titleOf(again)]).toEqual([503, 'Example ID does not answer right now'])
    expect(again.headers.get('retry-after')).toBe('5')
    await provider.start()
    await signIn(origin, browser)
    expect(await userOf(browser, origin)).toBeDefined()
  })

  test('an account is linked where both sides have the address verified', async () => {
    const person = await newPerson(tessera)
    await prove(person)
    provider.person = somebody({ email: person.email.toUpperCase() })
    const browser = new Browser()
    await signIn(origin, browser)
    expect((await userOf(browser, origin))?.id).toBe(person.id)
    expect(await eventsOf(tessera, person.id)).toContain('provider-linked')
    const { subject } = await tessera.database.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', person.email)
      .where('kind', '=', 'provider-linked')
      .executeTakeFirst()
      .then((mail) => mail ?? { subject: 'sent' })
    expect(subject).toMatch(/Example ID|sent/)
    // Its password stays: the address was proved before.
    const { email } = person
    const body = { email, password: PASSWORD }
    const byPassword = await person.call('/api/auth/sign-in/email', { method: 'POST', body })
    expect(byPassword.status).toBe(200)
  })

  test('an account with a second step is not linked by its address, which would leave out the step', async () => {
    const person = await newPerson(tessera)
    await prove(person)
    await turnOnSecondStep(person)
    provider.person = somebody({ email: person.email })
    const browser = new Browser()
    const visit = await signIn(origin, browser)
    expect([visit.status, titleOf(visit)]).toEqual([409, 'Please sign in to your account first'])
    expect(await userOf(browser, origin)).toBeUndefined()
    await link(person, new Browser())
    await signIn(origin, browser)
    expect((await userOf(browser, origin))?.id).toBe(person.id)
  })

  test('an account with an unproved address is not linked by it', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody({ email: person.email })
    const browser = new Browser()
    const visit = await signIn(origin, browser)
    expect([visit.status, titleOf(visit)]).toEqual([409, 'Please sign in to your account first'])
    expect(await userOf(browser, origin)).toBeUndefined()
    expect(await eventsOf(tessera, person.id)).toEqual([])
  })

  test('an address that the provider has not verified links nothing and makes nothing', async () => {
    const person = await newPerson(tessera)
    await prove(person)
    for (const email of [person.email, `${randomUUID()}@example.com`]) {
      provider.person = somebody({ email, email_verified: false })
      const browser = new Browser()
      const visit = await signIn(origin, browser)
      expect([visit.status, titleOf(visit)]).toEqual([
        403,
        'Example ID has not confirmed your address',
      ])
      expect(await userOf(browser, origin)).toBeUndefined()
    }
  })

  test('somebody whom the provider gives no address gets no account', async () => {
    provider.person = { sub: randomUUID(), name: 'Nobody' }
    const visit = await signIn(origin)
    expect([visit.status, titleOf(visit)]).toEqual([
      403,
      'Example ID has not confirmed your address',
    ])
  })

  test('somebody who is signed in links the provider in the settings', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody({ email_verified: false })
    const visit = await link(person)
    expect(visit.url.href).toBe(`${origin}/profile?settings=sign-in`)
    const browser = new Browser()
    await signIn(origin, browser)
    expect((await userOf(browser, origin))?.id).toBe(person.id)
    // Another address proves nothing about the account's own.
    expect((await userOf(browser, origin))?.emailVerified).toBe(false)
    expect(titleOf(await link(person))).toBeUndefined()
  })

  test('linking that was declined leads back to the settings', async () => {
    const person = await newPerson(tessera)
    provider.isDenied = true
    const visit = await link(person)
    expect([visit.status, titleOf(visit)]).toEqual([403, 'Nothing was linked'])
    expect(visit.html).toContain('href="/profile?settings=sign-in"')
    expect(await eventsOf(tessera, person.id)).not.toContain('provider-linked')
  })

  test('linking ends at the account that began it', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    provider.person = somebody()
    const browser = new Browser()
    const url = await beginLink(person, browser)
    browser.give(origin, other.cookie)
    expect(titleOf(await browser.open(url))).toBe('Nothing was linked')
    const fresh = new Browser()
    await signIn(origin, fresh)
    const made = await userOf(fresh, origin)
    expect([person.id, other.id]).not.toContain(made?.id)
  })

  test('a person at the provider opens one account, and an account has one of them', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    provider.person = somebody()
    await link(person)
    const taken = await link(other)
    expect([taken.status, titleOf(taken)]).toEqual([409, 'Another account is linked already'])
    provider.person = somebody()
    const second = await link(person)
    expect([second.status, titleOf(second)]).toEqual([409, 'Your account is linked already'])
  })

  /** Whoever comes from the provider now, signed in by it. */
  async function fromProvider(): Promise<Person> {
    const browser = new Browser()
    await signIn(origin, browser)
    return personOf(browser, setting)
  }

  test('the owner unlinks the provider, which ends what it had opened', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody({ email_verified: false })
    await link(person)
    const elsewhere = await fromProvider()
    const byPassword = new Person(tessera, person.email)
    const body = { email: person.email, password: PASSWORD }
    const answer = await byPassword.call('/api/auth/sign-in/email', { method: 'POST', body })
    byPassword.cookie = cookieOf(answer)

    expect((await unlink(person)).status).toBe(204)
    expect(await person.ask('/api/account')).toMatchObject({ provider: null, hasPassword: true })
    const statuses = [elsewhere, byPassword].map(
      async (at) => (await at.call('/api/account')).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 200])
    // It is somebody new to us, whose address is not even confirmed.
    expect(titleOf(await signIn(origin))).toBe('Example ID has not confirmed your address')
    // Once more changes nothing.
    expect((await unlink(person)).status).toBe(204)
    const events = await eventsOf(tessera, person.id)
    expect(events.filter((event) => event === 'provider-unlinked')).toHaveLength(1)
  })

  test('the browser that unlinks the provider stays signed in, also if it came by it', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody({ email_verified: false })
    await link(person)
    const here = await fromProvider()
    expect((await unlink(here)).status).toBe(204)
    expect((await here.call('/api/account')).status).toBe(200)
  })

  test('a provider that is the only way in is not unlinked before there is another', async () => {
    provider.person = somebody()
    const person = await fromProvider()
    expect(await refusal(await unlink(person))).toMatchObject({
      ...{ status: 409, code: 'last_way_in' },
      message: 'You have no other way to sign in yet. Set a password or add a passkey first.',
    })
    expect(await person.ask('/api/account')).toMatchObject({ provider: 'Example ID' })
    const key = { credential_id: person.id, public_key: 'eA', counter: 0, transports: '[]' }
    const passkey = { id: person.id, user_id: person.id, ...key, name: 'Key', added_at: 1 }
    await tessera.database.db.insertInto('passkeys').values(passkey).execute()
    expect((await unlink(person)).status).toBe(204)
  })

  test('unlinking the provider asks for the password where the sign-in is not fresh', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody()
    await link(person)
    await signedInAgo(person, 60 * 60_000)
    expect(await refusal(await unlink(person))).toMatchObject({ code: 'sign_in_again' })
    expect(await refusal(await unlink(person, 'a wrong guess'))).toMatchObject({
      code: 'wrong_password',
    })
    expect(await person.ask('/api/account')).toMatchObject({ provider: 'Example ID' })
    expect((await unlink(person, PASSWORD)).status).toBe(204)
  })

  test('the first proof of an address ends passwords and sessions that were there before', async () => {
    const person = await newPerson(tessera)
    const elsewhere = new Person(tessera, person.email)
    const body = { email: person.email, password: PASSWORD }
    const response = await elsewhere.call('/api/auth/sign-in/email', { method: 'POST', body })
    elsewhere.cookie = cookieOf(response)
    provider.person = somebody({ email: person.email })
    const browser = new Browser()
    await link(person, browser)
    expect(await userOf(browser, origin)).toMatchObject({ id: person.id, emailVerified: true })
    expect((await elsewhere.call('/api/auth/user')).status).toBe(401)
    const again = await elsewhere.call('/api/auth/sign-in/email', { method: 'POST', body })
    expect(await refusal(again)).toMatchObject({ code: 'invalid_credentials' })
    const fresh = new Browser()
    await signIn(origin, fresh)
    expect((await userOf(fresh, origin))?.id).toBe(person.id)
  })

  test('a first proof at a later sign-in ends them too', async () => {
    const person = await newPerson(tessera)
    provider.person = somebody({ email: person.email, email_verified: false })
    await link(person)
    provider.person = { ...provider.person, email_verified: true }
    const browser = new Browser()
    await signIn(origin, browser)
    expect(await userOf(browser, origin)).toMatchObject({ id: person.id, emailVerified: true })
    expect((await person.call('/api/auth/user')).status).toBe(401)
  })

  test('signing out ends the session here and at the provider', async () => {
    provider.person = somebody()
    const browser = new Browser()
    await signIn(origin, browser)
    const session = browser.cookiesFor(new URL(origin))
    const visit = await browser.open(`${origin}/api/logout`)
    expect(visit.url.origin).toBe(provider.issuer)
    expect(visit.url.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/`)
    const hint = visit.url.searchParams.get('id_token_hint') ?? ''
    const claims = JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.sub).toBe(provider.person.sub)
    const back = await confirmSignOut(browser, visit)
    expect(back.url.href).toBe(`${origin}/`)
    const before = provider.proofs
    // A session that was copied before is over, and so is what it knew of the provider.
    const copy = new Browser()
    copy.give(origin, session)
    expect(await userOf(copy, origin)).toBeUndefined()
    expect((await copy.open(`${origin}/api/logout`)).url.href).toBe(`${origin}/`)
    await signIn(origin, browser)
    expect(provider.proofs).toBe(before + 1)
  })

  /** Presses the button of the provider's own page. */
  async function confirmSignOut(browser: Browser, { html, url }: Visit): Promise<Visit> {
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const response = await browser.fetch(new URL(action, url), {
      ...{ method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) },
    })
    return browser.open(new URL(response.headers.get('location') ?? '', url))
  }

  test('a session that began with a password ends here alone', async () => {
    const person = await newPerson(tessera)
    const response = await person.call('/api/logout')
    expect(response.headers.get('location')).toBe('/')
  })

  test('a sign-out works while the provider is down', async () => {
    provider.person = somebody()
    const browser = new Browser()
    await signIn(origin, browser)
    tessera.clock.advance(2 * 60 * 60_000)
    await provider.stop()
    const visit = await browser.open(`${origin}/api/logout`)
    tessera.clock.advance(-2 * 60 * 60_000)
    await provider.start()
    expect(visit.url.href).toBe(`${origin}/`)
    expect(await userOf(browser, origin)).toBeUndefined()
  })
})

describe('clocks that differ', () => {
  let setting: Setting
  beforeAll(async () => {
    setting = await startWithProvider({}, { idTokenS: 120 })
  })
  afterAll(() => stopAll(setting))

  test.each([
    ['less than a minute is forgiven', 170, true],
    ['more is not', 190, false],
  ])('an id_token that is over by %s', async (_case, ahead, isIn) => {
    const { tessera, provider } = setting
    provider.person = somebody()
    const browser = new Browser()
    tessera.clock.advance(ahead * 1000)
    await signIn(tessera.origin, browser)
    tessera.clock.advance(-ahead * 1000)
    expect((await userOf(browser, tessera.origin)) !== undefined).toBe(isIn)
  })
})

test('a provider that says it is another one signs nobody in', async () => {
  const setting = await startWithProvider()
  const { tessera, provider } = setting
  provider.person = somebody()
  provider.otherMetadata = { issuer: 'https://id.example.com' }
  const browser = new Browser()
  expect(titleOf(await signIn(tessera.origin, browser))).toBe(
    'Example ID does not answer right now',
  )
  provider.otherMetadata = {}
  await signIn(tessera.origin, browser)
  expect(await userOf(browser, tessera.origin)).toBeDefined()
  await stopAll(setting)
})

test('a second person at the provider with the same address does not open a linked account', async () => {
  const setting = await startWithProvider()
  const { origin } = setting.tessera
  const first = somebody()
  setting.provider.person = first
  const browser = new Browser()
  await signIn(origin, browser)
  const owner = await userOf(browser, origin)
  setting.provider.person = somebody({ email: first.email ?? '' })
  const other = new Browser()
  const visit = await signIn(origin, other)
  expect([visit.status, titleOf(visit)]).toEqual([409, 'Please sign in to your account first'])
  expect(visit.html).toContain('unlink the other one in its settings')
  expect(await userOf(other, origin)).toBeUndefined()
  setting.provider.person = first
  const again = new Browser()
  await signIn(origin, again)
  expect((await userOf(again, origin))?.id).toBe(owner?.id)
  await stopAll(setting)
})

test('a mailed link is another way in, where the address is confirmed and a server sends it', async () => {
  const mails = await MailServer.start()
  const setting = await startWithProvider(mails.environment)
  const { tessera, provider } = setting
  provider.person = somebody()
  const browser = new Browser()
  await signIn(tessera.origin, browser)
  const person = await personOf(browser, setting)
  const confirm = (emailVerified: 0 | 1) =>
    tessera.database.db
      .updateTable('users')
      .set({ emailVerified })
      .where('id', '=', person.id)
      .execute()
  await confirm(0)
  expect(await refusal(await unlink(person))).toMatchObject({ code: 'last_way_in' })
  await confirm(1)
  expect((await unlink(person)).status).toBe(204)
  const told = await mails.mailTo(person.email, 'Example ID no longer opens your Tessera account')
  expect(told.text).toContain('/profile?settings=sign-in')
  await stopAll(setting)
  await mails.stop()
})

describe('a server with SIGN_UP=closed', () => {
  let setting: Setting
  beforeAll(async () => {
    setting = await startWithProvider({ SIGN_UP: 'closed' })
  })
  afterAll(() => stopAll(setting))

  test('makes no account for somebody new, and still opens the one that is there', async () => {
    const { tessera, provider } = setting
    provider.person = somebody()
    const visit = await signIn(tessera.origin)
    expect([visit.status, titleOf(visit)]).toEqual([
      403,
      'New accounts are not open on this server',
    ])
    const person = await newPerson(tessera)
    await tessera.database.db
      .updateTable('users')
      .set({ emailVerified: 1 })
      .where('id', '=', person.id)
      .execute()
    provider.person = somebody({ email: person.email })
    const browser = new Browser()
    await signIn(tessera.origin, browser)
    expect((await userOf(browser, tessera.origin))?.id).toBe(person.id)
  })
})

describe('a server with PASSWORD_LOGIN=off', () => {
  let setting: Setting
  let origin: string
  beforeAll(async () => {
    setting = await startWithProvider({ PASSWORD_LOGIN: 'off' })
    origin = setting.tessera.origin
  })
  afterAll(() => stopAll(setting))

  test('leads straight to the provider and back', async () => {
    setting.provider.person = somebody()
    const browser = new Browser()
    const visit = await browser.open(`${origin}/api/login?returnTo=/profile`)
    expect(visit.url.href).toBe(`${origin}/profile`)
    expect(await userOf(browser, origin)).toBeDefined()
  })

  test('shows a page after a failure, so that nobody goes in circles', async () => {
    setting.provider.isDenied = true
    const visit = await new Browser().open(`${origin}/api/login`)
    setting.provider.isDenied = false
    expect(titleOf(visit)).toBe('You are not signed in')
    const page = await new Browser().open(`${origin}/api/login?error=provider`)
    expect([page.status, page.way.length]).toEqual([200, 1])
    const mailed = await new Browser().open(`${origin}/api/login?link=verify-email`)
    expect([mailed.status, mailed.way.length]).toEqual([200, 1])
  })

  test('has no other way in, so nobody unlinks the provider', async () => {
    setting.provider.person = somebody()
    const browser = new Browser()
    await signIn(origin, browser)
    const answer = await unlink(await personOf(browser, setting))
    expect(await refusal(answer)).toMatchObject({
      ...{ code: 'last_way_in', message: 'Everybody signs in here with Example ID.' },
    })
  })

  test.each([
    ['/api/auth/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: PASSWORD }],
    ['/api/auth/sign-in/email', { email: 'ada@example.com', password: PASSWORD }],
    ['/api/auth/forgot-password', { email: 'ada@example.com' }],
    ['/api/auth/reset-password', { token: 'a token', password: PASSWORD }],
    ['/api/auth/sign-in/link', { email: 'ada@example.com' }],
  ])('has no %s', async (path, body) => {
    const nobody = new Person(setting.tessera, 'ada@example.com')
    const response = await nobody.call(path, { method: 'POST', body })
    expect(await refusal(response)).toMatchObject({ code: 'not_found' })
  })
})

test('a server without a provider has no such addresses', async () => {
  const tessera = await startTessera()
  const nobody = new Person(tessera, 'nobody@example.com')
  expect((await nobody.call('/api/auth/provider')).status).toBe(404)
  expect((await nobody.call(CALLBACK)).status).toBe(404)
  await tessera.stop()
})

test('no code, state or token of the provider is logged', async () => {
  const lines: string[] = []
  const provider = await TestProvider.at()
  const tessera = await startTessera({
    environment: provider.environment,
    logTo: { write: (line) => void lines.push(line) },
  })
  await provider.start(tessera.origin)
  const secrets: string[] = []
  const browser = new Browser()
  const openWatched = async (address: string | URL) => {
    const visit = await browser.open(address)
    secrets.push(...visit.way.flatMap((url) => [...url.searchParams.values()]))
    return visit
  }
  provider.person = somebody()
  const { way } = await openWatched(`${tessera.origin}/api/auth/provider?returnTo=/dashboard`)
  const callback = way.find(isCallback) ?? ''
  await openWatched(callback)
  await openWatched(`${tessera.origin}/api/logout`)
  await comeBack(tessera.origin, browser).then(async (address) => {
    await provider.expire(address.searchParams.get('code') ?? '')
    await openWatched(address)
  })
  const address = await comeBack(tessera.origin, browser)
  await provider.stop()
  await openWatched(address)
  const log = lines.join('')
  expect(log).toContain('/api/auth/provider/callback')
  expect(log).toContain('nobody signed in at the provider')
  expect(log).toContain('the provider does not answer')
  const long = secrets.filter((text) => text.length >= 40 && !/^https?:/.test(text))
  expect(long.length).toBeGreaterThan(5)
  expect(long.filter((text) => log.includes(text))).toEqual([])
  await tessera.stop()
})
