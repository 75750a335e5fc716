import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'
import { runTessera, type Tessera } from '../support/tessera.ts'

function signIn(tessera: Tessera, email: string, password: string, address: string, cookie = '') {
  return Object.assign(new Person(tessera, email), { cookie }).signIn(password, address)
}

describe.each(engines)('guessing passwords on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  test('ten wrong passwords close an account for a quarter of an hour, to the address they came from', async () => {
    const { email } = await newPerson(tessera)
    const address = someAddress()
    for (let guess = 0; guess < 10; guess++) {
      expect((await signIn(tessera, email, 'wrong password', address)).status).toBe(401)
    }
    const closed = await signIn(tessera, email, PASSWORD, address)
    expect(closed.headers.getSetCookie()).toEqual([])
    expect(await refusal(closed)).toEqual({
      status: 429,
      code: 'rate_limited',
      message: 'Too many failed logins. Try again in 15 minutes.',
    })
    expect((await signIn(tessera, email, PASSWORD, someAddress())).status).toBe(200)
    tessera.clock.advance(14 * MINUTE_MS)
    expect((await signIn(tessera, email, PASSWORD, address)).status).toBe(429)
    tessera.clock.advance(2 * MINUTE_MS)
    expect((await signIn(tessera, email, PASSWORD, address)).status).toBe(200)
  })

  test('a successful sign-in resets the count, and each account has its own', async () => {
    const [ada, eve] = [await newPerson(tessera), await newPerson(tessera)]
    const address = someAddress()
    for (let guess = 0; guess < 9; guess++) {
      await signIn(tessera, ada.email, 'wrong password', address)
    }
    expect((await signIn(tessera, ada.email, PASSWORD, address)).status).toBe(200)
    for (let guess = 0; guess < 10; guess++) {
      expect((await signIn(tessera, ada.email, 'wrong', address)).status).toBe(401)
    }
    expect((await signIn(tessera, ada.email, PASSWORD, address)).status).toBe(429)
    expect((await signIn(tessera, eve.email, PASSWORD, address)).status).toBe(200)
  })

  test('a hundred wrong passwords from many addresses close an account for an hour, but not to a browser that it knows', async () => {
    const { email } = await newPerson(tessera)
    const first = await signIn(tessera, email, PASSWORD, someAddress())
    const device = cookieOf(first).replace(/tessera_session=[^;]*(; )?/, '')
    const guesses = Array.from({ length: 105 }, () =>
      signIn(tessera, email, 'wrong password', someAddress()),
    )
    expect(await tally(guesses)).toEqual({ 401: 100, 429: 5 })
    const elsewhere = await signIn(tessera, email, PASSWORD, someAddress())
    expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await refusal(elsewhere)).message).toContain('Try again in an hour')
    const known = (password: string) => signIn(tessera, email, password, someAddress(), device)
    expect((await known(PASSWORD)).status).toBe(200)
    // Its own wrong guesses count by themselves.
    for (let guess = 0; guess < 10; guess++) expect((await known('wrong')).status).toBe(401)
    expect((await known(PASSWORD)).status).toBe(429)
    tessera.clock.advance(61 * MINUTE_MS)
    expect((await signIn(tessera, email, PASSWORD, someAddress())).status).toBe(200)
  })

  test('a browser that one account knows is unknown to another account', async () => {
    const [ada, eve] = [await newPerson(tessera), await newPerson(tessera)]
    const address = someAddress()
    const device = cookieOf(await signIn(tessera, eve.email, PASSWORD, address))
    const guess = (at: string) => signIn(tessera, ada.email, 'wrong', at, device)
    for (let times = 0; times < 10; times++) expect((await guess(address)).status).toBe(401)
    expect((await guess(address)).status).toBe(429)
    expect((await guess(someAddress())).status).toBe(401)
  })
})

describe('guessing passwords without a proxy', () => {
  const tessera = runTessera()

  test('a forged X-Forwarded-For does not get past the limit of thirty a minute', async () => {
    const guesses = Array.from({ length: 36 }, () =>
      signIn(tessera, `${randomUUID()}@example.com`, 'x', someAddress()),
    )
    expect(await tally(guesses)).toEqual({ 401: 30, 429: 6 })
    const response = await new Person(tessera, '').call('/api/auth/sign-in/email', {
      method: 'POST',
      body: { email: 'ada@example.com', password: 'x' },
      headers: { 'x-tessera-client-address': someAddress(), 'x-real-ip': someAddress() },
    })
    await expectRefusal(response, 'rate_limited')
  })
})
