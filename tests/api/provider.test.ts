import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/accounts/accounts.ts'
import { changeUser } from '../../src/server/accounts/users-store.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { turnOnSecondStep } from '../support/authenticator-app.ts'
import { Browser, type Visit } from '../support/browser.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { forBlock } from '../support/for-block.ts'
import { MailServer } from '../support/mail-server.ts'
import { type AtProvider, TestProvider } from '../support/oidc-provider.ts'
import { eventsOf, newPerson, Person, prove } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

const CALLBACK = '/api/auth/provider/callback'
const isCallback = (url: URL) => url.pathname === CALLBACK

const EXPIRED = [400, 'This login has expired']
const NOT_TRUSTED = [400, 'We couldn’t log you in']
const DOWN = [503, 'Example ID isn’t answering right now']
const UNCONFIRMED = [403, 'Example ID hasn’t confirmed your address']
const SIGN_IN_FIRST = [409, 'Please log in to your account first']

/** A person at the provider with an address that it has verified. */
function newcomer(claims: Partial<AtProvider> = {}): AtProvider {
  const sub = randomUUID()
  return {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: 'Grace Hopper',
    given_name: 'Grace',
    family_name: 'Hopper',
    ...claims,
  }
}

const shown = ({ status, html }: Visit) => [status, /<h1>(.*?)<\/h1>/.exec(html)?.[1]]

/** A service, its provider, and the browsers that go to and fro. */
class Setting {
  readonly tessera: Tessera
  readonly provider: TestProvider
  readonly origin: string

  private constructor(tessera: Tessera, provider: TestProvider) {
    this.tessera = tessera
    this.provider = provider
    this.origin = tessera.origin
  }

  static async start(options: Parameters<typeof startTessera>[0] = {}): Promise<Setting> {
    const provider = await TestProvider.at()
    const environment = { ...provider.environment, ...options.environment }
    const tessera = await startTessera({ ...options, environment })
    await provider.start(tessera.origin)
    return new Setting(tessera, provider)
  }

  async stop() {
    await this.provider.stop()
    await this.tessera.stop()
  }

  /** Signs in at the provider, from the button of the sign-in page to the end. */
  async signIn(browser = new Browser(), returnTo = '/dashboard') {
    const query = `returnTo=${encodeURIComponent(returnTo)}`
    return this.arrive(browser, `${this.origin}/api/auth/provider?${query}`)
  }

  /** Opens an address and follows it. Returns the page, and the user who is signed in then. */
  async arrive(browser: Browser, address: string | URL) {
    const visit = await browser.open(address)
    return { browser, visit, page: shown(visit), user: await this.userOf(browser) }
  }

  async userOf(browser: Browser): Promise<User | undefined> {
    const response = await browser.fetch(new URL('/api/auth/user', this.origin))
    return response.ok ? response.json() : undefined
  }

  /** The sign-in as it comes back from the provider, not yet opened here. */
  async comeBack(browser: Browser): Promise<URL> {
    const address = `${this.origin}/api/auth/provider?returnTo=/dashboard`
    return (await browser.open(address, isCallback)).url
  }

  /** The provider's person, signed in, as a caller of the API. */
  async fromProvider(): Promise<Person> {
    const { browser, user } = await this.signIn()
    const person = new Person(this.tessera, user?.email ?? '')
    const cookie = browser.cookiesFor(new URL(this.origin))
    return Object.assign(person, { id: user?.id, cookie })
  }

  /** Begins in the settings to link the provider. */
  async beginLink(person: Person, browser: Browser): Promise<string> {
    browser.give(this.origin, person.cookie)
    const response = await browser.fetch(new URL('/api/account/provider/link', this.origin), {
      method: 'POST',
      body: JSON.stringify({ password: PASSWORD }),
      headers: { 'content-type': 'application/json', origin: this.origin },
    })
    return ((await response.json()) as { url: string }).url
  }

