import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { CodeAnalytics, ScansByCode } from '../../src/contract/analytics/analytics.ts'
import { engines } from '../support/engines.ts'
import { runJobs } from '../support/jobs.ts'
import { allSent } from '../support/mailbox.ts'
import { mailsTo } from '../support/outbox.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolPerson, newPerson, prove } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const LAST = '2026-11-12T18:15:00.000Z'
/** Fourteen whole days after the last scan */
const TOLD = '2026-11-27T06:00:00Z'

describe.each(engines)('a code that falls silent on %s', (engine) => {
  const tessera = runTessera({ engine, now: '2026-09-01T10:00:00Z' })
  const owner = enrolPerson(tessera, 'starter')
  let id = ''
  beforeAll(() => prove(owner))
  beforeEach(() => tessera.clock.set(TOLD))

  const record = (code_id: string, days: number, last = LAST) =>
    recordPast(
      tessera.database.location,
      Array.from({ length: days }, (_, day) => ({ code_id, at: Date.parse(last) - day * DAY_MS })),
    )
  const since = async (code = id, person = owner) => {
    const { silentSince } = await person.ask<CodeAnalytics>(`/api/analytics/qr-code/${code}`)
    const all = await person.ask<ScansByCode>('/api/analytics/qr-codes')
    expect(all.find((each) => each.id === code)?.silentSince).toBe(silentSince)
    return silentSince
  }

  test('has a mark with its last scan after two weeks, until a person scans it again', async () => {
    tessera.clock.set('2026-09-01T10:00:00Z')
    ;({ id } = await owner.code({ name: 'Poster' }))
    await record(id, 60)
    tessera.clock.set('2026-11-26T23:59:00Z')
    expect(await since()).toBe(null)
    tessera.clock.set(TOLD)
    expect(await since()).toBe(LAST)
    const at = Date.parse(TOLD) - 1
    await recordPast(tessera.database.location, [{ code_id: id, at, class: 'bot' }])
    expect(await since()).toBe(LAST)
    await recordPast(tessera.database.location, [{ code_id: id, at }])
    expect(await since()).toBe(null)
  })

  test('has none while it is paused, in the two weeks after that, or if it is new', async () => {
    const person = await newPerson(tessera, 'starter')
    const [paused, young] = [await person.code({ name: 'Door' }), await person.code()]
    await record(paused.id, 60)
    await record(young.id, 50)
    expect([await since(paused.id, person), await since(young.id, person)]).toEqual([LAST, null])
    await person.amend(`/api/qr-codes/${paused.id}`, { isActive: false })
    expect(await since(paused.id, person)).toBe(null)
    await person.amend(`/api/qr-codes/${paused.id}`, { isActive: true })
    tessera.clock.set('2026-12-11T10:00:00Z')
    expect(await since(paused.id, person)).toBe(null)
    tessera.clock.set('2026-12-12T10:00:00Z')
    expect(await since(paused.id, person)).toBe(LAST)
  })

  test('stands in one mail, with the day of its last scan', async () => {
    const person = await newPerson(tessera, 'starter')
    await prove(person)
    const { id: silent } = await person.code({ name: 'Window' })
    await record(silent, 60)
    tessera.clock.set('2026-11-18T10:00:00Z')
    const weekly = { every: 'weekly', timeZone: 'Europe/Berlin' }
    await person.call('/api/analytics/mails', { method: 'PUT', body: weekly })
    for (const day of ['2026-11-23', '2026-11-30', '2026-12-07']) {
      tessera.clock.set(`${day}T06:00:10Z`)
      await runJobs(tessera)
      await allSent(tessera)
    }
    const mails = (await mailsTo(tessera, person.email)).filter(({ subject }) =>
      subject?.includes('last week'),
    )
    const told = mails.map(({ text = '' }) =>
      text.includes('covered or gone?\nWindow: last scan on November 12, 2026'),
    )
    expect(told).toEqual([false, true, false])
  })
})
