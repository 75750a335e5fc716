import { expect, test } from 'vitest'
import type { Invoice } from '../../src/contract/billing/billing.ts'
import { type Buyer, idOf, newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines, newPlace } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'

test.each(engines)('a restart forgets nothing of the sandbox on %s', async (engine) => {
  const place = await newPlace(engine)
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const environment = { ...BEHIND_PROXY, PORT: String(port) }
  const start = async () => ({ ...(await startService({ ...place, environment })), origin })

  const before = await start()
  const buyer: Buyer = await newBuyer({ ...before, dataDir: place.dataDir })
  const halfway: Buyer = await newBuyer({ ...before, dataDir: place.dataDir })
  await buyer.buy('professional', 'annual')
  const { now } = await buyer.advance('year')
  const open = idOf(await halfway.choose('starter', 'monthly'))
  const subscription = await buyer.subscription()
  await before.stop()

  const after = await start()
  try {
    expect(await buyer.subscription()).toEqual(subscription)
    expect(await buyer.person.ask<Invoice[]>('/api/user/invoices')).toHaveLength(2)
    const page = await buyer.advance('month')
    expect(Date.parse(page.now)).toBeGreaterThan(Date.parse(now))
    await halfway.pay(open)
    expect(await halfway.subscription()).toMatchObject({ tier: 'starter', status: 'active' })
  } finally {
    await after.stop()
    await place.remove()
  }
})
