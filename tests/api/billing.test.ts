import { describe, expect, test } from 'vitest'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { newPerson, subscribe } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('subscriptions on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  test('a new account is on the free plan', async () => {
    const person = await newPerson(tessera)
    expect(await person.ask('/api/user/subscription')).toEqual({
      tier: 'free',
      status: 'active',
      qrCodeCount: 0,
      qrCodeLimit: 3,
      currentPeriodEnd: null,
      billing: null,
    })
  })

  test('a lapsed plan is shown with its status, and counts as free', async () => {
    const person = await newPerson(tessera, 'unlimited')
    await subscribe(person, 'unlimited', 'canceled')
    expect(await person.ask('/api/user/subscription')).toMatchObject({
      tier: 'free',
      previousTier: 'unlimited',
      status: 'canceled',
      qrCodeLimit: 3,
      // Nothing ends any more, and nothing is paid for.
      currentPeriodEnd: null,
    })
    expect(await person.ask('/api/auth/user')).toMatchObject({ subscriptionTier: 'free' })
  })

  test.each([
    ['no tier', { billing: 'monthly' }],
    ['the free plan', { tier: 'free', billing: 'monthly' }],
    ['an unknown plan', { tier: 'gold', billing: 'monthly' }],
    ['another price', { tier: 'starter', billing: 'weekly', price: 1 }],
  ])('a checkout of %s is refused', async (_case, body) => {
    const person = await newPerson(tessera)
    const init = { method: 'POST', body }
    await expectRefusal(person.call('/api/create-checkout-session', init), 'invalid_input')
    expect(await person.ask('/api/user/subscription')).toMatchObject({ tier: 'free' })
  })
})
