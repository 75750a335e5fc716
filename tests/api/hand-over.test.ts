import { describe, expect, test } from 'vitest'
import type { WorkspaceEntry } from '../../src/contract/accounts/accounts.ts'
import type { MadeInvitation } from '../../src/contract/accounts/team.ts'
import type { Subscription } from '../../src/contract/billing/billing.ts'
import { DAY_MS, HOUR_MS } from '../../src/contract/time.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { addMember, addWorkspace } from '../../src/server/memberships.ts'
import { idOf, newBuyer } from '../support/buyer.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines, oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { mailsTo } from '../support/outbox.ts'
import { recordPast } from '../support/past-scans.ts'
import { newMember, newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { MONTHLY, newPayer, runShop, subscriber } from '../support/stripe/shop.ts'
import { runTessera, type Tessera } from '../support/tessera.ts'

/** Offers a person's own workspace to a member. @returns what the member sends to accept it */
async function offer(owner: Person, heir: Person) {
  const { link } = await owner.make<MadeInvitation>('/api/workspace/hand-over', {
    memberId: heir.id,
  })
  return { token: new URL(link ?? '').hash.slice(1) }
}

/** Hands a person's own workspace over to an admin of it, who works there then. */
async function handOver(owner: Person): Promise<Person> {
  const heir = await newMember(owner, 'admin')
  await heir.make('/api/invitations/accept', await offer(owner, heir))
  return heir
}

async function passAll(tessera: Tessera) {
  for (const time of [23 * DAY_MS + HOUR_MS, 7 * DAY_MS, HOUR_MS, 2 * HOUR_MS]) {
    await jobsAfter(tessera, time)
  }
}

describe.each(engines)('a workspace that is handed over on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  test('outlives the account of who made it, with its scans and the new owner’s plan', async () => {
    const { person: owner } = await newBoughtPlan()
    const code = await owner.code({ vanityUrl: `handed-${engine}` })
    const scan = { code_id: code.id, at: tessera.clock.now().getTime() }
    await recordPast(tessera.database.location, [scan])
    const heir = await handOver(owner)
    const bought = { tier: 'professional', status: 'canceling', billing: null }
    expect(await heir.plan()).toMatchObject(bought)
    const { checkoutUrl } = await heir.make<{ checkoutUrl: string }>(
      '/api/create-checkout-session',
      { tier: 'professional', billing: 'annual' },
    )
    const path = `/api/checkout/${idOf(checkoutUrl)}/page`
    const done = await heir.make<{ returnTo: string }>(path, { action: 'pay', card: 'pays' })
    expect(done.returnTo).toContain(`/dashboard?payment=success&workspace=${owner.workspaceId}`)

    const leaving = await owner.elsewhere(owner.cookie).post('/api/account/deletion')
    expect(leaving.status).toBe(202)
    await passAll(tessera)
    expect(await owner.isSignedIn()).toBe(false)
    const plan = { tier: 'professional', status: 'active', billing: 'annual' }
    expect(await heir.plan()).toMatchObject(plan)
    for (const name of [code.shortCode, `handed-${engine}`]) {
      expect(await leadsTo(tessera, name)).toBe(code.url)
    }
    expect(await heir.ask(`/api/analytics/qr-code/${code.id}`)).toMatchObject({ totalScans: 1 })
  })

  test('has no plan once what the former owner has paid is over, and its codes lead on', async () => {
    const { person: owner } = await newBoughtPlan()
    const code = await owner.code()
    const heir = await handOver(owner)
    await jobsAfter(tessera, 25 * DAY_MS)
    await jobsAfter(tessera, 7 * DAY_MS)
    expect(await heir.plan()).toMatchObject({ tier: 'free', qrCodeLimit: 0, qrCodeCount: 1 })
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    expect(await refusal(await heir.post('/api/qr-codes/draft'))).toMatchObject({
      code: 'plan_limit_reached',
      message: 'This workspace needs a paid plan for new QR codes.',
    })
    // The former owner's new workspace has the free plan.
    expect(await owner.plan()).toMatchObject({ tier: 'free', qrCodeLimit: 3, qrCodeCount: 0 })
  })

  test('can be deleted by its owner, and restored until then', async () => {
    const owner = await newPerson(tessera, 'professional')
    const code = await owner.code()
    const heir = await handOver(owner)
    const here = heir.elsewhere(heir.cookie)
    const own = await here.code()
    expect(
      (
        await owner.call(`/api/workspace/deletion?workspace=${heir.at}`, {
          method: 'POST',
          body: {},
        })
      ).status,
    ).toBe(403)
    const asked = await heir.make<{ deletionAt: string }>('/api/workspace/deletion', {})
    expect(await heir.ask('/api/workspace')).toMatchObject(asked)
    expect(await refusal(await heir.post(`/api/create-checkout-session`, MONTHLY))).toMatchObject({
      code: 'workspace_leaving',
    })
    expect((await heir.delete('/api/workspace/deletion')).status).toBe(204)
    await passAll(tessera)
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)

    await heir.make('/api/workspace/deletion', {})
    const guest = { email: 'grace@example.com', role: 'viewer' }
    expect(await refusal(await heir.post('/api/workspace/invitations', guest))).toMatchObject({
      code: 'workspace_leaving',
    })
    for (const time of [23 * DAY_MS + HOUR_MS, 7 * DAY_MS]) await jobsAfter(tessera, time)
    // The purge has begun: the others are out, and it is too late.
    expect((await owner.call(`/api/qr-codes?workspace=${heir.at}`)).status).toBe(404)
    expect((await heir.delete('/api/workspace/deletion')).status).toBe(404)
    await passAll(tessera)
    await eventually(async () => (await leadsTo(tessera, code.shortCode)) === 404)
    expect((await heir.call('/api/workspace')).status).toBe(404)
    expect(await here.ask('/api/qr-codes')).toMatchObject([{ id: own.id }])
    expect(await owner.isSignedIn()).toBe(true)
  })

  test('is not for a person whose account is being deleted', async () => {
    const owner = await newPerson(tessera, 'professional')
    const heir = await newMember(owner, 'admin')
    const offered = await offer(owner, heir)
    const here = heir.elsewhere(heir.cookie)
    await here.make('/api/account/deletion', {})
    const refused = await refusal(await here.post('/api/invitations/accept', offered))
    expect(refused).toMatchObject({ code: 'account_leaving' })
  })

  test('is not joined by a person who is in as many as they can be', async () => {
    const [owner, guest] = [await newPerson(tessera, 'professional'), await newPerson(tessera)]
    const { clock, database } = tessera
    const own = async ({ id: ownerId }: Person, count: number) =>
      transact(database.db, async (tx) => {
        for (let n = 0; n < count; n++)
          await addWorkspace(tx, { ownerId, isOwn: false, name: 'Shop' }, clock.now())
      })
    const asked = { email: guest.email, role: 'viewer' }
    const { link } = await owner.make<MadeInvitation>('/api/workspace/invitations', asked)
    await own(guest, 99)
    const invited = { token: new URL(link ?? '').hash.slice(1) }
    expect(await refusal(await guest.post('/api/invitations/accept', invited))).toMatchObject({
      code: 'workspaces_full',
    })
  })

  test('ends other offers of it and its mailed reports', async () => {
    const owner = await newPerson(tessera, 'professional')
    const other = await newMember(owner, 'viewer')
    const offered = await offer(owner, other)
    const mails = { every: 'weekly', timeZone: 'Europe/Vienna' }
    await owner.ask('/api/analytics/mails', { method: 'PUT', body: mails })
    const heir = await handOver(owner)
    expect(await heir.ask('/api/workspace')).toMatchObject({ invitations: [] })
    expect((await other.post('/api/invitations/accept', offered)).status).toBe(410)
    expect(await heir.ask('/api/analytics/mails')).toMatchObject({ every: 'off' })
  })

  test('an account stays while others are in a workspace of the person', async () => {
    const owner = await newPerson(tessera)
    const member = await newMember(owner, 'viewer')
    expect(await refusal(await owner.post('/api/account/deletion'))).toMatchObject({
      code: 'owns_workspaces',
    })
    expect(await refusal(await owner.post('/api/workspace/deletion'))).toMatchObject({
      code: 'own_workspace_stays',
    })
    expect((await member.post('/api/workspace/leave')).status).toBe(204)
    expect((await owner.post('/api/account/deletion')).status).toBe(202)
  })

  test('on its way out, lets its owner’s account go, and is then restored after that', async () => {
    const owner = await newPerson(tessera)
    const { id } = await owner.make<WorkspaceEntry>('/api/workspaces', { name: 'Shop' })
    const [at, guest] = [`?workspace=${id}`, await newPerson(tessera)]
    const place = { workspaceId: id as WorkspaceId, personId: guest.id, role: 'viewer' as const }
    await transact(tessera.database.db, (tx) => addMember(tx, place, tessera.clock.now()))
    expect((await owner.post(`/api/workspace/deletion${at}`)).status).toBe(202)
    expect((await owner.post('/api/account/deletion')).status).toBe(202)
    expect(await refusal(await owner.delete(`/api/workspace/deletion${at}`))).toMatchObject({
      code: 'account_leaving',
    })
    expect((await owner.delete('/api/account/deletion')).status).toBe(204)
    expect((await owner.delete(`/api/workspace/deletion${at}`)).status).toBe(204)
  })

  async function newBoughtPlan() {
    const buyer = await newBuyer(tessera)
    await buyer.buy('professional', 'monthly')
    return buyer
  }
})

