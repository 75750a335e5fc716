import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/time.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { HeldHashes } from '../support/held-hashes.ts'
import { Mailed } from '../support/mailed.ts'
import { newPerson } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'

const SUBJECT = 'Confirm your e-mail address'
const VERIFY = { next: 'verify-email' }

describe.each(engines)('the proof of an address on %s', (engine) => {
  let here: Mailed
  beforeAll(async () => {
    here = await Mailed.start(engine)
  })
  afterAll(() => here.stop())

  const verify = (token: string) => here.post('/api/auth/verify-email', { token })
  const send = (email: string) => here.post('/api/auth/verify-email/send', { email })
  type Shown = { emailVerified: boolean }

  test('is asked for at a sign-up, which works at once without', async () => {
    const person = await here.signUp()
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: false })
    const token = await here.mails.tokenTo(person.email, SUBJECT)
    expect((await verify(token)).status).toBe(204)
    expect(await person.ask<Shown>('/api/auth/user')).toMatchObject({ emailVerified: true })
    expect(await here.eventsOf(person.email)).toContain('email-verified')
    expect(await refusal(await verify(token))).toMatchObject({ code: 'link_over' })
    expect((await here.signIn(person.email, PASSWORD)).status).toBe(200)
  })

  test('can be asked for again', async () => {
    const { email } = await newPerson(here.tessera)
    expect((await send(email)).status).toBe(202)
    expect((await verify(await here.mails.tokenTo(email, SUBJECT))).status).toBe(204)
  })

  test('is not asked for where nobody or somebody proved has the address, and the answer is the same', async () => {
    const { email } = await here.member()
    const nobody = here.someEmail()
    for (const to of [email, nobody]) {
      const answer = await send(to)
      expect([answer.status, await answer.text()]).toEqual([202, ''])
    }
    const { email: last } = await newPerson(here.tessera)
    await send(last)
    await here.mails.mailTo(last, SUBJECT)
    for (const to of [email, nobody]) expect(here.mails.mailsTo(to)).toEqual([])
  })

  test('works for seven days', async () => {
    const { email } = await newPerson(here.tessera)
    await send(email)
    const token = await here.mails.tokenTo(email, SUBJECT)
    here.tessera.clock.advance(7 * DAY_MS)
    expect(await refusal(await verify(token))).toMatchObject({ code: 'link_over' })
  })

  test('is one of the address that the account has now', async () => {
    const person = await newPerson(here.tessera)
    await send(person.email)
    const token = await here.mails.tokenTo(person.email, SUBJECT)
    await here.tessera.database.db
      .updateTable('users')
      .set({ email: here.someEmail() })
      .where('id', '=', person.id)
      .execute()
    expect(await refusal(await verify(token))).toMatchObject({ code: 'link_over' })
  })
})

describe.each(engines)('where a new account must prove its address, on %s', (engine) => {
  let here: Mailed
  const hashes = new HeldHashes()
  beforeAll(async () => {
    here = await Mailed.start(engine, { VERIFY_EMAIL: 'required' }, hashes.derive)
  })
  afterAll(() => here.stop())

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
    expect((await here.post('/api/auth/verify-email', { token })).status).toBe(204)
    expect(await (await here.signIn(email, PASSWORD)).json()).toMatchObject({ user: { email } })
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

  test('a mailbox gets five such mails an hour, however often somebody signs in', async () => {
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
