import { describe, expect, test } from 'vitest'
import { updateWhere } from '../../src/server/database/rows.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { newPerson } from '../support/person.ts'
import { tesseraForTest } from '../support/tessera.ts'

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

describe.each(oneEngineInCi)('a change of the payment provider on %s', (engine) => {
  /** The status of a plan from the provider `bought`, after the jobs of a service with other settings. */
  async function statusAfter(bought: string | null, environment: Record<string, string>) {
    const tessera = await tesseraForTest({ engine, environment })
    const person = await newPerson(tessera, 'professional')
    const own = updateWhere(tessera.database.db, 'subscriptions', {
      workspace_id: person.workspaceId,
    })
    await own.set({ provider: bought }).execute()
    await tessera.app.jobs.runDue()
    return (await person.ask<{ status: string }>('/api/user/subscription')).status
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
