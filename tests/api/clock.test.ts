import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { BinnedCode } from '../../src/contract/codes/codes.ts'
import { bindCustomer, dueCustomers } from '../../src/server/billing/customers-store.ts'
import { recordEvent } from '../../src/server/billing/event-inbox.ts'
import { openSession } from '../../src/server/billing/sandbox/sandbox-store.ts'
import { transact } from '../../src/server/database/transact.ts'
import { allCounted } from '../support/all-counted.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { leadsTo } from '../support/link.ts'
import { newPerson, type Person } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const FAR_MS = 400 * DAY_MS
const PHONE = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'

describe.each(oneEngineInCi)('a clock that goes forward by 400 days and back, on %s', (engine) => {
  const tessera = runTessera({ engine })

  /** Does something while the clock is ahead; the jobs run before and after it goes back. */
  async function ahead(work: () => Promise<unknown>) {
    await jobsAfter(tessera, FAR_MS)
    await work()
    await jobsAfter(tessera, -FAR_MS)
  }
  const later = (milliseconds: number) => jobsAfter(tessera, milliseconds)
  const bin = (person: Person) => person.ask<BinnedCode[]>('/api/qr-codes/bin')

  test('a code that was deleted ahead stays 30 days in the bin', async () => {
    const person = await newPerson(tessera)
    const code = await person.code()
    await ahead(() => person.remove(code.id))
    const [binned] = await bin(person)
    const left = Date.parse(binned?.purgedAt ?? '') - tessera.clock.now().getTime()
    expect(Math.abs(left - 30 * DAY_MS)).toBeLessThan(HOUR_MS)
    await later(29 * DAY_MS)
    expect(await bin(person)).toHaveLength(1)
    await later(2 * DAY_MS)
    expect(await bin(person)).toEqual([])
  })

  test('a draft that was opened ahead is kept for a day', async () => {
    const person = await newPerson(tessera)
    let id = ''
    await ahead(async () => {
      id = (await person.draft()).id
    })
    const exists = async () => (await person.call(`/api/qr-codes/${id}`)).status === 200
    expect(await exists()).toBe(true)
    await later(DAY_MS + 2 * HOUR_MS)
    expect(await exists()).toBe(false)
  })

  test('codes lead where they did, and their scans are counted by today', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const code = await person.code()
    await ahead(async () => {
      await tessera.capture.salts.load()
      const headers = { 'user-agent': PHONE, connection: 'close' }
      await fetch(`${tessera.origin}/qr/${code.shortCode}`, { headers, redirect: 'manual' })
      // On a busy machine a redirect may go out before its scan is stored.
      await allCounted(tessera)
    })
    expect(await leadsTo(tessera, code.shortCode)).toBe('https://example.com/menu')
    await tessera.capture.salts.load()
    await later(2 * HOUR_MS)
    const today = Math.floor(tessera.clock.now().getTime() / DAY_MS)
    for (const table of ['visitor_salts', 'visitors'] as const) {
      const rows = await tessera.database.db.selectFrom(table).select('day').execute()
      for (const { day } of rows) expect(day).toBeLessThanOrEqual(today + 2)
    }
  })

  test('what billing stored ahead is due and goes as usual', async () => {
    const { db } = tessera.database
    const person = await newPerson(tessera)
    const provider = `provider-${engine}`
    await ahead(async () => {
      const at = tessera.clock.now()
      const key = { provider, workspaceId: person.workspaceId, customerId: `cus_${person.id}` }
      await bindCustomer(db, { ...key, rereadAt: at.getTime() + DAY_MS })
      await transact(db, (tx) => recordEvent(tx, `evt_${person.id}`, at))
      await openSession(db, {
        id: `page_${person.id}`,
        customer_id: key.customerId,
        kind: 'pay',
        state: 'open',
        tier: 'starter',
        billing: 'annual',
        subscription_id: null,
        done_url: '',
        back_url: '',
        expires_at: at.getTime() + DAY_MS,
      })
    })
    const due = await dueCustomers(db, { provider, now: tessera.clock.now(), limit: 10 })
    expect(due).toEqual([person.workspaceId])
    const left = async () => [
      ...(await db.selectFrom('sandbox_sessions').select('id').execute()),
      ...(await db.selectFrom('billing_events').select('id').execute()),
    ]
    await later(2 * HOUR_MS)
    expect(await left()).toEqual([{ id: `evt_${person.id}` }])
    await later(31 * DAY_MS)
    expect(await left()).toEqual([])
  })
})
