import { describe, expect, test } from 'vitest'
import { oneEngineInCi } from '../support/engines.ts'
import type { Person } from '../support/person.ts'
import { runScript, runScriptHere } from '../support/script.ts'
import { MONTHLY, newPayer, runJobs, runShop, subscriber } from '../support/stripe/shop.ts'

describe.each(oneEngineInCi)('npm run stripe:relink on %s', (engine) => {
  const shop = runShop({ engine })

  async function relink(...options: string[]): Promise<string> {
    const { dataDir, database } = shop.tessera
    const place = { dataDir, location: database.location, environment: shop.environment }
    const run = options.length > 0 ? runScript : runScriptHere
    return (await run('stripe-relink', place, ...options)).stdout
  }

  /** One more customer of a person at Stripe; returns its id. */
  function addCustomer({ workspaceId, email }: Person, hasPlan: boolean): string {
    const { books, life } = shop
    const metadata = { user_id: workspaceId }
    const customer = { ...books.stamp('customer', 'cus'), email, name: 'Ada', metadata }
    books.customers.set(customer.id, customer)
    if (hasPlan) life.settle(books.begin(customer.id, life.priceOf(MONTHLY), {}).id)
    return customer.id
  }

  async function boundTo({ workspaceId }: Person) {
    const customers = shop.tessera.database.db.selectFrom('customers').select('customer_id')
    return (await customers.where('workspace_id', '=', workspaceId).executeTakeFirst())?.customer_id
  }

  async function forget({ workspaceId }: Person) {
    for (const table of ['customers', 'subscriptions'] as const) {
      const rows = shop.tessera.database.db.deleteFrom(table)
      await rows.where('workspace_id', '=', workspaceId).execute()
    }
  }

  test('binds customers to their accounts again, and brings their plans in line', async () => {
    const lost = (await subscriber(shop)).person
    const lostCustomer = lost.customer
    // The service closes it; the script leaves it as it is.
    const { books, life } = shop
    books.begin(lostCustomer, life.priceOf(MONTHLY), { checkout: 'open' })
    await forget(lost)
    const code = await lost.code()
    expect(code.expiresAt).not.toBeNull()
    const right = (await subscriber(shop)).person
    const spare = addCustomer(right, false)
    const renewed = (await subscriber(shop)).person
    const former = renewed.customer
    shop.life.deleteCustomer(former)
    const second = addCustomer(renewed, true)
    const moved = await newPayer(shop)
    const running = addCustomer(moved, true)
    const idle = addCustomer(moved, false)
    const stranger = addCustomer(Object.assign(await newPayer(shop), { workspaceId: 'gone' }), true)
    const foreign = addCustomer(right, false)
    Object.assign(shop.books.customers.get(foreign) ?? {}, { metadata: {} })

    const dry = await relink('--dry-run')
    expect(dry).toContain('Nothing was written')
    expect(await boundTo(lost)).toBeUndefined()
    const from = shop.stripe.calls.length
    const said = await relink()
    const counts =
      '8 customers at Stripe: 4 bound, 1 beside another, 1 without an account, 2 plans changed'
    for (const output of [dry, said]) expect(output).toContain(counts)
    expect(shop.stripe.calls.slice(from).filter(({ method }) => method !== 'GET')).toEqual([])

    expect(await boundTo(lost)).toBe(lostCustomer)
    expect(await boundTo(right)).toBe(right.customer)
    expect(await boundTo(renewed)).toBe(second)
    expect(await boundTo(moved)).toBe(running)
    expect(said).toContain(
      `${running} ${moved.email}, with a running subscription: bound to account ${moved.workspaceId} in place of ${idle}`,
    )
    expect(said).toContain(`${spare} ${right.email}, without a running subscription: beside`)
    expect(said).toMatch(
      new RegExp(`${stranger} .*, with a running subscription: without an account`),
    )
    expect(said).not.toContain(foreign)
    for (const person of [lost, right, renewed, moved]) {
      expect(await person.plan()).toMatchObject({
        ...MONTHLY,
        status: 'active',
      })
    }
    expect((await lost.ask<typeof code>(`/api/qr-codes/${code.id}`)).expiresAt).toBeNull()

    const again = await relink()
    expect(again).toContain('0 bound, 2 beside another, 1 without an account, 0 plans changed')

    const live = { STRIPE_SECRET_KEY: 'sk_live_standin', STRIPE_PUBLISHABLE_KEY: '' }
    Object.assign(shop.environment, live)
    shop.stripe.secretKey = live.STRIPE_SECRET_KEY
    shop.books.customers.clear()
    expect(await relink('--dry-run')).toContain('Test customers are forgotten')
    expect(await boundTo(lost)).toBe(lostCustomer)
    await relink()
    expect(await boundTo(lost)).toBeUndefined()
    await runJobs(shop, 25 * 3_600_000)
    expect(await lost.plan()).toMatchObject({ tier: 'free' })
  })
})