  /** Links the provider, from the settings to the end. */
  async link(person: Person, browser = new Browser()) {
    return this.arrive(browser, await this.beginLink(person, browser))
  }
}

const unlink = (person: Person, password?: string) =>
  person.call('/api/account/provider', { method: 'DELETE', body: { password } })

describe.each(oneEngineInCi)('the provider on %s', (engine) => {
  let setting: Setting
  let tessera: Tessera
  let provider: TestProvider
  let origin: string
  let person: Person
  const logged: string[] = []
  beforeAll(async () => {
    setting = await Setting.start({ engine, logTo: { write: (line) => logged.push(line) } })
    ;({ tessera, provider, origin } = setting)
  })
  afterAll(() => setting.stop())
  beforeEach(async () => {
    person = await newPerson(tessera)
    provider.person = newcomer()
    provider.isDenied = false
    provider.otherKeys = undefined
    provider.otherClaims = {}
  })

  test('a newcomer gets an account with names and the proved address', async () => {
    const { visit, user } = await setting.signIn(new Browser(), '/dashboard?new')
    expect(visit.url.href).toBe(`${origin}/dashboard?new`)
    const { email } = provider.person
    const names = { firstName: 'Grace', lastName: 'Hopper' }
    expect(user).toMatchObject({ email, emailVerified: true, ...names })
    const events = ['signed-up', 'provider-linked', 'signed-in']
    expect(await eventsOf(tessera, user?.id as PersonId)).toEqual(expect.arrayContaining(events))
  })

  test('the way to the provider has PKCE, a state and a nonce, and one cookie that scripts cannot read', async () => {
    const response = await new Browser().fetch(new URL('/api/auth/provider', origin))
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    const random = expect.stringMatching(/^[\w-]{43}$/)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: origin + CALLBACK,
      scope: 'openid email profile',
      code_challenge: random,
      state: random,
      nonce: random,
    })
    const cookie =
      /^tessera_provider_[\w-]{16}=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(cookie)])
  })

  test('the same person comes back to the same account, also with another address', async () => {
    const first = await setting.signIn()
    provider.person = { ...provider.person, email: 'another@example.com' }
    expect((await setting.signIn()).user?.id).toBe(first.user?.id)
  })

  test('two sign-ins of a newcomer at once make one account', async () => {
    const browsers = [new Browser(), new Browser(), new Browser()]
    const addresses = await Promise.all(browsers.map((browser) => setting.comeBack(browser)))
    const visits = browsers.map((browser, at) => setting.arrive(browser, addresses[at] ?? origin))
    const ids = (await Promise.all(visits)).map(({ user }) => user?.id)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toBeDefined()
  })

  test('a sign-in ends at a path of this site only', async () => {
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      expect((await setting.signIn(new Browser(), returnTo)).visit.url.href).toBe(`${origin}/`)
    }
  })

  test('a user who signs in again proves again who they are', async () => {
    const { browser } = await setting.signIn()
    const before = provider.proofs
    await setting.signIn(browser)
    expect(provider.proofs).toBe(before + 1)
  })

  test('a declined sign-in shows a page with a way to try again', async () => {
    provider.isDenied = true
    const { visit, page, user } = await setting.signIn()
    expect(page).toEqual([403, 'You’re not logged in'])
    expect(visit.html).toContain('href="/api/auth/provider?returnTo=%2Fdashboard"')
    expect(visit.headers.get('referrer-policy')).toBe('no-referrer')
    expect(user).toBeUndefined()
  })

  test.each<[string, (address: URL) => unknown]>([
    ['an answer with another state', ({ searchParams }) => searchParams.set('state', 'another')],
    ['a code that is too old', ({ searchParams }) => provider.expire(searchParams.get('code'))],
    ['a sign-in that takes more than ten minutes', () => tessera.clock.advance(11 * 60_000)],
    ['an answer in another browser', () => new Browser()],
  ])('%s is refused', async (_case, spoil) => {
    const browser = new Browser()
    const address = await setting.comeBack(browser)
    const before = tessera.clock.now().getTime()
    const other = await spoil(address)
    const arriving = other instanceof Browser ? other : browser
    const { page, user } = await setting.arrive(arriving, address)
    tessera.clock.advance(before - tessera.clock.now().getTime())
    expect([page, user]).toEqual([EXPIRED, undefined])
  })

  test('a code works once', async () => {
    const [browser, thief] = [new Browser(), new Browser()]
    const address = await setting.comeBack(browser)
    thief.give(origin, browser.cookiesFor(address))
    expect((await setting.arrive(browser, address)).user).toBeDefined()
    expect((await setting.arrive(browser, address)).page).toEqual(EXPIRED)
    const { page, user } = await setting.arrive(thief, address)
    expect([page, user]).toEqual([EXPIRED, undefined])
  })

  test('new keys of the provider work at once', async () => {
    await setting.signIn()
    await provider.rotate()
    expect((await setting.signIn()).user?.email).toBe(provider.person.email)
  })

  test.each([
    ['for another client', { otherClaims: { aud: 'another client' } }],
    ['of another issuer', { otherClaims: { iss: 'https://id.example.com' } }],
    ['with another nonce', { otherClaims: { nonce: 'another one' } }],
    ['that is signed with another key', { otherKeys: TestProvider.otherKeys() }],
  ])('an id_token %s is refused', async (_case, spoiled) => {
    Object.assign(provider, spoiled)
    const { page, user } = await setting.signIn()
    expect([page, user]).toEqual([NOT_TRUSTED, undefined])
  })

  test('an id_token counts for a minute after its end, by our clock', async () => {
    const day = 24 * 60 * 60_000
    tessera.clock.advance(day)
    const now = Math.floor(tessera.clock.now().getTime() / 1000)
    for (const [ago, isIn] of [
      [30, true],
      [90, false],
    ] as const) {
      provider.otherClaims = { exp: now - ago }
      const { user } = await setting.signIn()
      expect([ago, user !== undefined]).toEqual([ago, isIn])
    }
    tessera.clock.advance(-day)
  })

  test('a provider that is down gives a page, and works when it is back', async () => {
    const browser = new Browser()
    const address = await setting.comeBack(browser)
    await provider.stop()
    expect((await setting.arrive(browser, address)).page).toEqual(DOWN)
    const { page, visit } = await setting.signIn(browser)
    expect([page, visit.headers.get('retry-after')]).toEqual([DOWN, '5'])
    await provider.start()
    expect((await setting.signIn(browser)).user).toBeDefined()
  })

  test('an account is linked if both sides have the address verified', async () => {
    await prove(person)
    provider.person = newcomer({ email: person.email.toUpperCase() })
    expect((await setting.signIn()).user?.id).toBe(person.id)
    expect(await eventsOf(tessera, person.id)).toContain('provider-linked')
    // Its password stays: the address was proved before.
    expect((await person.elsewhere().signIn()).status).toBe(200)
  })

  test.each<[string, (person: Person) => Promise<unknown>]>([
    ['whose address is not proved', async () => {}],
    [
      'with a second step, which it would leave out',
      async (person) => {
        await prove(person)
        await turnOnSecondStep(person)
      },
    ],
    [
      'that another person at the provider opens',
      async (person) => {
        await prove(person)
        await setting.link(person)
      },
    ],
  ])('an account %s is not linked by its address', async (_which, prepare) => {
    await prepare(person)
    const before = provider.person
    provider.person = newcomer({ email: person.email })
    const { page, user } = await setting.signIn()
    expect([page, user]).toEqual([SIGN_IN_FIRST, undefined])
    provider.person = before
    await setting.link(person)
    expect((await setting.signIn()).user?.id).toBe(person.id)
  })

  test('an address that the provider has not verified links nothing and makes nothing', async () => {
    await prove(person)
    for (const email of [person.email, `${randomUUID()}@example.com`]) {
      provider.person = newcomer({ email, email_verified: false })
      const { page, user } = await setting.signIn()
      expect([page, user]).toEqual([UNCONFIRMED, undefined])
    }
  })

  test('a user who is signed in links the provider in the settings', async () => {
    provider.person = newcomer({ email_verified: false })
    const { visit } = await setting.link(person)
    expect(visit.url.href).toBe(`${origin}/profile?settings=sign-in`)
    // Another address proves nothing about the account's own.
    expect((await setting.signIn()).user).toMatchObject({ id: person.id, emailVerified: false })
    expect((await setting.link(person)).visit.url.pathname).toBe('/profile')
  })

  test('linking that was declined leads back to the settings', async () => {
    provider.isDenied = true
    const { page, visit } = await setting.link(person)
    expect(page).toEqual([403, 'Nothing was linked'])
    expect(visit.html).toContain('href="/profile?settings=sign-in"')
    expect(await eventsOf(tessera, person.id)).not.toContain('provider-linked')
  })

  test('linking ends at the account that began it', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const browser = new Browser()
    const url = await setting.beginLink(person, browser)
    browser.give(origin, other.cookie)
    expect((await setting.arrive(browser, url)).page).toEqual([400, 'Nothing was linked'])
    expect([person.id, other.id]).not.toContain((await setting.signIn()).user?.id)
  })

  test('a person at the provider opens one account, and an account has one of them', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    await setting.link(person)
    expect((await setting.link(other)).page).toEqual([409, 'Another account is already linked'])
    provider.person = newcomer()
    expect((await setting.link(person)).page).toEqual([409, 'Your account is already linked'])
  })

  test('the owner unlinks the provider, which ends its other sessions', async () => {
    provider.person = newcomer({ email_verified: false })
    await setting.link(person)
    const [elsewhere, here] = [await setting.fromProvider(), await setting.fromProvider()]
    const withPassword = person.elsewhere()
    await withPassword.signIn()

    expect((await unlink(here)).status).toBe(204)
    expect(await here.ask('/api/account')).toMatchObject({ provider: null, hasPassword: true })
    expect((await elsewhere.call('/api/account')).status).toBe(401)
    expect((await withPassword.call('/api/account')).status).toBe(200)
    // The person is a newcomer to us then, with an address that is not confirmed.
    expect((await setting.signIn()).page).toEqual(UNCONFIRMED)
    // Once more changes nothing.
    expect((await unlink(here)).status).toBe(204)
    const events = await eventsOf(tessera, person.id)
    expect(events.filter((event) => event === 'provider-unlinked')).toHaveLength(1)
  })

  test('a provider that is the only way in is not unlinked before there is another', async () => {
    const person = await setting.fromProvider()
    expect(await refusal(await unlink(person))).toMatchObject({
      status: 409,
      code: 'last_way_in',
      message: 'You have no other way to log in yet. Set a password or add a passkey first.',
    })
    expect(await person.ask('/api/account')).toMatchObject({ provider: 'Example ID' })
    const key = { credential_id: person.id, public_key: 'eA', counter: 0, transports: '[]' }
    const passkey = { id: person.id, user_id: person.id, ...key, name: 'Key', added_at: 1 }
    await tessera.database.db.insertInto('passkeys').values(passkey).execute()
    expect((await unlink(person)).status).toBe(204)
  })

  test('unlinking the provider asks for the password if the sign-in is not fresh', async () => {
    await setting.link(person)
    await signedInAgo(person, 60 * 60_000)
    await expectRefusal(unlink(person), 'sign_in_again')
    expect(await person.ask('/api/account')).toMatchObject({ provider: 'Example ID' })
    expect((await unlink(person, PASSWORD)).status).toBe(204)
  })

  test('the first proof of an address ends passwords and sessions that were there before', async () => {
    const elsewhere = person.elsewhere()
    await elsewhere.signIn()
    provider.person = newcomer({ email: person.email })
    expect((await setting.link(person)).user).toMatchObject({ id: person.id, emailVerified: true })
    expect(await elsewhere.isSignedIn()).toBe(false)
    await expectRefusal(elsewhere.signIn(), 'invalid_credentials')
    expect((await setting.signIn()).user?.id).toBe(person.id)
  })

  test('signing out ends the session here and at the provider', async () => {
    const { browser } = await setting.signIn()
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
    // A copy of the session has ended too, and no longer leads to the provider.
    const copy = new Browser()
    copy.give(origin, session)
    expect(await setting.userOf(copy)).toBeUndefined()
    expect((await copy.open(`${origin}/api/logout`)).url.href).toBe(`${origin}/`)
    await setting.signIn(browser)
    expect(provider.proofs).toBe(before + 1)
  })

  /** Presses the button of the provider's own page. */
  async function confirmSignOut(browser: Browser, { html, url }: Visit): Promise<Visit> {
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    const response = await browser.fetch(new URL(action, url), { method: 'POST', body })
    return browser.open(new URL(response.headers.get('location') ?? '', url))
  }

  test('a sign-out works while the provider is down', async () => {
    const { browser } = await setting.signIn()
    tessera.clock.advance(2 * 60 * 60_000)
    await provider.stop()
    const { visit, user } = await setting.arrive(browser, `${origin}/api/logout`)
    tessera.clock.advance(-2 * 60 * 60_000)
    await provider.start()
    expect([visit.url.href, user]).toEqual([`${origin}/`, undefined])
  })

  test('no code, state or token of the provider is logged', async () => {
    const secrets: string[] = []
    const browser = new Browser()
    const openWatched = async (address: string | URL) => {
      const visit = await browser.open(address)
      secrets.push(...visit.way.flatMap((url) => [...url.searchParams.values()]))
      return visit
    }
    const { way } = await openWatched(`${origin}/api/auth/provider?returnTo=/dashboard`)
    await openWatched(way.find(isCallback) ?? '')
    await openWatched(`${origin}/api/logout`)
    const old = await setting.comeBack(browser)
    await provider.expire(old.searchParams.get('code'))
    await openWatched(old)
    const address = await setting.comeBack(browser)
    await provider.stop()
    await openWatched(address)
    await provider.start()
    const log = logged.join('')
    expect(log).toContain('/api/auth/provider/callback')
    expect(log).toContain('a sign-in at the provider failed')
    expect(log).toContain('the provider does not answer')
    const long = secrets.filter((text) => text.length >= 40 && !/^https?:/.test(text))
    expect(long.length).toBeGreaterThan(5)
    expect(long.filter((text) => log.includes(text))).toEqual([])
  })
})

