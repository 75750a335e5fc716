import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { Mailed } from '../support/mailed.ts'
import { cookieOf } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { tally } from '../support/tally.ts'

const NEW = 'seven otters in a boat'
const SUBJECT = 'Choose a new password'
const LINK_OVER = {
  status: 410,
  code: 'link_over',
  message: 'This link has expired or was already used. Ask for a new one.',
}

describe.each(oneEngineInCi)('a forgotten password on %s', (engine) => {
  const here = Mailed.run(engine)
  let email = ''
  beforeEach(async () => {
    email = (await here.member()).email
  })

  const forgot = (email: string, person = here.browser(), address = someAddress()) =>
    here.post('/api/auth/forgot-password', { email }, person, address)
  const reset = (token: string, password = NEW) =>
    here.post('/api/auth/reset-password', { token, password })

  async function tokenFor(email: string, after = 0) {
    expect((await forgot(email)).status).toBe(202)
    return here.mails.tokenTo(email, SUBJECT, after)
  }

  test('is replaced by a mailed link, and all sessions, known browsers and links end', async () => {
    const { id, email, cookie } = await here.member()
    const phone = here.browser(email)
    phone.cookie = cookieOf(await here.signIn(email, PASSWORD))
    const token = await tokenFor(email)
    await forgot(email.toUpperCase())
    const other = await here.mails.tokenTo(email, SUBJECT, 1)
    expect((await reset(token)).status).toBe(204)
    const browsers = [phone, here.browser(email, cookie)]
    for (const browser of browsers) expect(await browser.isSignedIn()).toBe(false)
    expect((await here.signIn(email, PASSWORD)).status).toBe(401)
    expect((await here.signIn(email, NEW)).status).toBe(200)
    expect(await refusal(await reset(other))).toEqual(LINK_OVER)
    const devices = await rowsOf(here.tessera.database.db, 'known_devices', { user_id: id })
    expect(devices).toHaveLength(1)
  })

  test('is mailed to the account’s address and recorded, with its origin', async () => {
    await reset(await tokenFor(email))
    const notice = await here.mails.mailTo(email, 'Your password was changed')
    expect(notice.text).toContain('IP address: 10.')
    expect(await here.eventsOf(email)).toContain('password-reset')
  })

  test('has a link for one use', async () => {
    const token = await tokenFor(email)
    expect(await tally([reset(token), reset(token, `${NEW}!`)])).toEqual({ 204: 1, 410: 1 })
    expect(await refusal(await reset(token))).toEqual(LINK_OVER)
  })

  test('is replaced once by two links that are used at the same moment', async () => {
    const first = await tokenFor(email)
    const second = await tokenFor(email, 1)
    const answers = await Promise.all([reset(first), reset(second, `${NEW}!`)])
    expect(await tally(answers)).toEqual({ 204: 1, 410: 1 })
    const kept = answers[0]?.status === 204 ? NEW : `${NEW}!`
    expect((await here.signIn(email, kept)).status).toBe(200)
  })

  test('has a link for an hour', async () => {
    const token = await tokenFor(email)
    here.tessera.clock.advance(61 * MINUTE_MS)
    expect(await refusal(await reset(token))).toEqual(LINK_OVER)
    expect((await here.signIn(email, PASSWORD)).status).toBe(200)
  })

  test('is not replaced by a weak one, and the link stays', async () => {
    const token = await tokenFor(email)
    for (const weak of [email, 'aaaaaaaa', 'password123', 'Lovelace1']) {
      expect(await refusal(await reset(token, weak))).toMatchObject({
        code: 'invalid_input',
        fields: { password: expect.any(String) },
      })
    }
    expect((await reset(token)).status).toBe(204)
  })

  test('leaves the second step on', async () => {
    const { email, id } = await here.member()
    await here.turnOnSecondStep(id)
    await reset(await tokenFor(email))
    const answer = await here.signIn(email, NEW)
    expect(await answer.json()).toEqual({ next: 'second-factor' })
  })

  test('is answered alike for known and unknown addresses, which get no mail', async () => {
    const unknown = here.someEmail()
    const answers = [await forgot(email), await forgot(unknown)]
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([202, ''])
    await here.mails.mailTo(email, SUBJECT)
    expect(here.mails.mailsTo(unknown)).toEqual([])
  })

  test('is asked for five times an hour, alike for known and unknown addresses', async () => {
    for (const address of [email, here.someEmail()]) {
      for (let asked = 0; asked < 5; asked++) expect((await forgot(address)).status).toBe(202)
      const refused = await forgot(address)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
      await expectRefusal(refused, 'rate_limited')
    }
    // A stranger who uses them up does not stop the owner at a browser of theirs.
    const own = here.browser(email)
    own.cookie = cookieOf(await here.signIn(email, PASSWORD))
    expect((await forgot(email, own)).status).toBe(202)
    here.tessera.clock.advance(61 * MINUTE_MS)
    expect((await forgot(email)).status).toBe(202)
  })

  test('is asked for sixty times an hour from one address', async () => {
    const address = someAddress()
    const asked = Array.from({ length: 61 }, () => forgot(here.someEmail(), undefined, address))
    expect(await tally(asked)).toEqual({ 202: 60, 429: 1 })
  })

  test('gives an account without a password its first one', async () => {
    const { email, id } = await here.member()
    await here.dropPassword(id)
    expect((await here.signIn(email, PASSWORD)).status).toBe(401)
    await reset(await tokenFor(email))
    expect((await here.signIn(email, NEW)).status).toBe(200)
  })

  test('lets an owner sign in at once who was locked out by strangers’ guesses', async () => {
    const guesses = Array.from({ length: 110 }, () => here.signIn(email, 'a wrong guess'))
    await Promise.all(guesses)
    expect((await here.signIn(email, PASSWORD)).status).toBe(429)
    await reset(await tokenFor(email))
    expect((await here.signIn(email, NEW)).status).toBe(200)
  })

  test('leaves no token and no password in the log', async () => {
    const token = await tokenFor(email)
    await reset(token)
    const log = here.logged.join('')
    expect(log).toContain('/api/auth/reset-password')
    for (const secret of [token, NEW, PASSWORD]) expect(log).not.toContain(secret)
  })
})