describe.each(oneEngineInCi)('paying for another’s workspace on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const choice = { tier: 'unlimited', billing: 'annual' }
  const choose = (person: Person) =>
    person.make<{ checkoutUrl: string }>('/api/create-checkout-session', choice)

  test('a member who pays comes back to it; one who may not sees no page of it', async () => {
    const owner = await newPerson(tessera)
    const [payer, viewer] = [await newMember(owner, 'billing'), await newMember(owner, 'viewer')]
    const { checkoutUrl } = await choose(payer)
    const id = idOf(checkoutUrl)
    const page = `${tessera.origin}/api/checkout/${id}?workspace=${owner.workspaceId}`
    expect(checkoutUrl).toBe(page)
    const pageOf = async (person: Person) =>
      (await person.elsewhere(person.cookie).call(`/api/checkout/${id}`)).status
    expect([await pageOf(payer), await pageOf(owner), await pageOf(viewer)]).toEqual([
      200, 200, 404,
    ])
    // Its page names no workspace.
    const here = payer.elsewhere(payer.cookie)
    expect(await here.ask(`/api/checkout/${id}/page`)).toMatchObject({
      backTo: `${tessera.origin}/subscription?tier=unlimited&billing=annual&workspace=${owner.workspaceId}`,
    })
    expect((await viewer.elsewhere(viewer.cookie).call(`/api/checkout/${id}/page`)).status).toBe(
      403,
    )
    await here.make(`/api/checkout/${id}/page`, { action: 'pay', card: 'pays' })
    expect(await owner.plan()).toMatchObject({ tier: 'unlimited' })
    expect(await here.plan()).toMatchObject({ tier: 'free' })
    const portal = await payer.make<{ portalUrl: string }>('/api/user/billing-portal')
    expect(await here.ask(`/api/checkout/${idOf(portal.portalUrl)}/page`)).toMatchObject({
      backTo: `${tessera.origin}/profile?payment=changed&workspace=${owner.workspaceId}`,
    })
  })
})

