import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/contract/accounts/account-settings.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { tokenIn } from '../support/mail-server.ts'
import { Mailed } from '../support/mailed.ts'
import { cookieOf, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'

const APPROVE = 'Change the email address of your account?'
const PROVE = 'Confirm your new address'

describe.each(oneEngineInCi)('a change of the e-mail address on %s', (engine) => {
  const here = Mailed.run(engine)

  const ask = (person: Person, email: string) => here.post('/api/account/email', { email }, person)
  const answer = (path: string, token: string, person?: Person, password?: string) =>
    here.post(`/api/auth/change-email/${path}`, { token, ...(password && { password }) }, person)
  const settings = (person: Person) => person.ask<AccountSettings>('/api/account')

  /** A change that was asked for, with the tokens of its two mails. */
  async function asked(person?: Person) {
    const owner = person ?? (await here.member())
    const to = here.someEmail()
    expect((await ask(owner, to)).status).toBe(202)
    const approve = await here.mails.tokenTo(owner.email, APPROVE)
    const prove = await here.mails.tokenTo(to, PROVE)
    return { owner, to, approve, prove }
  }

  test.each([
    ['approved at the old address and then proved at the new one', ['approve', 'prove']],
    ['proved at the new address and then approved at the old one', ['prove', 'approve']],
  ] as const)('is made once it is %s', async (_words, order) => {
    const { owner, to, ...tokens } = await asked()
    expect(await settings(owner)).toMatchObject({ email: owner.email, pendingEmail: to })
    const [first, second] = order
    expect((await answer(first, tokens[first], owner)).status).toBe(204)
    expect(await settings(owner)).toMatchObject({ email: owner.email, pendingEmail: to })
    expect((await answer(second, tokens[second], owner)).status).toBe(204)
    const after = { email: to, emailVerified: true, pendingEmail: null }
    expect(await settings(owner)).toMatchObject(after)
    expect((await here.signIn(to, PASSWORD)).status).toBe(200)
    expect((await here.signIn(owner.email, PASSWORD)).status).toBe(401)
    const told = await here.mails.mailTo(owner.email, 'Your account has a new address')
    expect(told.text).toContain(to)
    const wanted = expect.arrayContaining(['email-change-asked', 'email-changed'])
    expect(await here.eventsOf(to)).toEqual(wanted)
  })

  test('is made if both addresses agree at the same moment', async () => {
    const { owner, to, approve, prove } = await asked()
    const answers = await Promise.all([answer('approve', approve), answer('prove', prove, owner)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect(await settings(owner)).toMatchObject({ email: to, pendingEmail: null })
  })

  test('leaves all sessions, and ends the links that went to the old address', async () => {
    const { owner, approve, prove } = await asked()
    await here.post('/api/auth/forgot-password', { email: owner.email })
    const reset = await here.mails.tokenTo(owner.email, 'Choose a new password')
    await answer('approve', approve)
    await answer('prove', prove, owner)
    expect(await here.isSignedIn(owner)).toBe(true)
    const body = { token: reset, password: 'seven otters in a boat' }
    expect((await here.post('/api/auth/reset-password', body)).status).toBe(410)
  })

  test('is not made by one of the two addresses, however often it agrees', async () => {
    const { owner, approve, prove } = await asked()
    await answer('prove', prove, owner)
    await expectRefusal(answer('prove', prove, owner), 'link_over')
    expect((await answer('approve', prove)).status).toBe(410)
    expect((await answer('prove', approve, owner)).status).toBe(410)
    expect((await settings(owner)).email).toBe(owner.email)
  })

  test('is cancelled at the old address', async () => {
    const { owner, approve, prove } = await asked()
    await answer('prove', prove, owner)
    expect((await answer('undo', approve)).status).toBe(204)
    expect(await settings(owner)).toMatchObject({ email: owner.email, pendingEmail: null })
    expect((await answer('approve', approve)).status).toBe(410)
    expect(await here.eventsOf(owner.email)).toContain('email-change-undone')
  })

  test('is cancelled in the settings', async () => {
    const { owner, approve, prove } = await asked()
    expect((await owner.delete('/api/account/email')).status).toBe(204)
    expect((await settings(owner)).pendingEmail).toBeNull()
    expect((await answer('approve', approve)).status).toBe(410)
    expect((await answer('prove', prove)).status).toBe(410)
  })

  test('takes the place of an earlier one', async () => {
    const { owner, prove, approve } = await asked()
    const to = here.someEmail()
    await ask(owner, to)
    const newApprove = await here.mails.tokenTo(owner.email, APPROVE, 1)
    expect((await answer('prove', prove, owner)).status).toBe(410)
    expect((await answer('approve', approve)).status).toBe(410)
    await answer('approve', newApprove)
    await answer('prove', await here.mails.tokenTo(to, PROVE), owner)
    expect((await settings(owner)).email).toBe(to)
  })

  test('is over after a day', async () => {
    const { owner, approve, prove } = await asked()
    await answer('approve', approve)
    here.tessera.clock.advance(DAY_MS)
    expect((await answer('prove', prove, owner)).status).toBe(410)
    await here.tessera.app.jobs.runDue()
    expect((await settings(owner)).pendingEmail).toBeNull()
  })

  test('to another account’s address gets the usual answer, and only its owner gets a mail', async () => {
    const [owner, other] = [await here.member(), await here.member()]
    const reply = await ask(owner, other.email.toUpperCase())
    expect([reply.status, await reply.text()]).toEqual([202, ''])
    const told = await here.mails.mailTo(other.email, 'This address has an account')
    expect(told.text).not.toContain(owner.email)
    await answer('approve', await here.mails.tokenTo(owner.email, APPROVE))
    expect(await settings(owner)).toMatchObject({ email: owner.email, pendingEmail: other.email })
  })

  test('to an address that was taken since is not made', async () => {
    const { owner, to, approve, prove } = await asked()
    await answer('approve', approve)
    await here.signUp(to)
    await expectRefusal(answer('prove', prove, owner), 'account_exists')
    expect((await settings(owner)).email).toBe(owner.email)
  })

  test('of two accounts to one address at the same moment is made for one', async () => {
    const to = here.someEmail()
    const owners = [await newPerson(here.tessera), await newPerson(here.tessera)]
    for (const owner of owners) expect((await ask(owner, to)).status).toBe(202)
    const mails = [0, 1].map((after) => here.mails.mailTo(to, PROVE, after))
    const proofs = (await Promise.all(mails)).map((mail) => {
      const owner = owners.find(({ email }) => mail.text?.includes(email))
      return answer('prove', tokenIn(mail), owner)
    })
    expect(await tally(proofs)).toEqual({ 204: 1, 409: 1 })
  })

  test('from an address that was never proved needs no consent there: it may be mistyped', async () => {
    const owner = await newPerson(here.tessera)
    const { to, prove } = await asked(owner)
    expect((await answer('prove', prove, owner)).status).toBe(204)
    expect(await settings(owner)).toMatchObject({ email: to, emailVerified: true })
  })

  test('is proved by the account’s password if the browser is not signed in to it, and the link stays', async () => {
    const { owner, to, approve, prove } = await asked()
    await answer('approve', approve)
    for (const browser of [here.browser(), await here.member()]) {
      await expectRefusal(answer('prove', prove, browser), 'password_needed')
    }
    const phone = here.browser()
    await expectRefusal(answer('prove', prove, phone, 'a wrong guess'), 'invalid_credentials')
    expect((await settings(owner)).email).toBe(owner.email)
    const done = await answer('prove', prove, phone, PASSWORD)
    expect(await done.json()).toMatchObject({ user: { email: to, emailVerified: true } })
    phone.cookie = cookieOf(done)
    for (const browser of [owner, phone]) expect(await here.isSignedIn(browser)).toBe(true)
  })

  test('gives no account of a stranger to a person who only has the address', async () => {
    const stranger = await newPerson(here.tessera)
    const { to, prove } = await asked(stranger)
    expect((await answer('prove', prove)).status).toBe(403)
    expect(await settings(stranger)).toMatchObject({ email: stranger.email })
    // The owner of the address makes an account of their own with it.
    expect(await here.isSignedIn(await here.signUp(to))).toBe(true)
  })

  test('of an account without a password is proved in a browser that is signed in to it', async () => {
    const { owner, to, approve, prove } = await asked()
    await answer('approve', approve)
    await here.dropPassword(owner.id)
    for (const password of [undefined, PASSWORD]) {
      await expectRefusal(answer('prove', prove, undefined, password), 'sign_in_first')
    }
    expect((await answer('prove', prove, owner)).status).toBe(204)
    expect((await settings(owner)).email).toBe(to)
  })

  test('asks for the second step too, before the password signs in', async () => {
    const { owner, prove } = await asked()
    await here.turnOnSecondStep(owner.id)
    const done = await answer('prove', prove, undefined, PASSWORD)
    expect(await done.json()).toEqual({ next: 'second-factor' })
  })

  test('to the same address is refused at the field', async () => {
    const owner = await here.member()
    const wanted = { fields: { email: 'This is already your address' } }
    expect(await refusal(await ask(owner, owner.email))).toMatchObject(wanted)
  })

  test('is asked for ten times a day', async () => {
    const owner = await here.member()
    for (let times = 0; times < 10; times++) {
      expect((await ask(owner, here.someEmail())).status).toBe(202)
    }
    await expectRefusal(ask(owner, here.someEmail()), 'rate_limited')
  })
})
