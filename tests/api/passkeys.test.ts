import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PasskeyEntry, SecondFactorOffer } from '../../src/contract/account-settings.ts'
import { securityEvents } from '../../src/contract/audit.ts'
import { PASSKEYS_MAX } from '../../src/contract/passkeys.ts'
import { passkeysOf } from '../../src/server/accounts/sign-in/passkeys/passkeys-store.ts'
import { listEvents } from '../../src/server/audit.ts'
import { appCode } from '../support/authenticator-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { mailTo } from '../support/mailbox.ts'
import { cookieOf, newPerson, Person, prove } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

type CreationOptions = PublicKeyCredentialCreationOptionsJSON
type RequestOptions = PublicKeyCredentialRequestOptionsJSON

const REFUSED = {
  status: 401,
  code: 'passkey_refused',
  message: 'We do not know this passkey. Sign in another way.',
}
const NOT_ADDED = {
  status: 422,
  code: 'invalid_input',
  message: 'This passkey could not be added. Please try again.',
}
const HALF_AN_HOUR_MS = 30 * 60_000

describe.each(engines)('passkeys on %s', (engine) => {
  let tessera: Tessera
  beforeAll(async () => {
    tessera = await startTessera({ engine, environment: BEHIND_PROXY })
  })
  afterAll(() => tessera.stop())

  const here = () => ({ origin: tessera.config.publicUrl })
  const post = (person: Person, path: string, body: object = {}) => {
    const headers = { 'x-forwarded-for': someAddress() }
    return person.call(path, { method: 'POST', body, headers })
  }

  /** Asks for options, and keeps the cookie that comes with them. */
  async function ask<T>(browser: Person, path: string): Promise<T> {
    const response = await post(browser, path)
    expect(response.status).toBe(200)
    browser.cookie = [browser.cookie, cookieOf(response)].filter(Boolean).join('; ')
    return (await response.json()) as T
  }
  const toAdd = (person: Person) => ask<CreationOptions>(person, '/api/account/passkeys/options')
  const toSignIn = (browser: Person) => ask<RequestOptions>(browser, '/api/auth/passkey/options')

  const add = (person: Person, response: unknown, name = 'My phone') =>
    post(person, '/api/account/passkeys', { name, response })
  const signIn = (browser: Person, response: unknown) =>
    post(browser, '/api/auth/sign-in/passkey', { response })

  /** A person with a passkey */
  async function withPasskey(circumstances: { counts?: boolean } = {}) {
    const person = await newPerson(tessera)
    const session = person.cookie
    const device = new SoftwareAuthenticator()
    const made = device.create(await toAdd(person), { ...here(), ...circumstances })
    const added = await add(person, made)
    expect(added.status).toBe(200)
    person.cookie = session
    return { person, device, passkey: (await added.json()) as PasskeyEntry }
  }

  const newBrowser = () => new Person(tessera, '')
  const database = () => tessera.database.db

  test('a passkey that was added signs in without an e-mail address', async () => {
    const { person, device, passkey } = await withPasskey()
    expect(passkey).toMatchObject({ name: 'My phone', lastUsedAt: null })
    const browser = newBrowser()
    const answer = device.get(await toSignIn(browser), here())
    const response = await signIn(browser, answer)
    expect(await response.json()).toMatchObject({ user: { email: person.email } })
    browser.cookie = cookieOf(response)
    expect((await browser.call('/api/auth/user')).status).toBe(200)
    expect(await passkeysOf(database(), person.id)).toEqual([
      { ...passkey, lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })

  test('a passkey names its account and site itself: no address is in its options', async () => {
    const { person, device } = await withPasskey()
    const creation = await toAdd(person)
    expect(creation).toMatchObject({
      rp: { name: 'Tessera', id: 'localhost' },
      user: { name: person.email, displayName: 'Ada Lovelace' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.credentials[0]?.id.toString('base64url') }],
    })
    expect(Buffer.from(creation.user.id, 'base64url').toString()).toBe(person.id)
    const request = await toSignIn(newBrowser())
    expect(request).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    })
  })

  test('a passkey counts as both steps', async () => {
    const { person, device } = await withPasskey()
    const init = { method: 'POST', body: {} }
    const { secret } = await person.ask<SecondFactorOffer>('/api/account/second-factor', init)
    const code = appCode(secret, tessera.clock.now())
    await post(person, '/api/account/second-factor/confirm', { code })
    const body = { email: person.email, password: PASSWORD }
    const byPassword = await post(newBrowser(), '/api/auth/sign-in/email', body)
    expect(await byPassword.json()).toEqual({ next: 'second-factor' })
    const browser = newBrowser()
    const answer = device.get(await toSignIn(browser), here())
    expect(await (await signIn(browser, answer)).json()).toHaveProperty('user')
  })

  test('an answer signs in once', async () => {
    const { device } = await withPasskey()
    const browser = newBrowser()
    const answer = device.get(await toSignIn(browser), here())
    const cookie = browser.cookie
    const first = await signIn(browser, answer)
    expect(first.headers.getSetCookie().join('\n')).toMatch(
      /^tessera_passkey_sign_in=;.*Max-Age=0/m,
    )
    expect(first.status).toBe(200)
    browser.cookie = cookie
    expect(await refusal(await signIn(browser, answer))).toEqual(REFUSED)
    const both = newBrowser()
    const other = device.get(await toSignIn(both), here())
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(both, other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an answer to another browser’s question is refused, and one after half an hour', async () => {
    const { device } = await withPasskey()
    const [browser, stranger] = [newBrowser(), newBrowser()]
    const answer = device.get(await toSignIn(browser), here())
    const late = { ...REFUSED, message: 'This took too long. Please try again.' }
    expect(await refusal(await signIn(stranger, answer))).toEqual(late)
    await toSignIn(stranger)
    expect(await refusal(await signIn(stranger, answer))).toEqual(REFUSED)
    tessera.clock.advance(HALF_AN_HOUR_MS)
    expect(await refusal(await signIn(browser, answer))).toEqual(late)
  })

  test('two tabs of the sign-in page both work', async () => {
    const { device } = await withPasskey()
    const browser = newBrowser()
    const [first, second] = [await toSignIn(browser), await toSignIn(browser)]
    expect(second.challenge).toBe(first.challenge)
    expect((await signIn(browser, device.get(first, here()))).status).toBe(200)
  })

  test.each([
    ['for another page', { origin: 'https://evil.example' }],
    ['without a check of its user', { isVerified: false }],
  ])('an answer %s does not sign in, and adds no passkey', async (_case, circumstances) => {
    const { device } = await withPasskey()
    const browser = newBrowser()
    const answer = device.get(await toSignIn(browser), { ...here(), ...circumstances })
    expect(await refusal(await signIn(browser, answer))).toEqual(REFUSED)
    const person = await newPerson(tessera)
    const made = device.create(await toAdd(person), { ...here(), ...circumstances })
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
    expect(await passkeysOf(database(), person.id)).toEqual([])
  })

  test('a passkey of another site is refused', async () => {
    const { device } = await withPasskey()
    const browser = newBrowser()
    const options = await toSignIn(browser)
    for (const credential of device.credentials) credential.rpId = 'evil.example'
    const answer = device.get({ ...options, rpId: 'evil.example' }, here())
    expect(await refusal(await signIn(browser, answer))).toEqual(REFUSED)
  })

  test('an answer that was changed, or names another account, is refused', async () => {
    const { device } = await withPasskey()
    const [theirs] = (await withPasskey()).device.credentials
    const userHandle = theirs?.userHandle
    const id = theirs?.id.toString('base64url')
    const changed = [
      { response: { userHandle } },
      { response: { userHandle: undefined } },
      { response: { signature: 'AAAA' } },
      { id, rawId: id, response: { userHandle } },
    ]
    for (const { response, ...rest } of changed) {
      const browser = newBrowser()
      const answer = device.get(await toSignIn(browser), here())
      Object.assign(answer, rest)
      Object.assign(answer.response, response)
      expect(await refusal(await signIn(browser, answer))).toEqual(REFUSED)
    }
  })

  test('a body of another shape is refused, and so is nonsense in the right one', async () => {
    const person = await newPerson(tessera)
    const body = { response: { id: 'a b', rawId: 'a b', type: 'public-key', response: {} } }
    const answer = await post(person, '/api/auth/sign-in/passkey', body)
    expect(await refusal(answer)).toMatchObject({ status: 422, code: 'invalid_input' })
    const made = new SoftwareAuthenticator().create(await toAdd(person), here())
    Object.assign(made.response, { attestationObject: 'g'.repeat(20_000) })
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
  })

  test('an authenticator’s statement about itself is not read', async () => {
    const person = await newPerson(tessera)
    const statement = new Map([['x5c', [Buffer.from('a certificate that names an address')]]])
    const attestation = { format: 'apple', statement }
    const options = await toAdd(person)
    const made = new SoftwareAuthenticator().create(options, { ...here(), attestation })
    expect((await add(person, made)).status).toBe(200)
  })

  test('a passkey is added once, by the account that asked', async () => {
    const person = await newPerson(tessera)
    const device = new SoftwareAuthenticator()
    const made = device.create(await toAdd(person), here())
    const stranger = await newPerson(tessera)
    const session = stranger.cookie
    stranger.cookie = `${session}; ${person.cookie.replace(/tessera_session=[^;]+; /, '')}`
    expect(await refusal(await add(stranger, made))).toMatchObject({ status: 422 })
    expect((await add(person, made)).status).toBe(200)
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
    stranger.cookie = session
    const taken = device.create(await toAdd(stranger), here())
    Object.assign(taken, { id: made.id, rawId: made.rawId })
    Object.assign(taken.response, { attestationObject: made.response.attestationObject })
    expect(await refusal(await add(stranger, taken))).toEqual(NOT_ADDED)
    expect(await passkeysOf(database(), stranger.id)).toEqual([])
  })

  test('a passkey without a name gets that of its browser', async () => {
    const person = await newPerson(tessera)
    const made = new SoftwareAuthenticator().create(await toAdd(person), here())
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const body = { name: ' ', response: made }
    const call = { method: 'POST', body, headers: { 'user-agent': agent } }
    const { name } = await person.ask<PasskeyEntry>('/api/account/passkeys', call)
    expect(name).toBe('Firefox on Linux')
  })

  test('a copied passkey is detected by its count', async () => {
    const { person, device, passkey } = await withPasskey({ counts: true })
    await prove(person)
    const [credential] = device.credentials
    if (!credential) throw new Error('no passkey')
    const answerOf = async () => {
      const browser = newBrowser()
      return signIn(browser, device.get(await toSignIn(browser), here()))
    }
    expect((await answerOf()).status).toBe(200)
    expect((await answerOf()).status).toBe(200)
    credential.counter = 1
    expect(await refusal(await answerOf())).toEqual(REFUSED)
    expect(await mailTo(tessera, person.email, 'A passkey may have been copied')).toContain(
      '“My phone”',
    )
    const history = await listEvents(database(), person.id, ['passkey-copied'], 50)
    expect(history).toMatchObject([{ subject: passkey.id, actor: 'stranger' }])
  })

  test('a copy with a wrong signature sends no mail', async () => {
    const { person, device } = await withPasskey({ counts: true })
    const browser = newBrowser()
    expect((await signIn(browser, device.get(await toSignIn(browser), here()))).status).toBe(200)
    for (const credential of device.credentials) credential.counter = 0
    const forged = device.get(await toSignIn(browser), here())
    Object.assign(forged.response, { signature: 'AAAA' })
    expect(await refusal(await signIn(browser, forged))).toEqual(REFUSED)
    expect(await listEvents(database(), person.id, ['passkey-copied'], 50)).toEqual([])
  })

  test('a removed passkey does not sign in', async () => {
    const { person, device, passkey } = await withPasskey()
    const browser = newBrowser()
    const waiting = device.get(await toSignIn(browser), here())
    const path = `/api/account/passkeys/${passkey.id}`
    const removed = await person.call(path, { method: 'DELETE' })
    expect([removed.status, await removed.text()]).toEqual([204, ''])
    expect(await refusal(await signIn(browser, waiting))).toEqual(REFUSED)
    expect(await passkeysOf(database(), person.id)).toEqual([])
    expect((await person.call('/api/auth/user')).status).toBe(200)
  })

  test('an account has twenty passkeys, and no more by asking eight times at once', async () => {
    const person = await newPerson(tessera)
    const session = person.cookie
    const device = new SoftwareAuthenticator()
    const addOne = async () => {
      const browser = new Person(tessera, person.email)
      browser.cookie = session
      const made = device.create(await toAdd(browser), here())
      return () => add(browser, made)
    }
    for (let count = 1; count < PASSKEYS_MAX; count++) {
      expect((await (await addOne())()).status).toBe(200)
    }
    const last = await Promise.all(Array.from({ length: 8 }, addOne))
    const answers = await Promise.all(last.map((send) => send()))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...new Array(7).fill(409)])
    const refused = await post(person, '/api/account/passkeys/options')
    expect(await refusal(refused)).toMatchObject({ status: 409, code: 'passkeys_full' })
    expect(await passkeysOf(database(), person.id)).toHaveLength(PASSKEYS_MAX)
  })

  test('the owner gets a mail about a passkey that is added or removed, and the history has both', async () => {
    const { person, passkey } = await withPasskey()
    const added = await mailTo(tessera, person.email, 'A passkey was added')
    // A stranger may have typed the name, and the address is not proved yet.
    expect(added).not.toContain('My phone')
    await prove(person)
    await person.call(`/api/account/passkeys/${passkey.id}`, { method: 'DELETE' })
    const removed = await mailTo(tessera, person.email, 'A passkey was removed')
    expect(removed).toContain('“My phone”')
    const events = await listEvents(database(), person.id, securityEvents, 50)
    expect(events).toMatchObject([
      { event: 'passkey-removed', subject: passkey.id, actor: 'user' },
      { event: 'passkey-added', subject: passkey.id, actor: 'user' },
    ])
  })

  test('the counts of sign-ins by address hold for passkeys', async () => {
    const headers = { 'x-forwarded-for': someAddress() }
    const answer = new SoftwareAuthenticator()
    answer.create(await toAdd(await newPerson(tessera)), here())
    const body = { response: answer.get(await toSignIn(newBrowser()), here()) }
    const attempt = () =>
      newBrowser().call('/api/auth/sign-in/passkey', { method: 'POST', body, headers })
    for (let count = 0; count < 30; count++) expect((await attempt()).status).toBe(401)
    expect(await refusal(await attempt())).toMatchObject({ status: 429, code: 'rate_limited' })
  })
})
