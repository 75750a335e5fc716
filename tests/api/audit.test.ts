import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../src/contract/accounts/audit.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { EVENTS_MAX, recordEvent, trimEvents } from '../../src/server/audit.ts'
import { NOBODY } from '../../src/server/database/ids.ts'
import { Buyer } from '../support/buyer.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

describe.each(oneEngineInCi)('the audit log on %s', (engine) => {
  const tessera = runTessera({ engine, environment: { TRUST_PROXY: '1' } })
  const person = enrolForEach(tessera)

  const entriesOf = ({ id }: Person) =>
    tessera.database.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('at')
      .orderBy('event')
      .execute()
  const eventsOf = async (person: Person) => (await entriesOf(person)).map(({ event }) => event)

  test('has each change that a user made to a code, with its address and browser', async () => {
    const { id } = await person.draft()
    const headers = { 'user-agent': CHROME, 'x-forwarded-for': '203.0.113.77' }
    const call = (method: string, path = '', body?: object) =>
      person.ask(`/api/qr-codes/${id}${path}`, { method, headers, ...(body && { body }) })
    const saved = { name: 'Menu', url: 'https://example.com/menu' }
    await call('PATCH', '', saved)
    await call('PATCH', '', { ...saved, isActive: true })
    await call('PATCH', '', { name: 'Lunch' })
    await call('PATCH', '', { isActive: false })
    await call('PATCH', '', { isActive: true })
    await call('DELETE')
    await call('POST', '/restore')
    const entries = await entriesOf(person)
    const kinds = ['changed', 'deleted', 'made', 'paused', 'restored', 'resumed']
    expect(entries.map(({ event }) => event).sort()).toEqual(kinds.map((kind) => `code-${kind}`))
    const from = { address: '203.0.113.x', device: 'Chrome on Linux' }
    const about = { user_id: person.id, actor: 'user', subject: id }
    for (const entry of entries) expect(entry).toMatchObject({ ...about, ...from })
  })

  test('has no refused change, no draft and no other account', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const code = await other.code()
    const { id } = await person.draft()
    await person.patch(id, { name: '' })
    await person.patch(id, { vanityUrl: 'menu' })
    await person.remove(code.id)
    await person.remove(id)
    expect(await eventsOf(person)).toEqual([])
    expect(await eventsOf(other)).toEqual(['code-made'])
  })

  test('has the change of a plan', async () => {
    await new Buyer(person).buy('starter', 'monthly')
    const { workspaceId: workspace_id } = person
    expect(await rowsOf(tessera.database.db, 'audit_entries', { workspace_id })).toMatchObject([
      { actor: 'system', event: 'plan-changed', subject: 'starter', address: null, device: null },
    ])
  })

  test('has the changes of settings', async () => {
    const change = (body: object) => person.amend('/api/account', body)
    await change({ firstName: 'Augusta', noticesOff: ['code-ends'] })
    await change({ firstName: 'Augusta', noticesOff: ['code-ends'], timeZone: 'UTC' })
    expect(await eventsOf(person)).toEqual(['name-changed', 'notices-changed'])
  })

  test('keeps 13 months', async () => {
    const now = tessera.clock.now().getTime()
    const record = (daysAgo: number) =>
      recordEvent(
        tessera.database.db,
        { userId: person.id, actor: 'user', event: 'signed-in' },
        new Date(now - daysAgo * DAY_MS),
      )
    for (const daysAgo of [1, 390, 400, 800]) await record(daysAgo)
    await jobsAfter(tessera, DAY_MS)
    const days = (await entriesOf(person)).map(({ at }) => Math.round((now - at) / DAY_MS))
    expect(days).toEqual([390, 1])
  })

  test('keeps the newest entries of an account, and no code pushes out a sign-in', async () => {
    const [person, other] = [await newPerson(tessera), await newPerson(tessera)]
    const { db } = tessera.database
    const record = ({ id }: Person, event: AuditEvent, at: number) =>
      recordEvent(db, { userId: id, actor: 'user', event }, new Date(at))
    await record(person, 'signed-in', 1)
    for (let at = 2; at < 30; at++) await record(person, 'code-changed', at)
    for (let at = 2; at < 12; at++) await record(other, 'code-changed', at)
    const about = { userId: NOBODY, workspaceId: other.workspaceId, actor: 'system' } as const
    const byServer = { user_id: NOBODY, workspace_id: other.workspaceId }
    for (let at = 2; at < 12; at++) {
      const event = 'plan-changed'
      await recordEvent(db, { ...about, event }, new Date(at))
      const workspaceId = person.workspaceId
      await recordEvent(db, { ...about, workspaceId, event }, new Date(at))
    }
    await trimEvents(db, 10)
    expect(await rowsOf(db, 'audit_entries', byServer)).toHaveLength(10)
    const kept = (await entriesOf(person)).map(({ event, at }) => [event, at])
    const newest = Array.from({ length: 10 }, (_, index) => ['code-changed', 20 + index])
    expect(kept).toEqual([['signed-in', 1], ...newest])
    expect(await entriesOf(other)).toHaveLength(10)
    expect(EVENTS_MAX).toBe(10_000)
  })
})
