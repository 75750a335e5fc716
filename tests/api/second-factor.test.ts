import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecoveryCodes, SecondFactorOffer } from '../../src/contract/account-settings.ts'
import type { LinkKind } from '../../src/contract/accounts.ts'
import { securityEvents } from '../../src/contract/audit.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { makeToken } from '../../src/server/accounts/recovery/mailed-links.ts'
import { secondFactorOf } from '../../src/server/accounts/sign-in/second-factor/second-factor-store.ts'
import { markProved } from '../../src/server/accounts/users-store.ts'
import { listEvents } from '../../src/server/audit.ts'
import { transact } from '../../src/server/database/transact.ts'
import { appCode } from '../support/authenticator-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { mailsTo, mailTo, subjectsTo } from '../support/mailbox.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

const STEP_MS = 30_000
const NEW = 'a new one: battery, staple'
const OVER = {
  status: 403,
  code: 'sign_in_again',
  message: 'This sign-in has expired. Please start again.',
}
const WRONG = {
  status: 401,
  code: 'wrong_code',
  message: 'That code is wrong. Try the newest one.',
}

/** The cookie by which a browser is known. */
const deviceOf = (response: Response) =>
  cookieOf(response)
    .split('; ')
    .filter((cookie) => cookie.startsWith('tessera_device='))
    .join('')