describe.each(oneEngineInCi)('handing a workspace over that is paid by Stripe on %s', (engine) => {
  const shop = runShop({ engine, bounds: { retries: 0 } })
  const planOf = (person: Person) => person.ask<Subscription>('/api/user/subscription')

  test('the former owner is charged no more, and the new one pays as another customer', async () => {
    const { person: owner, subscription } = await subscriber(shop)
    const { customer } = owner
    const { currentPeriodEnd } = await owner.plan()
    const heir = Object.assign(await newPayer(shop), await handOver(owner), { shop })
    await eventually(async () => shop.books.customers.get(customer)?.deleted === true)
    expect(subscription.status).toBe('canceled')
    const { tier } = MONTHLY
    expect(await planOf(heir)).toMatchObject({ tier, status: 'canceling', currentPeriodEnd })
    // An event of the former customer changes nothing any more.
    await shop.send(shop.life.event('customer.subscription.deleted', subscription))
    expect(await planOf(heir)).toMatchObject({ tier, status: 'canceling' })

    const { checkoutUrl } = await heir.make<{ checkoutUrl: string }>(
      '/api/create-checkout-session',
      MONTHLY,
    )
    const [session] = [...shop.books.sessions.values()].filter(({ url }) => url === checkoutUrl)
    expect(session?.success_url).toContain(`&workspace=${owner.workspaceId}`)
    expect(shop.books.customer(session?.customer ?? '').email).toBe(heir.email)
    // A payment that is not made takes nothing away.
    await heir.make('/api/user/subscription/refresh')
    expect(await planOf(heir)).toMatchObject({ tier, status: 'canceling' })
    await shop.send(shop.life.pay(session?.id ?? ''))
    expect(await planOf(heir)).toMatchObject({ ...MONTHLY, status: 'active' })
    expect(shop.stripe.mistakes()).toEqual([])
  })

  test('if Stripe is down, it is told later', async () => {
    const { person: owner, subscription } = await subscriber(shop)
    shop.stripe.upsets.add(/./, { kind: 'status', status: 503 })
    const heir = await handOver(owner)
    await jobsAfter(shop.tessera, HOUR_MS)
    expect(subscription.status).toBe('active')
    shop.stripe.upsets.clear()
    await jobsAfter(shop.tessera, HOUR_MS)
    expect(subscription.status).toBe('canceled')
    expect(await planOf(heir)).toMatchObject({ tier: MONTHLY.tier, status: 'canceling' })
  })

  test('the new owner is told when the paid period ends, with a link to this workspace', async () => {
    const { person: owner } = await subscriber(shop)
    const heir = await handOver(owner)
    await jobsAfter(shop.tessera, 25 * DAY_MS + HOUR_MS)
    await eventually(async () => {
      await jobsAfter(shop.tessera, HOUR_MS)
      const mails = await mailsTo(shop.tessera, heir.email)
      const about = mails.find(({ subject }) => subject?.startsWith('Your Professional plan ends'))
      return (
        about?.text?.includes(`workspace%3D${heir.at}`) ||
        about?.text?.includes(`workspace=${heir.at}`) ||
        false
      )
    })
  })
})
