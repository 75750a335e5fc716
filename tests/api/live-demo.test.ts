import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/accounts/accounts.ts'
import type { BreakdownRow } from '../../src/contract/analytics/analytics.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { cookieOf, newPerson, Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(oneEngineInCi)('the live demo on %s', (engine) => {
  const tessera = runTessera({ engine, environment: { DEMO: 'on' }, hasLanding: true })
  let visitor: Person

  beforeAll(async () => {
    expect((await fetch(`${tessera.origin}/api/demo`, { method: 'POST' })).status).toBe(503)
    await tessera.app.jobs.runDue()
    visitor = await opened()
  })

  /** A visitor who has pressed 'Open the live demo'. */
  async function opened(): Promise<Person> {
    const person = new Person(tessera, '')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await person.call('/api/demo', { method: 'POST', headers })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    person.cookie = cookieOf(response)
    return person
  }

  const scansOf = async () =>
    (await visitor.ask<BreakdownRow[]>('/api/analytics/daily-breakdown')).map(
      ({ date, ...counts }) =>
        Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0),
    )

  test('shows the app of an account whose codes were scanned on each of the last 30 days', async () => {
    expect(await (await visitor.call('/')).text()).not.toContain('Like a Pro')
    const user = await visitor.ask<User>('/api/auth/user')
    expect(user).toMatchObject({ firstName: 'Ada', subscriptionTier: 'unlimited', demo: 'live' })
    const codes = await visitor.ask<QrCode[]>('/api/qr-codes')
    expect(codes.length).toBeGreaterThan(12)
    expect(codes.every(({ vanityUrl }) => !vanityUrl)).toBe(true)
    for (const count of (await scansOf()).slice(0, -1)) expect(count).toBeGreaterThan(0)
    const picture = await visitor.call(`/api/qr-codes/${codes[0]?.id}/generate?format=svg`)
    expect(picture.status).toBe(200)
  })

  test('leaves nothing of who looks, however many they are', async () => {
    const rows = async () => {
      const { db } = tessera.database
      const tables = ['sessions', 'users', 'codes', 'scans', 'audit_entries', 'mails'] as const
      const made = await Promise.all(
        tables.map(async (table) => (await db.selectFrom(table).select('id').execute()).length),
      )
      const counts = await db.selectFrom('limit_counts').selectAll().execute()
      return { made, counts }
    }
    const before = await rows()
    for (let visit = 0; visit < 5; visit++) await (await opened()).ask('/api/qr-codes')
    const refused = await refusal(await visitor.call('/api/qr-codes/draft', { method: 'POST' }))
    expect(refused.message).toContain('you can’t change anything')
    const links = await visitor.call('/api/account/export')
    expect([links.status, (await links.arrayBuffer()).byteLength > 0]).toEqual([200, true])
    expect(await visitor.ask('/api/account/history')).toEqual([])
    expect(await rows()).toEqual(before)
  })

  test('is left by signing out, and after a day', async () => {
    const leaving = await opened()
    leaving.cookie = cookieOf(await leaving.call('/api/logout'))
    expect((await leaving.call('/api/auth/user')).status).toBe(401)
    const forged = new Person(tessera, '')
    forged.cookie = `tessera_demo=${Date.now() + DAY_MS}.forged`
    expect((await forged.call('/api/auth/user')).status).toBe(401)
  })

  test('does not take the place of an account of one’s own', async () => {
    const person = await newPerson(tessera)
    const response = await person.call('/api/demo', { method: 'POST' })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([303, null])
    person.cookie += `; ${visitor.cookie}`
    expect(await person.ask<User>('/api/auth/user')).toMatchObject({ id: person.id })
    await person.code()
  })

  test('offers signing up to who looks at it', async () => {
    expect((await visitor.call('/api/login?new')).status).toBe(200)
  })

  test('has scans on the last 30 days a season later, too, and no code twice', async () => {
    const names = async () =>
      (await visitor.ask<QrCode[]>('/api/qr-codes')).map(({ name }) => name).sort()
    const before = await names()
    tessera.clock.advance(40 * DAY_MS)
    expect((await visitor.call('/api/auth/user')).status).toBe(401)
    await tessera.app.jobs.runDue()
    visitor = await opened()
    for (const count of (await scansOf()).slice(0, -1)) expect(count).toBeGreaterThan(0)
    expect(await names()).toEqual(before)
  })
})