describe.each(engines)('a second step on %s', (engine) => {
  let tessera: Tessera
  const logged: string[] = []
  beforeAll(async () => {
    const logTo = { write: (line: string) => logged.push(line) }
    tessera = await startTessera({ engine, environment: BEHIND_PROXY, logTo })
  })
  afterAll(() => tessera.stop())

  const now = () => tessera.clock.now()
  const from = () => ({ 'x-forwarded-for': someAddress() })
  const post = (person: Person, path: string, body: object = {}) =>
    person.call(path, { method: 'POST', body, headers: from() })

  async function offer(person: Person): Promise<string> {
    const init = { method: 'POST', body: {} }
    return (await person.ask<SecondFactorOffer>('/api/account/second-factor', init)).secret
  }

  /** An account with a second step, whose app's code was just used. */
  async function withSecondStep() {
    const person = await newPerson(tessera)
    const secret = await offer(person)
    const confirmed = await post(person, '/api/account/second-factor/confirm', {
      code: appCode(secret, now()),
    })
    expect(confirmed.status).toBe(200)
    const { codes } = (await confirmed.json()) as RecoveryCodes
    return { person, secret, codes }
  }

  /** Another browser of that person, which has given the password. */
  async function withPassword(
    { email }: Person,
    device = '',
    password = PASSWORD,
  ): Promise<Person> {
    const browser = new Person(tessera, email)
    browser.cookie = device
    const body = { email, password }
    const response = await post(browser, '/api/auth/sign-in/email', body)
    expect(await response.json()).toEqual({ next: 'second-factor' })
    browser.cookie = [device, cookieOf(response)].filter(Boolean).join('; ')
    return browser
  }

  /** Chooses NEW by a mailed link. */
  async function reset(browser: Person, owner: Person) {
    const body = { token: await mailed(owner, 'reset-password'), password: NEW }
    expect((await post(browser, '/api/auth/reset-password', body)).status).toBe(204)
  }

  const step = (browser: Person, code: string) =>
    post(browser, '/api/auth/sign-in/second-factor', { code })

  const isSignedIn = async (person: Person) => (await person.call('/api/auth/user')).status === 200

  /** The code that the app shows after the next 30 seconds. */
  function nextCode(secret: string): string {
    tessera.clock.advance(STEP_MS)
    return appCode(secret, now())
  }

  test('signing in takes the password and then the code of the app', async () => {
    const { person, secret } = await withSecondStep()
    const browser = await withPassword(person)
    expect(browser.cookie).toMatch(/^tessera_challenge=[^;]+$/)
    expect(await isSignedIn(browser)).toBe(false)
    const response = await step(browser, nextCode(secret))
    expect(await response.json()).toMatchObject({ user: { email: person.email } })
    const cookies = response.headers.getSetCookie().join('\n')
    expect(cookies).toMatch(/^tessera_challenge=;.*Max-Age=0/m)
    browser.cookie = cookieOf(response)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('before its first code a second step is not on', async () => {
    const person = await newPerson(tessera)
    const earlier = await offer(person)
    const secret = await offer(person)
    for (const code of ['000000', appCode(earlier, now())]) {
      const wrong = await post(person, '/api/account/second-factor/confirm', { code })
      expect(await refusal(wrong)).toEqual(WRONG)
    }
    expect(await secondFactorOf(tessera.database.db, person.id)).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    const body = { email: person.email, password: PASSWORD }
    const signedIn = await post(new Person(tessera, ''), '/api/auth/sign-in/email', body)
    expect(await signedIn.json()).toHaveProperty('user')
    const code = appCode(secret, now())
    const right = await post(person, '/api/account/second-factor/confirm', {
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(right.status).toBe(200)
    expect(await secondFactorOf(tessera.database.db, person.id)).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    })
  })

  test('a code works once', async () => {
    const { person, secret } = await withSecondStep()
    const used = await step(await withPassword(person), appCode(secret, now()))
    expect(await refusal(used)).toEqual(WRONG)
    const code = nextCode(secret)
    expect((await step(await withPassword(person), code)).status).toBe(200)
    tessera.clock.advance(STEP_MS)
    expect((await step(await withPassword(person), code)).status).toBe(401)
  })

  test('of eight browsers with one code at once one signs in', async () => {
    const { person, secret, codes } = await withSecondStep()
    for (const code of [nextCode(secret), codes[0] ?? '']) {
      const browsers = await Promise.all(Array.from({ length: 8 }, () => withPassword(person)))
      const answers = await Promise.all(browsers.map((browser) => step(browser, code)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
    }
  })

  test('codes work again after the server’s clock went back', async () => {
    const { person, secret } = await withSecondStep()
    tessera.clock.advance(DAY_MS)
    expect((await step(await withPassword(person), nextCode(secret))).status).toBe(200)
    tessera.clock.advance(-DAY_MS)
    expect((await step(await withPassword(person), nextCode(secret))).status).toBe(200)
  })

  test('each recovery code signs in once, in any writing, and the owner gets a mail', async () => {
    const { person, codes } = await withSecondStep()
    const [first = ''] = codes
    expect(codes).toHaveLength(10)
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')} `
    expect((await step(await withPassword(person), typed)).status).toBe(200)
    const mail = await mailTo(tessera, person.email, 'A recovery code was used')
    expect(mail).toContain('9 codes are left.')
    expect(await refusal(await step(await withPassword(person), first))).toEqual(WRONG)
  })

  test('new recovery codes end the earlier ones', async () => {
    const { person, codes } = await withSecondStep()
    const renewed = await post(person, '/api/account/recovery-codes')
    const { codes: others } = (await renewed.json()) as RecoveryCodes
    expect(others).toHaveLength(10)
    await mailTo(tessera, person.email, 'New recovery codes')
    const browser = await withPassword(person)
    expect((await step(browser, codes[0] ?? '')).status).toBe(401)
    expect((await step(browser, others[0] ?? '')).status).toBe(200)
    await Promise.all([1, 2].map(() => post(person, '/api/account/recovery-codes')))
    const { recoveryCodesLeft } = await secondFactorOf(tessera.database.db, person.id)
    expect(recoveryCodesLeft).toBe(10)
  })

  test('turning it on or off signs out all other browsers, and a mail says so', async () => {
    const person = await newPerson(tessera)
    const body = { email: person.email, password: PASSWORD }
    const other = new Person(tessera, person.email)
    other.cookie = cookieOf(await post(other, '/api/auth/sign-in/email', body))
    expect(await isSignedIn(other)).toBe(true)
    const secret = await offer(person)
    const code = appCode(secret, now())
    await post(person, '/api/account/second-factor/confirm', { code })
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false])
    const on = await mailTo(tessera, person.email, 'Your second step is on')
    expect(on).toContain('Every other browser was signed out')

    const third = await withPassword(person)
    third.cookie = cookieOf(await step(third, nextCode(secret)))
    expect(await isSignedIn(third)).toBe(true)
    const off = await post(person, '/api/account/second-factor/off')
    expect([off.status, await off.text()]).toEqual([204, ''])
    expect([await isSignedIn(person), await isSignedIn(third)]).toEqual([true, false])
    await mailTo(tessera, person.email, 'Your second step is off')
    const signedIn = await post(other, '/api/auth/sign-in/email', body)
    expect(await signedIn.json()).toHaveProperty('user')
    const events = await listEvents(tessera.database.db, person.id, securityEvents, 50)
    const about = events.filter(({ event }) => event.startsWith('second-factor'))
    expect(about).toMatchObject([
      { event: 'second-factor-off', actor: 'user', address: expect.stringMatching(/^10\..*x$/) },
      { event: 'second-factor-on', actor: 'user' },
    ])
  })

  test('what is on cannot be offered, and what is off cannot be used', async () => {
    const { person } = await withSecondStep()
    const again = await post(person, '/api/account/second-factor')
    expect(await refusal(again)).toMatchObject({ status: 409, code: 'second_factor_on' })
    const confirmed = await post(person, '/api/account/second-factor/confirm', { code: '123456' })
    expect(await refusal(confirmed)).toMatchObject({ code: 'second_factor_on' })
    const plain = await newPerson(tessera)
    for (const path of ['recovery-codes', 'second-factor/confirm']) {
      const body = path === 'recovery-codes' ? {} : { code: '123456' }
      const refused = await post(plain, `/api/account/${path}`, body)
      expect(await refusal(refused)).toMatchObject({ status: 409, code: 'second_factor_off' })
    }
    expect((await post(plain, '/api/account/second-factor/off')).status).toBe(204)
    expect(await subjectsTo(tessera, plain.email)).toEqual([])
  })

  test('the first code takes the same proof as turning the second step off', async () => {
    const person = await newPerson(tessera)
    const secret = await offer(person)
    await signedInAgo(person, HOUR_MS)
    const code = appCode(secret, now())
    const confirm = (body: object) => post(person, '/api/account/second-factor/confirm', body)
    expect(await refusal(await confirm({ code }))).toMatchObject({ code: 'sign_in_again' })
    const wrong = await confirm({ code, password: 'another password' })
    expect(await refusal(wrong)).toMatchObject({ code: 'wrong_password' })
    expect((await confirm({ code, password: PASSWORD })).status).toBe(200)
  })

  test('an offered second step takes its first code for 15 minutes', async () => {
    const person = await newPerson(tessera)
    const confirm = (secret: string) =>
      post(person, '/api/account/second-factor/confirm', { code: appCode(secret, now()) })
    const first = await offer(person)
    tessera.clock.advance(15 * MINUTE_MS)
    const late = await refusal(await confirm(first))
    expect(late).toMatchObject({ status: 409, code: 'second_factor_offer_over' })
    const second = await offer(person)
    tessera.clock.advance(14 * MINUTE_MS)
    expect((await confirm(second)).status).toBe(200)
  })

  test('ten wrong first codes end the guessing for 15 minutes, also with a new offer', async () => {
    const person = await newPerson(tessera)
    await offer(person)
    const confirm = (code: string) => post(person, '/api/account/second-factor/confirm', { code })
    const guesses = Array.from({ length: 14 }, (_, index) => confirm(`0000${10 + index}`))
    const answers = (await Promise.all(guesses)).map(({ status }) => status)
    expect(answers.filter((status) => status === 401)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(4)
    const another = await offer(person)
    const refused = await refusal(await confirm(appCode(another, now())))
    expect(refused.message).toBe(
      'Too many wrong codes. Set up the second step again in 15 minutes.',
    )
    tessera.clock.advance(15 * MINUTE_MS)
    expect((await confirm(appCode(await offer(person), now()))).status).toBe(200)
  })

  test('five wrong codes end a sign-in, which begins again with the password', async () => {
    const { person, secret } = await withSecondStep()
    const browser = await withPassword(person)
    for (let guess = 0; guess < 5; guess++) {
      expect((await step(browser, `00000${guess}`)).status).toBe(401)
    }
    const ended = await step(browser, nextCode(secret))
    expect(ended.headers.getSetCookie().join('\n')).toMatch(/^tessera_challenge=;.*Max-Age=0/m)
    expect(await refusal(ended)).toEqual(OVER)
    expect((await step(await withPassword(person), nextCode(secret))).status).toBe(200)
  })

  test('twenty wrong codes in a day keep strangers out, and never the owner’s browser', async () => {
    const { person, secret, codes } = await withSecondStep()
    const own = await withPassword(person)
    const device = deviceOf(await step(own, nextCode(secret)))
    const guesses = Array.from({ length: 24 }, async (_, index) => {
      return (await step(await withPassword(person), `0000${10 + index}`)).status
    })
    expect((await Promise.all(guesses)).filter((status) => status === 401)).toHaveLength(20)
    const stranger = await withPassword(person)
    const refused = await refusal(await step(stranger, nextCode(secret)))
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.message).toBe(
      'Too many wrong codes. Use a recovery code, or try again in 24 hours.',
    )
    expect((await step(await withPassword(person, device), nextCode(secret))).status).toBe(200)
    expect((await step(stranger, codes[0] ?? '')).status).toBe(200)
    const warning = 'Somebody is trying to get past your second step'
    await mailTo(tessera, person.email, warning)
    tessera.clock.advance(DAY_MS)
    expect((await step(await withPassword(person), nextCode(secret))).status).toBe(200)
    const warnings = (await mailsTo(tessera, person.email)).filter(
      (mail) => mail.subject === warning,
    )
    expect(warnings).toHaveLength(1)
  })

  test('one address tries thirty codes a minute', async () => {
    const headers = from()
    const call = { method: 'POST', body: { code: '123456' }, headers }
    const visitor = new Person(tessera, '')
    for (let code = 0; code < 30; code++) {
      const answer = await visitor.call('/api/auth/sign-in/second-factor', call)
      expect(answer.status).toBe(403)
    }
    const refused = await visitor.call('/api/auth/sign-in/second-factor', call)
    expect(await refusal(refused)).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  test('a code without a password before does not sign in', async () => {
    const { person, secret } = await withSecondStep()
    const browser = await withPassword(person)
    const forged = browser.cookie.replace('=', '=x')
    for (const cookie of ['', 'tessera_challenge=%zz', forged, person.cookie]) {
      const visitor = Object.assign(new Person(tessera, ''), { cookie })
      expect(await refusal(await step(visitor, nextCode(secret)))).toEqual(OVER)
    }
    tessera.clock.advance(10 * 60_000)
    expect(await refusal(await step(browser, nextCode(secret)))).toEqual(OVER)
  })

  test('a sign-in that is finished cannot be finished again', async () => {
    const { person, secret, codes } = await withSecondStep()
    const browser = await withPassword(person)
    expect((await step(browser, nextCode(secret))).status).toBe(200)
    for (const code of [nextCode(secret), codes[0] ?? '']) {
      const replayed = await step(browser, code)
      expect(await refusal(replayed)).toEqual(OVER)
      expect(replayed.headers.getSetCookie().join('\n')).not.toMatch(/tessera_session/)
    }
  })

  /** The token of a link that was mailed to this account. Its address is proved. */
  async function mailed({ id, email }: Person, kind: LinkKind): Promise<string> {
    await transact(tessera.database.db, (tx) => markProved(tx, id))
    return makeToken(tessera.database.db, kind, { userId: id, email }, now())
  }

  test('a link from a mail takes a code too', async () => {
    const { person, secret } = await withSecondStep()
    const browser = new Person(tessera, person.email)
    const token = await mailed(person, 'sign-in')
    const response = await post(browser, '/api/auth/sign-in/link/use', { token })
    expect(await response.json()).toEqual({ next: 'second-factor' })
    expect(response.headers.getSetCookie().join('\n')).not.toContain('tessera_session')
    browser.cookie = cookieOf(response)
    expect((await step(browser, nextCode(secret))).status).toBe(200)
  })

  test('a new password leaves the second step on, and ends what the earlier one began', async () => {
    const { person, secret } = await withSecondStep()
    const waiting = await withPassword(person)
    await reset(new Person(tessera, ''), person)
    expect(await refusal(await step(waiting, nextCode(secret)))).toEqual(OVER)
    expect((await step(await withPassword(person, '', NEW), nextCode(secret))).status).toBe(200)
  })

  test('a new password gives a thief of the mailbox no more guesses, and the owner’s browser its own', async () => {
    const { person, secret } = await withSecondStep()
    const device = deviceOf(await step(await withPassword(person), nextCode(secret)))
    const guesses = Array.from({ length: 20 }, async (_, index) =>
      step(await withPassword(person), `0000${10 + index}`),
    )
    await Promise.all(guesses)
    const owner = new Person(tessera, person.email)
    owner.cookie = device
    await reset(owner, person)
    const other = await step(await withPassword(person, '', NEW), nextCode(secret))
    expect(await refusal(other)).toMatchObject({ code: 'rate_limited' })
    const own = await step(await withPassword(person, device, NEW), nextCode(secret))
    expect(own.status).toBe(200)
  })

  test('a sign-in that waits for a code is over when the second step is turned off', async () => {
    const { person } = await withSecondStep()
    const browser = await withPassword(person)
    await post(person, '/api/account/second-factor/off')
    expect(await refusal(await step(browser, '123456'))).toEqual(OVER)
  })

  test('the database and the log have no secret and no code', async () => {
    const { person, secret, codes } = await withSecondStep()
    const code = nextCode(secret)
    await step(await withPassword(person), code)
    await step(await withPassword(person), codes[0] ?? '')
    const { db } = tessera.database
    const factors = await db.selectFrom('second_factors').selectAll().execute()
    const hashes = await db.selectFrom('recovery_codes').selectAll().execute()
    const audit = await db.selectFrom('audit_entries').selectAll().execute()
    const stored = JSON.stringify([factors, hashes, audit]) + logged.join('')
    expect(stored).toContain(person.id)
    for (const text of [
      secret,
      `"${code}"`,
      ...codes,
      ...codes.map((one) => one.replaceAll('-', '')),
    ]) {
      expect(stored).not.toContain(text)
    }
  })
})
