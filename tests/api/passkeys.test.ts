import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { describe, expect, test } from 'vitest'
import type { PasskeyEntry } from '../../src/contract/accounts/account-settings.ts'
import { securityEvents } from '../../src/contract/accounts/audit.ts'
import { PASSKEYS_MAX } from '../../src/contract/accounts/passkeys.ts'
import { passkeysOf } from '../../src/server/accounts/sign-in/passkeys/passkeys-store.ts'
import { listEvents } from '../../src/server/audit.ts'
import { turnOnSecondStep } from '../support/authenticator-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { mailTo } from '../support/mailbox.ts'
import { cookieOf, enrolForEach, newPerson, Person, prove } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

type CreationOptions = PublicKeyCredentialCreationOptionsJSON
type RequestOptions = PublicKeyCredentialRequestOptionsJSON

const REFUSED = {
  status: 401,
  code: 'passkey_refused',
  message: 'We don’t know this passkey. Log in another way.',
}
const NOT_ADDED = {
  status: 422,
  code: 'invalid_input',
  message: 'We couldn’t add this passkey. Please try again.',
}
const HALF_AN_HOUR_MS = 30 * 60_000

describe.each(engines)('passkeys on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const person = enrolForEach(tessera)

  const here = () => ({ origin: tessera.config.publicUrl })
  /** Asks for options, and keeps the cookie that comes with them. */
  async function ask<T>(browser: Person, path: string): Promise<T> {
    const response = await browser.post(path)
    expect(response.status).toBe(200)
    browser.cookie = [browser.cookie, cookieOf(response)].filter(Boolean).join('; ')
    return (await response.json()) as T
  }
  const toAdd = (person: Person) => ask<CreationOptions>(person, '/api/account/passkeys/options')
  const toSignIn = (browser: Person) => ask<RequestOptions>(browser, '/api/auth/passkey/options')

  const add = (person: Person, response: unknown, name = 'My phone') =>
    person.post('/api/account/passkeys', { name, response })
  const signIn = (browser: Person, response: unknown) =>
    browser.post('/api/auth/sign-in/passkey', { response })
  const make = async (device: SoftwareAuthenticator, person: Person, more = {}) =>
    device.create(await toAdd(person), { ...here(), ...more })
  const answer = async (device: SoftwareAuthenticator, browser: Person, more = {}) =>
    device.get(await toSignIn(browser), { ...here(), ...more })

  /** A person with a passkey */
  async function withPasskey(circumstances: { counts?: boolean } = {}) {
    const person = await newPerson(tessera)
    const session = person.cookie
    const device = new SoftwareAuthenticator()
    const added = await add(person, await make(device, person, circumstances))
    expect(added.status).toBe(200)
    person.cookie = session
    return { person, device, passkey: (await added.json()) as PasskeyEntry }
  }

  const newBrowser = () => new Person(tessera, '')
  const database = () => tessera.database.db
  /** Signs in with a passkey in a new browser. */
  async function signInBy(device: SoftwareAuthenticator, more = {}) {
    const browser = newBrowser()
    return signIn(browser, await answer(device, browser, more))
  }

  test('a passkey that was added signs in without an e-mail address', async () => {
    const { person, device, passkey } = await withPasskey()
    expect(passkey).toMatchObject({ name: 'My phone', lastUsedAt: null })
    const response = await signInBy(device)
    expect(await response.json()).toMatchObject({ user: { email: person.email } })
    expect(await person.elsewhere(cookieOf(response)).isSignedIn()).toBe(true)
    const wanted = [{ ...passkey, lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]
    expect(await passkeysOf(database(), person.id)).toEqual(wanted)
  })

  test('an account has twenty passkeys, and no more by asking eight times at once', async () => {
    const device = new SoftwareAuthenticator()
    const addOne = async () => {
      const browser = person.elsewhere(person.cookie)
      const made = await make(device, browser)
      return () => add(browser, made)
    }
    for (let count = 1; count < PASSKEYS_MAX; count++) {
      expect((await (await addOne())()).status).toBe(200)
    }
    const last = await Promise.all(Array.from({ length: 8 }, addOne))
    const answers = await Promise.all(last.map((send) => send()))
    expect(await tally(answers)).toEqual({ 200: 1, 409: 7 })
    await expectRefusal(person.post('/api/account/passkeys/options'), 'passkeys_full')
    expect(await passkeysOf(database(), person.id)).toHaveLength(PASSKEYS_MAX)
  })

  // The rest has statements that are alike on every engine.
  if (!oneEngineInCi.includes(engine)) return

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
    await turnOnSecondStep(person)
    expect(await (await person.elsewhere().signIn()).json()).toEqual({ next: 'second-factor' })
    expect(await (await signInBy(device)).json()).toHaveProperty('user')
  })

  test('an answer signs in once', async () => {
    const { device } = await withPasskey()
    const browser = newBrowser()
    const given = await answer(device, browser)
    const cookie = browser.cookie
    const first = await signIn(browser, given)
    const wanted = /^tessera_passkey_sign_in=;.*Max-Age=0/m
    expect(first.headers.getSetCookie().join('\n')).toMatch(wanted)
    expect(first.status).toBe(200)
    browser.cookie = cookie
    expect(await refusal(await signIn(browser, given))).toEqual(REFUSED)
    const both = newBrowser()
    const other = await answer(device, both)
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(both, other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an answer to another browser’s question is refused, and one after half an hour', async () => {
    const { device } = await withPasskey()
    const [browser, stranger] = [newBrowser(), newBrowser()]
    const given = await answer(device, browser)
    const late = { ...REFUSED, message: 'This took too long. Please try again.' }
    expect(await refusal(await signIn(stranger, given))).toEqual(late)
    await toSignIn(stranger)
    expect(await refusal(await signIn(stranger, given))).toEqual(REFUSED)
    tessera.clock.advance(HALF_AN_HOUR_MS)
    expect(await refusal(await signIn(browser, given))).toEqual(late)
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
    ['for another site', { rpId: 'evil.example' }],
    ['without a check of its user', { isVerified: false }],
  ])('an answer %s does not sign in, and adds no passkey', async (_case, circumstances) => {
    const { device } = await withPasskey()
    expect(await refusal(await signInBy(device, circumstances))).toEqual(REFUSED)
    const person = await newPerson(tessera)
    const made = await make(device, person, circumstances)
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
    expect(await passkeysOf(database(), person.id)).toEqual([])
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
      const given = await answer(device, browser)
      Object.assign(given, rest)
      Object.assign(given.response, response)
      expect(await refusal(await signIn(browser, given))).toEqual(REFUSED)
    }
  })

  test('a body of another shape is refused, and so is nonsense in the right one', async () => {
    const shapeless = { id: 'a b', rawId: 'a b', type: 'public-key', response: {} }
    await expectRefusal(signIn(person, shapeless), 'invalid_input')
    const made = await make(new SoftwareAuthenticator(), person)
    Object.assign(made.response, { attestationObject: 'g'.repeat(20_000) })
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
  })

  test('an authenticator’s statement about itself is not read', async () => {
    const statement = new Map([['x5c', [Buffer.from('a certificate that names an address')]]])
    const attestation = { format: 'apple', statement }
    const made = await make(new SoftwareAuthenticator(), person, { attestation })
    expect((await add(person, made)).status).toBe(200)
  })

  test('a passkey is added once, by the account that asked', async () => {
    const device = new SoftwareAuthenticator()
    const made = await make(device, person)
    const stranger = await newPerson(tessera)
    const session = stranger.cookie
    stranger.cookie = `${session}; ${person.cookie.replace(/tessera_session=[^;]+; /, '')}`
    expect(await refusal(await add(stranger, made))).toMatchObject({ status: 422 })
    expect((await add(person, made)).status).toBe(200)
    expect(await refusal(await add(person, made))).toEqual(NOT_ADDED)
    stranger.cookie = session
    const taken = await make(device, stranger)
    Object.assign(taken, { id: made.id, rawId: made.rawId })
    Object.assign(taken.response, { attestationObject: made.response.attestationObject })
    expect(await refusal(await add(stranger, taken))).toEqual(NOT_ADDED)
    expect(await passkeysOf(database(), stranger.id)).toEqual([])
  })

  test('a passkey without a name gets that of its browser', async () => {
    const made = await make(new SoftwareAuthenticator(), person)
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
    expect((await signInBy(device)).status).toBe(200)
    expect((await signInBy(device)).status).toBe(200)
    credential.counter = 1
    expect(await refusal(await signInBy(device))).toEqual(REFUSED)
    const wanted = '“My phone”'
    expect(await mailTo(tessera, person.email, 'A passkey may have been copied')).toContain(wanted)
    const history = await listEvents(database(), { user_id: person.id }, ['passkey-copied'], 50)
    expect(history).toMatchObject([{ subject: passkey.id, actor: 'stranger' }])
  })

  test('a copy with a wrong signature sends no mail', async () => {
    const { person, device } = await withPasskey({ counts: true })
    expect((await signInBy(device)).status).toBe(200)
    for (const credential of device.credentials) credential.counter = 0
    const browser = newBrowser()
    const forged = await answer(device, browser)
    Object.assign(forged.response, { signature: 'AAAA' })
    expect(await refusal(await signIn(browser, forged))).toEqual(REFUSED)
    expect(await listEvents(database(), { user_id: person.id }, ['passkey-copied'], 50)).toEqual([])
  })

  test('a removed passkey does not sign in', async () => {
    const { person, device, passkey } = await withPasskey()
    const browser = newBrowser()
    const waiting = await answer(device, browser)
    const path = `/api/account/passkeys/${passkey.id}`
    const removed = await person.delete(path)
    expect([removed.status, await removed.text()]).toEqual([204, ''])
    expect(await refusal(await signIn(browser, waiting))).toEqual(REFUSED)
    expect(await passkeysOf(database(), person.id)).toEqual([])
    expect(await person.isSignedIn()).toBe(true)
  })

  test('the owner gets a mail about a passkey that is added or removed, and the history has both', async () => {
    const { person, passkey } = await withPasskey()
    const added = await mailTo(tessera, person.email, 'A passkey was added')
    // A stranger may have typed the name, and the address is not proved yet.
    expect(added).not.toContain('My phone')
    await prove(person)
    await person.delete(`/api/account/passkeys/${passkey.id}`)
    const removed = await mailTo(tessera, person.email, 'A passkey was removed')
    expect(removed).toContain('“My phone”')
    const events = await listEvents(database(), { user_id: person.id }, securityEvents, 50)
    expect(events).toMatchObject([
      { event: 'passkey-removed', subject: passkey.id, actor: 'user' },
      { event: 'passkey-added', subject: passkey.id, actor: 'user' },
    ])
  })

  test('the counts of sign-ins by address hold for passkeys', async () => {
    const [address, device] = [someAddress(), new SoftwareAuthenticator()]
    await make(device, await newPerson(tessera))
    const body = { response: await answer(device, newBrowser()) }
    const attempt = () => newBrowser().post('/api/auth/sign-in/passkey', body, address)
    for (let count = 0; count < 30; count++) expect((await attempt()).status).toBe(401)
    await expectRefusal(attempt(), 'rate_limited')
  })
})