describe('a server with a mail server', () => {
  let mails: MailServer
  const setting = forBlock(async () => {
    mails = await MailServer.start()
    return Setting.start({ environment: mails.environment })
  })
  beforeAll(() => {
    setting.provider.person = newcomer()
  })
  afterAll(() => mails.stop())

  test('a provider that names another issuer does not sign in', async () => {
    setting.provider.otherMetadata = { issuer: 'https://id.example.com' }
    expect((await setting.signIn()).page).toEqual(DOWN)
    setting.provider.otherMetadata = {}
    expect((await setting.signIn()).user).toBeDefined()
  })

  test('a mailed link is another way in, if the address is confirmed', async () => {
    const person = await setting.fromProvider()
    const { db } = setting.tessera.database
    await changeUser(db, person.id, { emailVerified: 0 })
    await expectRefusal(unlink(person), 'last_way_in')
    await changeUser(db, person.id, { emailVerified: 1 })
    expect((await unlink(person)).status).toBe(204)
    const mail = await mails.mailTo(person.email, 'Example ID no longer opens your Tessera account')
    expect(mail.text).toContain('/profile?settings=sign-in')
  })
})

describe('a server with PASSWORD_LOGIN=off and SIGN_UP=closed', () => {
  const environment = { PASSWORD_LOGIN: 'off', SIGN_UP: 'closed' }
  const setting = forBlock(() => Setting.start({ environment }))
  beforeAll(async () => {
    const person = await newPerson(setting.tessera)
    await prove(person)
    setting.provider.person = newcomer({ email: person.email })
  })

  test('sign-ins in several tabs of a browser all work, and the oldest of many end', async () => {
    const browser = new Browser()
    const addresses = []
    for (let tab = 0; tab < 4; tab++) {
      const { headers } = await browser.fetch(new URL('/api/auth/provider', setting.origin))
      addresses.push(headers.get('location') ?? '')
    }
    const pages = []
    for (const address of addresses) pages.push((await setting.arrive(browser, address)).page[0])
    expect(pages).toEqual([400, 200, 200, 200])
  })

  test('a person without an address at the provider reads so', async () => {
    const { person } = setting.provider
    setting.provider.person = newcomer({ email: undefined, email_verified: undefined })
    const said = [403, 'Example ID didn’t tell us your address']
    expect((await setting.signIn()).page).toEqual(said)
    setting.provider.person = person
  })

  test('makes no account', async () => {
    const { person } = setting.provider
    setting.provider.person = newcomer()
    expect((await setting.signIn()).page).toEqual([403, 'Sign-up is closed'])
    setting.provider.person = person
  })

  test('leads straight to the provider and back', async () => {
    const address = `${setting.origin}/api/login?returnTo=/profile`
    const { visit, user } = await setting.arrive(new Browser(), address)
    expect(visit.url.href).toBe(`${setting.origin}/profile`)
    expect(user).toBeDefined()
  })

  test('shows a page after a failure, so that no browser goes in circles', async () => {
    setting.provider.isDenied = true
    const { page } = await setting.arrive(new Browser(), `${setting.origin}/api/login`)
    setting.provider.isDenied = false
    expect(page).toEqual([403, 'You’re not logged in'])
    for (const query of ['error=provider', 'link=verify-email']) {
      const { status, way } = await new Browser().open(`${setting.origin}/api/login?${query}`)
      expect([query, status, way.length]).toEqual([query, 200, 1])
    }
  })

  test('keeps the provider linked, the only way in', async () => {
    expect(await refusal(await unlink(await setting.fromProvider()))).toMatchObject({
      code: 'last_way_in',
      message: 'Everyone logs in here with Example ID.',
    })
  })

  test.each([
    ['/api/auth/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: PASSWORD }],
    ['/api/auth/sign-in/email', { email: 'ada@example.com', password: PASSWORD }],
    ['/api/auth/forgot-password', { email: 'ada@example.com' }],
    ['/api/auth/reset-password', { token: 'a token', password: PASSWORD }],
    ['/api/auth/sign-in/link', { email: 'ada@example.com' }],
    ['/api/auth/sign-in/link/use', { token: 'a token' }],
    ['/api/auth/passkey/options', {}],
  ])('has no %s', async (path, body) => {
    const visitor = new Person(setting.tessera, 'ada@example.com')
    await expectRefusal(visitor.post(path, body), 'not_found')
  })

  test('sets no password and adds no passkey, and a password proves nothing', async () => {
    const person = await newPerson(setting.tessera)
    const settings = await person.ask('/api/account')
    expect(settings).toMatchObject({ hasPassword: false, provider: null })
    const password = await person.post('/api/account/password', { password: 'a much better one' })
    await expectRefusal(password, 'not_found')
    await expectRefusal(person.post('/api/account/passkeys/options'), 'not_found')
    await signedInAgo(person, 60 * 60_000)
    const factor = await person.post('/api/account/second-factor', { password: PASSWORD })
    await expectRefusal(factor, 'sign_in_again')
  })
})
