import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { Mailed } from '../support/mailed.ts'
import { cookieOf } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'
import { tesseraForTest } from '../support/tessera.ts'

const SUBJECT = 'Your login link'

describe.each(oneEngineInCi)('a link that signs in on %s', (engine) => {
  const here = Mailed.run(engine)

  const ask = (email: string) => here.post('/api/auth/sign-in/link', { email })
  const use = (token: string) => here.post('/api/auth/sign-in/link/use', { token })

  async function tokenFor(email: string, after = 0) {
    expect((await ask(email)).status).toBe(202)
    return here.mails.tokenTo(email, SUBJECT, after)
  }

  test('works once, for a quarter of an hour', async () => {
    const { email, id } = await here.member()
    const token = await tokenFor(email)
    const answer = await use(token)
    expect(await answer.json()).toMatchObject({ user: { id, email } })
    const browser = here.browser(email, cookieOf(answer))
    expect(await here.isSignedIn(browser)).toBe(true)
    await expectRefusal(use(token), 'link_over')
    const late = await tokenFor(email, 1)
    here.tessera.clock.advance(16 * MINUTE_MS)
    await expectRefusal(use(late), 'link_over')
  })

  test('opens one of eight browsers that use it at once', async () => {
    const { email } = await here.member()
    const token = await tokenFor(email)
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(token)))
    expect(await tally(answers)).toEqual({ 200: 1, 410: 7 })
  })

  test('makes an account for a newcomer, whose address is proved by it', async () => {
    const email = here.someEmail()
    const answer = await use(await tokenFor(email))
    expect(await answer.json()).toMatchObject({ user: { email, emailVerified: true } })
    expect(await here.eventsOf(email)).toEqual(['signed-up', 'signed-in'])
  })

  test('leaves the password, the sessions and the browsers of an account whose address is proved', async () => {
    const member = await here.member()
    await use(await tokenFor(member.email))
    expect(await here.isSignedIn(member)).toBe(true)
    expect((await here.signIn(member.email, PASSWORD)).status).toBe(200)
  })

  test('ends the password and the sessions of a stranger who signed up with the address', async () => {
    const attacker = await here.signUp()
    const { email } = attacker
    const answer = await use(await tokenFor(email))
    expect(await answer.json()).toMatchObject({ user: { email, emailVerified: true } })
    expect(await here.isSignedIn(here.browser(email, cookieOf(answer)))).toBe(true)
    expect(await here.isSignedIn(attacker)).toBe(false)
    expect((await here.signIn(email, PASSWORD, attacker)).status).toBe(401)
    await here.mails.mailTo(email, 'Your address is confirmed')
    expect(await here.eventsOf(email)).toContain('email-verified')
  })

  test('leaves no token in the log', async () => {
    const token = await tokenFor(here.someEmail())
    await use(token)
    expect(here.logged.join('')).not.toContain(token)
  })
})

describe('a server with SIGN_UP=closed', () => {
  const here = Mailed.run('sqlite', { SIGN_UP: 'closed' })

  test('refuses a sign-up, and says so in its configuration', async () => {
    const body = { email: here.someEmail(), password: PASSWORD, name: 'Ada' }
    await expectRefusal(here.post('/api/auth/sign-up/email', body), 'sign_up_closed')
    expect(await here.browser().ask('/api/config')).toMatchObject({ signUp: 'closed' })
  })

  test('no mailed link makes an account, and the answer is the same', async () => {
    const { email } = await here.member()
    const unknown = here.someEmail()
    const answers = [unknown, email].map((to) => here.post('/api/auth/sign-in/link', { email: to }))
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, await answer.text()]).toEqual([202, ''])
    }
    await here.mails.mailTo(email, SUBJECT)
    expect(here.mails.mailsTo(unknown)).toEqual([])
  })

  test('a link from before makes none either', async () => {
    const open = await Mailed.start('sqlite')
    const email = open.someEmail()
    await open.post('/api/auth/sign-in/link', { email })
    const token = await open.mails.tokenTo(email, SUBJECT)
    const links = await open.tessera.database.db.selectFrom('mailed_links').selectAll().execute()
    await open.stop()
    await here.tessera.database.db.insertInto('mailed_links').values(links).execute()
    const answer = await here.post('/api/auth/sign-in/link/use', { token })
    await expectRefusal(answer, 'sign_up_closed')
  })
})

test('a service without a mail server promises no link', async () => {
  const tessera = await tesseraForTest()
  const answer = await fetch(`${tessera.origin}/api/auth/sign-in/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  expect(await refusal(answer)).toEqual({
    status: 503,
    code: 'no_mail_server',
    message: 'This site can’t send email yet. Please contact support.',
  })
})
