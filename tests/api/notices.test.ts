import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/contract/accounts/account-settings.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import { switchOff } from '../../src/server/accounts/notices/notices-store.ts'
import { transact } from '../../src/server/database/transact.ts'
import { newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { runJobs } from '../support/jobs.ts'
import { allSent, subjectsTo } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { newPerson, type Person, prove, subscribe } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const FAILED = 'A payment for your Tessera plan failed'
const ENDED = 'Your Starter plan has ended'

describe.each(oneEngineInCi)('notices on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  const mails = (person: Person) => mailsTo(tessera, person.email)
  const subjects = (person: Person) => subjectsTo(tessera, person.email)

  /** Passes the time step by step, as the server's jobs see it. */
  async function pass(hours: number, step = 12) {
    for (let passed = 0; passed < hours; passed += step) {
      tessera.clock.advance(step * HOUR_MS)
      await runJobs(tessera)
      await allSent(tessera)
    }
  }

  /** The next time that it is so late in UTC. */
  async function until(hour: number) {
    const now = tessera.clock.now()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour)
    tessera.clock.advance((next - now.getTime() + DAY_MS) % DAY_MS || DAY_MS)
  }

  test('say three days and one day before that a free code ends, each once', async () => {
    await until(12)
    const owner = await newPerson(tessera)
    await prove(owner)
    await owner.code({ name: 'Spring menu' })
    tessera.clock.advance(10 * DAY_MS)
    await pass(20, 20)
    expect(await subjects(owner)).toEqual([])
    await pass(8, 8)
    expect(await subjects(owner)).toEqual([
      expect.stringMatching(/^Your QR code “Spring menu” stops working on \w+, \w+ \d+$/),
    ])
    await pass(40, 20)
    expect(await mails(owner)).toHaveLength(1)
    await pass(24, 8)
    expect(await mails(owner)).toHaveLength(2)
    const [mail] = await mails(owner)
    expect(mail?.text).toContain(`${tessera.config.publicUrl}/subscription`)
    expect(mail?.text?.match(/\/subscription/g)).toHaveLength(1)
  })

  test('name codes that end on the same day in one mail', async () => {
    await until(6)
    const owner = await newPerson(tessera)
    await prove(owner)
    for (const name of ['One', 'Two', 'Three']) {
      await owner.code({ name })
      tessera.clock.advance(HOUR_MS)
    }
    tessera.clock.advance(10 * DAY_MS)
    await pass(48)
    const [mail, ...others] = await mails(owner)
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^3 of your QR codes stop working on /)
    for (const name of ['One', 'Two', 'Three']) expect(mail?.text).toContain(`${name}: `)
    await pass(24)
    expect(await mails(owner)).toHaveLength(2)
  })

  test('come at a civil hour in the user’s time zone', async () => {
    await until(0)
    const [tokyo, london] = [await newPerson(tessera), await newPerson(tessera)]
    await tokyo.amend('/api/account', { timeZone: 'Asia/Tokyo' })
    for (const person of [tokyo, london]) await person.code()
    tessera.clock.advance(11 * DAY_MS - HOUR_MS)
    // It is 23:00 in UTC, 8:00 in Tokyo.
    await pass(2, 1)
    expect(await mails(tokyo)).toHaveLength(1)
    expect(await mails(london)).toHaveLength(0)
    await pass(7, 7)
    expect(await mails(london)).toHaveLength(0)
    await pass(2, 2)
    expect(await mails(london)).toHaveLength(1)
  })

  test('are not sent for paused or deleted codes, paid plans or accounts that end', async () => {
    await until(10)
    const paused = await newPerson(tessera)
    const deleted = await newPerson(tessera)
    const paid = await newPerson(tessera)
    const leaving = await newPerson(tessera)
    for (const person of [paused, deleted, paid, leaving]) {
      const { id } = await person.code()
      if (person === paused) await person.change(id, { isActive: false })
      if (person === deleted) await person.remove(id)
    }
    await subscribe(paid, 'starter')
    await leaving.make('/api/account/deletion', {})
    await allSent(tessera)
    tessera.clock.advance(11 * DAY_MS)
    await pass(24)
    for (const person of [paused, deleted, paid]) expect(await subjects(person)).toEqual([])
    expect(await mails(leaving)).toHaveLength(1)
  })

  test('say that a payment failed, and that the plan has ended', async () => {
    await until(10)
    const buyer = await newBuyer(tessera)
    await buyer.buy('starter', 'monthly', 'fails_later')
    await buyer.advance('month')
    await pass(24)
    expect(await subjects(buyer.person)).toEqual([FAILED])
    await buyer.advance('month')
    await pass(24)
    expect(await subjects(buyer.person)).toEqual([FAILED, ENDED])
    await pass(24)
    expect(await mails(buyer.person)).toHaveLength(2)
  })

  test('say a week before that a plan ends', async () => {
    await until(10)
    const buyer = await newBuyer(tessera)
    await buyer.buy('professional', 'monthly')
    await buyer.person.make('/api/user/subscription/cancel')
    tessera.clock.advance(20 * DAY_MS)
    await pass(24)
    expect(await subjects(buyer.person)).toEqual([])
    tessera.clock.advance(5 * DAY_MS)
    await pass(24)
    expect(await subjects(buyer.person)).toEqual([
      expect.stringMatching(/^Your Professional plan ends on \w+, \w+ \d+$/),
    ])
    tessera.clock.advance(8 * DAY_MS)
    await pass(24)
    expect(await mails(buyer.person)).toHaveLength(1)
  })

  test.each([
    ['are not sent for a plan that ended long ago', 'canceled', 200, []],
    ['say that a plan has ended whose last periods were not paid', 'canceled', 1, [ENDED]],
    ['say that a bill failed, and then a renewal', 'past_due', -2, [FAILED, FAILED]],
  ])('%s', async (_case, status, daysAgo, sent) => {
    await until(10)
    const buyer = await newBuyer(tessera)
    const now = tessera.clock.now().getTime()
    const { db } = tessera.database
    await db
      .insertInto('subscriptions')
      .values({
        workspace_id: buyer.person.workspaceId,
        provider: 'sandbox',
        subscription_id: `sub_${daysAgo}`,
        tier: 'starter',
        billing: 'monthly',
        status,
        ends_at_period_end: 0,
        current_period_end: now - (status === 'canceled' ? 200 : daysAgo) * DAY_MS,
        ended_at: status === 'canceled' ? now - daysAgo * DAY_MS : null,
        updated_at: now,
      })
      .execute()
    await pass(48)
    expect(await subjects(buyer.person)).toEqual(sent)
  })

  test('end with one click in the mail program, and with a button on a page', async () => {
    await until(10)
    const owner = await newPerson(tessera)
    await owner.code()
    tessera.clock.advance(11 * DAY_MS)
    await pass(24)
    const [mail] = await mails(owner)
    const list = mail?.headers.get('list') as { unsubscribe?: { url: string } } | undefined
    const address = list?.unsubscribe?.url ?? ''
    expect(mail?.headerLines.map(({ line }) => line)).toContain(
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    )
    expect(mail?.text).toContain(address)
    const settings = () => owner.ask<AccountSettings>('/api/account')

    // Looking at it ends nothing: programs that check links do that.
    const page = await fetch(address)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(await page.text()).toContain('<form method="post">')
    expect((await settings()).noticesOff).toEqual([])

    // As RFC 8058 §3.1 has it: no cookie, no origin.
    const click = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    for (let time = 0; time < 2; time++) expect((await fetch(address, click)).status).toBe(200)
    expect((await settings()).noticesOff).toEqual(['code-ends'])
    await pass(48)
    expect(await mails(owner)).toHaveLength(1)

    // Two kinds at the same moment are both off.
    await owner.amend('/api/account', { noticesOff: [] })
    const { db } = tessera.database
    const kinds = ['code-ends', 'payment-failed', 'plan-ends'] as const
    await Promise.all(kinds.map((kind) => transact(db, (tx) => switchOff(tx, owner.id, kind))))
    expect((await settings()).noticesOff).toEqual(kinds)

    const forged = await fetch(
      address.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      click,
    )
    expect(forged.status).toBe(404)
    const bare = `${tessera.origin}/api/unsubscribe`
    expect([(await fetch(bare)).status, (await fetch(bare, { method: 'POST' })).status]).toEqual([
      404, 404,
    ])
  })
})
