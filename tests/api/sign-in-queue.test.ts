import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { HeldHashes, SLOW } from '../support/held-hashes.ts'
import { metricOf } from '../support/metric.ts'
import { newPerson, Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { rowsOf } from '../support/rows.ts'
import { tally } from '../support/tally.ts'
import { type Tessera, tesseraForTest } from '../support/tessera.ts'

const someEmail = () => `${randomUUID()}@example.com`

describe.each(oneEngineInCi)('passwords on %s', (engine) => {
  let tessera: Tessera
  let hashes: HeldHashes
  afterEach(() => hashes.release())

  async function start(environment: Record<string, string> = {}) {
    hashes = new HeldHashes()
    tessera = await tesseraForTest({
      engine,
      environment: { ...BEHIND_PROXY, ...environment },
      derive: hashes.derive,
    })
  }

  const postTo =
    (path: string) =>
    (email: string, password: string, address = someAddress(), headers = {}) =>
      new Person(tessera, '').call(`/api/auth/${path}/email`, {
        method: 'POST',
        body: { name: 'Ada', email, password },
        headers: { 'x-forwarded-for': address, ...headers },
      })
  const [signIn, signUp] = [postTo('sign-in'), postTo('sign-up')]

  /** A sign-in on a line that the test can cut. */
  function startGuess(email: string, address: string) {
    const body = JSON.stringify({ email, password: 'a wrong guess' })
    const line = connect(Number(new URL(tessera.origin).port), '127.0.0.1')
    line.write(
      `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: tessera\r\nX-Forwarded-For: ${address}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    return line
  }

  /** Calls that will be answered once their hashes are let go. */
  const many = (count: number, call: () => Promise<Response>) => Array.from({ length: count }, call)

  test('of eighty sign-ins at once from one address keep no other address and no page waiting', async () => {
    await start()
    const ada = await newPerson(tessera)
    const address = someAddress()
    const flood = many(80, () => signIn(someEmail(), SLOW, address))
    await expect.poll(() => metricOf(tessera, 'hashing_waiting')).toBe(29)
    expect(await metricOf(tessera, 'hashing_under_way')).toBe(1)
    expect((await signIn(ada.email, PASSWORD)).status).toBe(200)
    const colleague = { 'x-forwarded-for': address }
    expect((await fetch(`${tessera.origin}/`, { headers: colleague })).status).toBe(200)
    expect((await fetch(`${tessera.origin}/favicon.svg`)).status).toBe(200)
    expect(hashes.began).toEqual([SLOW, PASSWORD])
    hashes.release()
    expect(await tally(flood)).toEqual({ 401: 30, 429: 50 })
    expect(await metricOf(tessera, 'hashing_total')).toBe(31)
    expect(await metricOf(tessera, 'hashing_waiting')).toBe(0)
  })

  test('of one address are refused beyond its queue, for a second', async () => {
    await start()
    const address = someAddress()
    const flood = many(30, () => signIn(someEmail(), SLOW, address))
    await expect.poll(() => metricOf(tessera, 'hashing_waiting')).toBe(29)
    const last = signUp(someEmail(), SLOW, address)
    await expect.poll(() => metricOf(tessera, 'hashing_waiting')).toBe(30)
    const refused = await signUp(someEmail(), SLOW, address)
    expect(refused.headers.get('retry-after')).toBe('1')
    await expectRefusal(refused, 'rate_limited')
    expect(await metricOf(tessera, 'hashing_refused_total')).toBe(1)
    hashes.release()
    expect((await last).status).toBe(200)
    expect(await tally(flood)).toEqual({ 401: 30 })
  })

  test('of clients that hang up are not checked or counted as failed', async () => {
    await start()
    const ada = await newPerson(tessera)
    const address = someAddress()
    const first = signIn(someEmail(), SLOW, address)
    await expect.poll(() => metricOf(tessera, 'hashing_under_way')).toBe(1)
    const guesses = Array.from({ length: 10 }, () => startGuess(ada.email, address))
    await expect.poll(() => metricOf(tessera, 'hashing_waiting')).toBe(10)
    for (const line of guesses) line.destroy()
    await expect.poll(() => metricOf(tessera, 'hashing_waiting')).toBe(0)
    const failed = { name: 'failed-sign-ins', who: `${ada.email} ${address}` }
    const failures = () => rowsOf(tessera.database.db, 'limit_counts', failed)
    await expect.poll(failures).toMatchObject([{ count: 0 }])
    expect((await signIn(ada.email, PASSWORD)).status).toBe(200)
    expect(hashes.began).toEqual([SLOW, PASSWORD])
    hashes.release()
    expect((await first).status).toBe(401)
  })

  test('cost one hash whether the e-mail address is known or not', async () => {
    await start()
    const { email } = await newPerson(tessera)
    expect((await signIn(email, 'a wrong guess')).status).toBe(401)
    expect((await signIn(someEmail(), 'a wrong guess')).status).toBe(401)
    expect(hashes.began).toEqual(['a wrong guess', 'a wrong guess'])
  })

  test('are not hashed if they can be refused without it', async () => {
    await start({ PUBLIC_URL: 'https://qr.example.com' })
    const own = { origin: 'https://qr.example.com' }
    const { email } = await newPerson(tessera)
    await expectRefusal(signUp(email.toUpperCase(), PASSWORD, someAddress(), own), 'account_exists')
    await expectRefusal(signUp(someEmail(), 'Password123', someAddress(), own), 'invalid_input')
    // The same host as the request's, which is not the public one.
    for (const call of [signIn, signUp]) {
      expect(await refusal(await call(someEmail(), PASSWORD))).toEqual({
        status: 403,
        code: 'forbidden',
        message: 'Open https://qr.example.com in your browser and log in there.',
      })
    }
    expect(hashes.began).toEqual([])
    const address = someAddress()
    const guess = () => signIn(email, 'a wrong guess', address, own)
    expect(await tally(many(11, guess))).toEqual({ 401: 10, 429: 1 })
    expect(hashes.began).toHaveLength(10)
  })
})
