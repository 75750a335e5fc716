import { describe, expect, test } from 'vitest'
import type {
  RecoveryCodes,
  SecondFactorOffer,
} from '../../src/contract/accounts/account-settings.ts'
import type { LinkKind } from '../../src/contract/accounts/accounts.ts'
import { securityEvents } from '../../src/contract/accounts/audit.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { makeToken } from '../../src/server/accounts/proof/mailed-links.ts'
import { secondFactorOf } from '../../src/server/accounts/sign-in/second-factor/second-factor-store.ts'
import { markProved } from '../../src/server/accounts/users-store.ts'
import { listEvents } from '../../src/server/audit.ts'
import { transact } from '../../src/server/database/transact.ts'
import { appCode, turnOnSecondStep } from '../support/authenticator-app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { mailTo, subjectsTo } from '../support/mailbox.ts'
import { cookieOf, enrolForEach, newPerson, Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { signedInAgo } from '../support/session-age.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

const STEP_MS = 30_000
const NEW = 'a new one: battery, staple'
const OVER = {
  status: 403,
  code: 'sign_in_again',
  message: 'This login has expired. Please start again.',
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

describe.each(oneEngineInCi)('a second step on %s', (engine) => {
  const logged: string[] = []
  const logTo = { write: (line: string) => logged.push(line) }
  const tessera = runTessera({ engine, environment: BEHIND_PROXY, logTo })
  const person = enrolForEach(tessera)

  const now = () => tessera.clock.now()
  async function offer(person: Person): Promise<string> {
    const offered = await person.post('/api/account/second-factor')
    return ((await offered.json()) as SecondFactorOffer).secret
  }

  const confirm = (person: Person, code: string, password?: string) =>
    person.post('/api/account/second-factor/confirm', { code, ...(password && { password }) })

  /** An account with a second step, whose app's code was just used. */
  async function withSecondStep() {
    const person = await newPerson(tessera)
    return { person, ...(await turnOnSecondStep(person)) }
  }

  /** Another browser of that person, which has given the password. */
  async function withPassword(person: Person, device = '', password = PASSWORD): Promise<Person> {
    const browser = person.elsewhere(device)
    const response = await browser.signIn(password)
    expect(await response.json()).toEqual({ next: 'second-factor' })
    browser.cookie = [device, browser.cookie].filter(Boolean).join('; ')
    return browser
  }

  /** Chooses NEW by a mailed link. */
  async function reset(browser: Person, owner: Person) {
    const body = { token: await mailed(owner, 'reset-password'), password: NEW }
    expect((await browser.post('/api/auth/reset-password', body)).status).toBe(204)
  }

  const step = (browser: Person, code: string) =>
    browser.post('/api/auth/sign-in/second-factor', { code })

  /** Wrong codes from as many browsers at once. Returns how often each status was the answer. */
  async function guess(person: Person, count: number) {
    const answers = Array.from({ length: count }, async (_, index) =>
      step(await withPassword(person), `0000${10 + index}`),
    )
    return await tally(answers)
  }

  /** The code that the app shows after the next 30 seconds. */
  function nextCode(secret: string): string {
    tessera.clock.advance(STEP_MS)
    return appCode(secret, now())
  }

  test('signing in takes the password and then the code of the app', async () => {
    const { person, secret } = await withSecondStep()
    const browser = await withPassword(person)
    expect(browser.cookie).toMatch(/^tessera_challenge=[^;]+$/)
    expect(await browser.isSignedIn()).toBe(false)
    const response = await step(browser, nextCode(secret))
    expect(await response.json()).toMatchObject({ user: { email: person.email } })
    const cookies = response.headers.getSetCookie().join('\n')
    expect(cookies).toMatch(/^tessera_challenge=;.*Max-Age=0/m)
    browser.cookie = cookieOf(response)
    expect(await browser.isSignedIn()).toBe(true)
  })

  test('before its first code a second step is not on', async () => {
    const earlier = await offer(person)
    const secret = await offer(person)
    for (const code of ['000000', appCode(earlier, now())]) {
      expect(await refusal(await confirm(person, code))).toEqual(WRONG)
    }
    expect(await secondFactorOf(tessera.database.db, person.id)).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    expect(await (await person.elsewhere().signIn()).json()).toHaveProperty('user')
    const code = appCode(secret, now())
    expect((await confirm(person, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
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
      expect(await tally(answers)).toEqual({ 200: 1, 401: 7 })
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
    expect(mail).toContain('You have 9 left.')
    expect(await refusal(await step(await withPassword(person), first))).toEqual(WRONG)
  })

  test('new recovery codes end the earlier ones', async () => {
    const { person, codes } = await withSecondStep()
    const renewed = await person.post('/api/account/recovery-codes')
    const { codes: others } = (await renewed.json()) as RecoveryCodes
    expect(others).toHaveLength(10)
    await mailTo(tessera, person.email, 'New recovery codes')
    const browser = await withPassword(person)
    expect((await step(browser, codes[0] ?? '')).status).toBe(401)
    expect((await step(browser, others[0] ?? '')).status).toBe(200)
    await Promise.all([1, 2].map(() => person.post('/api/account/recovery-codes')))
    const { recoveryCodesLeft } = await secondFactorOf(tessera.database.db, person.id)
    expect(recoveryCodesLeft).toBe(10)
  })

  test('turning it on or off signs out all other browsers, and a mail says so', async () => {
    const other = person.elsewhere()
    await other.signIn()
    expect(await other.isSignedIn()).toBe(true)
    const secret = await offer(person)
    await confirm(person, appCode(secret, now()))
    expect([await person.isSignedIn(), await other.isSignedIn()]).toEqual([true, false])
    const on = await mailTo(tessera, person.email, 'Two-step verification is on')
    expect(on).toContain('All other browsers were logged out')

    const third = await withPassword(person)
    third.cookie = cookieOf(await step(third, nextCode(secret)))
    expect(await third.isSignedIn()).toBe(true)
    const off = await person.post('/api/account/second-factor/off')
    expect([off.status, await off.text()]).toEqual([204, ''])
    expect([await person.isSignedIn(), await third.isSignedIn()]).toEqual([true, false])
    await mailTo(tessera, person.email, 'Two-step verification is off')
    expect(await (await other.signIn()).json()).toHaveProperty('user')
    const events = await listEvents(tessera.database.db, { user_id: person.id }, securityEvents, 50)
    const about = events.filter(({ event }) => event.startsWith('second-factor'))
    expect(about).toMatchObject([
      { event: 'second-factor-off', actor: 'user', address: expect.stringMatching(/^10\..*x$/) },
      { event: 'second-factor-on', actor: 'user' },
    ])
  })

  test('a second step that is on is not offered again, and one that is off takes no code', async () => {
    const { person } = await withSecondStep()
    for (const answer of [
      await person.post('/api/account/second-factor'),
      await confirm(person, '123456'),
    ]) {
      await expectRefusal(answer, 'second_factor_on')
    }
    const plain = await newPerson(tessera)
    for (const answer of [
      await plain.post('/api/account/recovery-codes'),
      await confirm(plain, '123456'),
    ]) {
      await expectRefusal(answer, 'second_factor_off')
    }
    expect((await plain.post('/api/account/second-factor/off')).status).toBe(204)
    expect(await subjectsTo(tessera, plain.email)).toEqual([])
  })

  test('the first code takes the same proof as turning the second step off', async () => {
    const secret = await offer(person)
    await signedInAgo(person, HOUR_MS)
    const code = appCode(secret, now())
    await expectRefusal(confirm(person, code), 'sign_in_again')
    await expectRefusal(confirm(person, code, 'another password'), 'wrong_password')
    expect((await confirm(person, code, PASSWORD)).status).toBe(200)
  })

  test('an offered second step takes its first code for 15 minutes', async () => {
    const confirmNow = (secret: string) => confirm(person, appCode(secret, now()))
    const first = await offer(person)
    tessera.clock.advance(15 * MINUTE_MS)
    await expectRefusal(confirmNow(first), 'second_factor_offer_over')
    const second = await offer(person)
    tessera.clock.advance(14 * MINUTE_MS)
    expect((await confirmNow(second)).status).toBe(200)
  })

  test('ten wrong first codes end the guessing for 15 minutes, also with a new offer', async () => {
    await offer(person)
    const guesses = Array.from({ length: 14 }, (_, at) => confirm(person, `0000${10 + at}`))
    expect(await tally(guesses)).toEqual({ 401: 10, 429: 4 })
    const another = await offer(person)
    const refused = await refusal(await confirm(person, appCode(another, now())))
    const wanted = 'Too many wrong codes. Set up two-step verification again in 15 minutes.'
    expect(refused.message).toBe(wanted)
    tessera.clock.advance(15 * MINUTE_MS)
    expect((await confirm(person, appCode(await offer(person), now()))).status).toBe(200)
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
    expect(await guess(person, 24)).toEqual({ 401: 20, 429: 4 })
    const stranger = await withPassword(person)
    const refused = await expectRefusal(step(stranger, nextCode(secret)), 'rate_limited')
    expect(refused.message).toBe(
      'Too many wrong codes. Use a recovery code, or try again in 24 hours.',
    )
    expect((await step(await withPassword(person, device), nextCode(secret))).status).toBe(200)
    expect((await step(stranger, codes[0] ?? '')).status).toBe(200)
    const warning = 'Someone is trying to get into your account'
    await mailTo(tessera, person.email, warning)
    tessera.clock.advance(DAY_MS)
    expect((await step(await withPassword(person), nextCode(secret))).status).toBe(200)
    const subjects = await subjectsTo(tessera, person.email)
    expect(subjects.filter((subject) => subject === warning)).toHaveLength(1)
  })

  test('one address tries thirty codes a minute', async () => {
    const [visitor, address] = [new Person(tessera, ''), someAddress()]
    const attempt = () =>
      visitor.post('/api/auth/sign-in/second-factor', { code: '123456' }, address)
    for (let code = 0; code < 30; code++) expect((await attempt()).status).toBe(403)
    await expectRefusal(attempt(), 'rate_limited')
  })

  test('a code without a password before does not sign in', async () => {
    const { person, secret } = await withSecondStep()
    const browser = await withPassword(person)
    const forged = browser.cookie.replace('=', '=x')
    for (const cookie of ['', 'tessera_challenge=%zz', forged, person.cookie]) {
      const visitor = person.elsewhere(cookie)
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
    const browser = person.elsewhere()
    const token = await mailed(person, 'sign-in')
    const response = await browser.post('/api/auth/sign-in/link/use', { token })
    expect(await response.json()).toEqual({ next: 'second-factor' })
    expect(response.headers.getSetCookie().join('\n')).not.toContain('tessera_session')
    browser.cookie = cookieOf(response)
    expect((await step(browser, nextCode(secret))).status).toBe(200)
  })

  test('a new password leaves the second step on, and ends what the earlier one began', async () => {
    const { person, secret } = await withSecondStep()
    const waiting = await withPassword(person)
    await reset(person.elsewhere(), person)
    expect(await refusal(await step(waiting, nextCode(secret)))).toEqual(OVER)
    expect((await step(await withPassword(person, '', NEW), nextCode(secret))).status).toBe(200)
  })

  test('a new password gives a thief of the mailbox no more guesses, and the owner’s browser its own', async () => {
    const { person, secret } = await withSecondStep()
    const device = deviceOf(await step(await withPassword(person), nextCode(secret)))
    await guess(person, 20)
    await reset(person.elsewhere(device), person)
    await expectRefusal(step(await withPassword(person, '', NEW), nextCode(secret)), 'rate_limited')
    const own = await step(await withPassword(person, device, NEW), nextCode(secret))
    expect(own.status).toBe(200)
  })

  test('a sign-in that waits for a code is over when the second step is turned off', async () => {
    const { person } = await withSecondStep()
    const browser = await withPassword(person)
    await person.post('/api/account/second-factor/off')
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
    const bare = codes.map((one) => one.replaceAll('-', ''))
    for (const text of [secret, `"${code}"`, ...codes, ...bare]) expect(stored).not.toContain(text)
  })
})
