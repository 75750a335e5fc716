import { expect, test } from 'vitest'
import type { Invoice } from '../../src/contract/billing/billing.ts'
import { idOf, newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { newPlace } from '../support/engines.ts'
import { tally } from '../support/tally.ts'
import { startAt } from '../support/tessera.ts'

test('of one payment in two processes at once one is made', async () => {
  const place = await newPlace('postgres')
  const start = () => startAt(place, { environment: BEHIND_PROXY })
  const processes = await Promise.all([start(), start()])
  try {
    const buyer = await newBuyer(processes[0])
    const id = idOf(await buyer.choose('starter', 'monthly'))
    const pay = (origin: string) =>
      fetch(`${origin}/api/checkout/${id}/page`, {
        method: 'POST',
        headers: { cookie: buyer.person.cookie, 'content-type': 'application/json' },
        body: '{"action":"pay","card":"pays"}',
      })
    const both = [...processes, ...processes].map(({ origin }) => pay(origin))
    expect(await tally(both)).toEqual({ 200: 1, 404: 3 })
    expect(await buyer.subscription()).toMatchObject({ tier: 'starter' })
    expect(await buyer.person.ask<Invoice[]>('/api/user/invoices')).toHaveLength(1)
  } finally {
    await Promise.all(processes.map((service) => service.stop()))
    await place.remove()
  }
})
