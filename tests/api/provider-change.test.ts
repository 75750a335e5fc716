import { describe, expect, test } from 'vitest'
import { engines, newPlace } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { newPerson, type Person } from '../support/person.ts'
import { startService } from '../support/service.ts'

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

describe.each(engines)('a change of the payment provider on %s', (engine) => {
  /** The status of a plan from the provider `bought`, after the jobs of a service with other settings. */
  async function statusAfter(bought: string | null, environment: Record<string, string>) {
    const { dataDir, location, remove } = await newPlace(engine)
    const port = await freePort()
    const settings = { PORT: String(port), ...environment }
    const service = await startService({ dataDir, location, environment: settings })
    try {
      const origin = `http://localhost:${port}`
      const person: Person = await newPerson({ ...service, origin, dataDir }, 'professional')
      await service.database.db
        .updateTable('subscriptions')
        .set({ provider: bought })
        .where('user_id', '=', person.id)
        .execute()
      await service.app.jobs.runDue()
      return (await person.ask<{ status: string }>('/api/user/subscription')).status
    } finally {
      await service.stop()
      await remove()
    }
  }

  test('ends plans that were bought with test cards, once Stripe takes payments', async () => {
    expect(await statusAfter('sandbox', STRIPE)).toBe('canceled')
  })

  test.each([
    ['a paid plan if Stripe’s key is missing', 'stripe', {}],
    ['a paid plan if payments are off', 'stripe', { BILLING: 'off' }],
    ['a plan that the operator gave', null, STRIPE],
  ])('keeps %s', async (_case, bought, environment) => {
    expect(await statusAfter(bought, environment)).toBe('active')
  })
})
