import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { changeUser, findAccount, passwordHashOf } from '../../src/server/accounts/users-store.ts'
import type { PersonId } from '../../src/server/database/ids.ts'
import { someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { HeldHashes } from '../support/held-hashes.ts'
import { eventually } from '../support/ledger.ts'
import { Mailed } from '../support/mailed.ts'
import { cookieOf, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const SUBJECT = 'Confirm your email address'
const VERIFY = { next: 'verify-email' }

describe.each(oneEngineInCi)('the proof of an address on %s', (engine) => {
  const here = Mailed.run(engine)

  const verify = (token: string, password?: string, person?: Person, address?: string) =>
    here.post('/api/auth/verify-email', { token, ...(password && { password }) }, person, address)
  const send = (email: string) => here.post('/api/auth/verify-email/send', { email })
  type Shown = { emailVerified: boolean }

  test('is asked for at a sign-up, which works at once without', async () => {
    const person = await here.signUp()
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: false })
    const token = await here.mails.tokenTo(person.email, SUBJECT)
    expect((await verify(token, undefined, person)).status).toBe(204)
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: true })
    expect(await here.eventsOf(person.email)).toContain('email-verified')
    await expectRefusal(verify(token), 'link_over')
    expect((await here.signIn(person.email, PASSWORD)).status).toBe(200)
  })

  /** An account as a sign-up leaves it, and the token of its mail. */
  async function unproved() {
    const person = await here.signUp()
    return { person, token: await here.mails.tokenTo(person.email, SUBJECT) }
  }

  test('asks for the password if the browser is not signed in to the account, and leaves the link', async () => {
    const { person, token } = await unproved()
    for (const browser of [here.browser(), await here.member()]) {
      expect(await refusal(await verify(token, undefined, browser))).toEqual({
        status: 403,
        code: 'password_needed',
        message: 'Enter the password of your Tessera account, so we know it’s yours.',
      })
    }
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: false })
    const { email } = person
    const phone = here.browser(email)
    const answer = await verify(token, PASSWORD, phone)
    expect(await answer.json()).toMatchObject({ user: { email, emailVerified: true } })
    phone.cookie = cookieOf(answer)
    for (const browser of [person, phone]) expect(await here.isSignedIn(browser)).toBe(true)
    await expectRefusal(verify(token, PASSWORD), 'link_over')
  })

  test('asks for the second step too, before the password signs in', async () => {
    const { person, token } = await unproved()
    const { id } = await person.ask<{ id: PersonId }>('/api/auth/user')
    await here.turnOnSecondStep(id)
    const answer = await verify(token, PASSWORD)
    expect(await answer.json()).toEqual({ next: 'second-factor' })
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: true })
  })

  test('is by one of the five newest links', async () => {
    const { person, token: oldest } = await unproved()
    let newest = ''
    for (let times = 1; times <= 5; times++) {
      here.tessera.clock.advance(HOUR_MS)
      await send(person.email)
      newest = await here.mails.tokenTo(person.email, SUBJECT, times)
    }
    await expectRefusal(verify(oldest, undefined, person), 'link_over')
    expect((await verify(newest, undefined, person)).status).toBe(204)
  })

  test('counts a wrong password as a sign-in does', async () => {
    const { person, token } = await unproved()
    const { email } = person
    const address = someAddress()
    for (let times = 0; times < 10; times++) {
      await expectRefusal(verify(token, 'a wrong guess', undefined, address), 'invalid_credentials')
    }
    for (const answer of [
      await verify(token, PASSWORD, undefined, address),
      await here.signIn(email, PASSWORD, undefined, address),
    ]) {
      expect(await refusal(answer)).toMatchObject({
        code: 'rate_limited',
        message: 'Too many failed logins. Try again in 15 minutes.',
      })
    }
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: false })
    expect((await verify(token, PASSWORD)).status).toBe(200)
  })

  test('of an account without a password ends what was set up before', async () => {
    const { person: stranger, token } = await unproved()
    const { email } = stranger
    const { id } = await stranger.ask<{ id: PersonId }>('/api/auth/user')
    await here.dropPassword(id)
    expect((await verify(token)).status).toBe(204)
    expect(await here.isSignedIn(stranger)).toBe(false)
    expect(await here.eventsOf(email)).toContain('email-verified')
  })

  test('is not mailed to an unknown or a proved address, and the answer is the same', async () => {
    const { email } = await here.member()
    const unknown = here.someEmail()
    for (const to of [email, unknown]) {
      const answer = await send(to)
      expect([answer.status, await answer.text()]).toEqual([202, ''])
    }
    const { email: last } = await newPerson(here.tessera)
    await send(last)
    await here.mails.mailTo(last, SUBJECT)
    for (const to of [email, unknown]) expect(here.mails.mailsTo(to)).toEqual([])
  })

  test('works for seven days', async () => {
    const { email } = await newPerson(here.tessera)
    await send(email)
    const token = await here.mails.tokenTo(email, SUBJECT)
    here.tessera.clock.advance(7 * DAY_MS)
    await expectRefusal(verify(token), 'link_over')
  })

  test('counts for the address that the account has now', async () => {
    const person = await newPerson(here.tessera)
    await send(person.email)
    const token = await here.mails.tokenTo(person.email, SUBJECT)
    await changeUser(here.tessera.database.db, person.id, { email: here.someEmail() })
    await expectRefusal(verify(token), 'link_over')
  })
})

describe.each(oneEngineInCi)('if a new account must prove its address, on %s', (engine) => {
  const hashes = new HeldHashes()
  const here = Mailed.run(engine, { VERIFY_EMAIL: 'required' }, hashes.derive)

  const signUp = (email: string, password = PASSWORD) =>
    here.post('/api/auth/sign-up/email', { email, name: 'Ada', password })

  test('it signs in only then', async () => {
    const email = here.someEmail()
    const answer = await signUp(email)
    expect(await answer.json()).toEqual(VERIFY)
    expect(answer.headers.getSetCookie()).toEqual([])
    const token = await here.mails.tokenTo(email, SUBJECT)
    const early = await here.signIn(email, PASSWORD)
    expect(await early.json()).toEqual(VERIFY)
    expect(early.headers.getSetCookie()).toEqual([])
    // A sign-in sends another mail, of which the first stays good.
    await here.mails.mailTo(email, SUBJECT, 1)
    const verify = (body: object) => here.post('/api/auth/verify-email', { token, ...body })
    await expectRefusal(verify({}), 'password_needed')
    const signedIn = { user: { email, emailVerified: true } }
    expect(await (await verify({ password: PASSWORD })).json()).toMatchObject(signedIn)
    expect(await (await here.signIn(email, PASSWORD)).json()).toMatchObject(signedIn)
  })

  test('an account does not sign in without the proof, even if its sign-up failed halfway', async () => {
    const email = here.someEmail()
    const { schema } = here.tessera.database.db
    await schema.alterTable('mailed_links').renameTo('away').execute()
    await signUp(email)
    await eventually(async () => Boolean(await findAccount(here.tessera.database.db, { email })))
    await schema.alterTable('away').renameTo('mailed_links').execute()
    expect(await (await here.signIn(email, PASSWORD)).json()).toEqual(VERIFY)
  })

  test('a sign-up answers alike for known and unknown addresses, after one hash', async () => {
    const { email } = await here.member()
    hashes.began.length = 0
    const answers = [await signUp(email), await signUp(here.someEmail())]
    for (const answer of answers) expect(await answer.json()).toEqual(VERIFY)
    expect(hashes.began).toHaveLength(2)
    const told = await here.mails.mailTo(email, 'You already have an account')
    expect(told.text).toContain('/api/login')
    expect((await here.signIn(email, PASSWORD)).status).toBe(200)
  })

  test('a mailbox gets five such mails an hour, however many sign-ins there are', async () => {
    const email = here.someEmail()
    await signUp(email)
    await here.mails.mailTo(email, SUBJECT)
    for (let times = 0; times < 6; times++) {
      expect(await (await here.signIn(email, PASSWORD)).json()).toEqual(VERIFY)
    }
    await here.mails.mailTo(email, SUBJECT, 4)
    expect(here.mails.mailsTo(email)).toHaveLength(5)
  })

  test('accounts from before sign in without', async () => {
    const { email } = await newPerson(here.tessera)
    expect(await (await here.signIn(email, PASSWORD)).json()).toMatchObject({
      user: { email, emailVerified: false },
    })
  })
})

describe('if only the provider signs in', () => {
  const here = Mailed.run('sqlite', {
    PASSWORD_LOGIN: 'off',
    OIDC_ISSUER: 'http://127.0.0.1:9/',
    OIDC_CLIENT_ID: 'tessera',
    OIDC_CLIENT_SECRET: 'secret',
  })

  test('the proof of an address asks for no password, and ends what was set up before', async () => {
    const stranger = await newPerson(here.tessera)
    const { email, id } = stranger
    await here.post('/api/auth/verify-email/send', { email })
    const token = await here.mails.tokenTo(email, SUBJECT)
    expect((await here.post('/api/auth/verify-email', { token })).status).toBe(204)
    expect(await here.isSignedIn(stranger)).toBe(false)
    const { db } = here.tessera.database
    expect(await findAccount(db, { id })).toMatchObject({ emailVerified: true })
    expect(await passwordHashOf(db, id)).toBeNull()
  })
})
