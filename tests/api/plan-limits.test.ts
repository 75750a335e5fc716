import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { Tier } from '../../src/contract/billing/plans.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { enrolForEach, newPerson, type Person, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(oneEngineInCi)('what a plan allows on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const person = enrolForEach(tessera)

  const draftRefusal = async (person: Person) => refusal(await person.post('/api/qr-codes/draft'))
  const codes = async (person: Person, count: number) => {
    const made: QrCode[] = []
    for (let index = 0; index < count; index++) made.push(await person.code())
    return made
  }
  const get = (person: Person, id: string) => person.ask<QrCode>(`/api/qr-codes/${id}`)

  test.each([
    ['free', 3, 'Free'],
    ['starter', 3, 'Starter'],
    ['professional', 10, 'Professional'],
  ] as const)(
    'the %s plan has slots for %i codes, and the refusal says so',
    async (tier, limit, name) => {
      const person = await newPerson(tessera, tier)
      const spare = await person.draft()
      await codes(person, limit)
      const full = {
        status: 403,
        code: 'plan_limit_reached',
        message:
          `Your ${name} plan includes ${limit} QR codes and all of them are in use. ` +
          'Delete a QR code or upgrade your plan to create another.',
      }
      expect(await draftRefusal(person)).toEqual(full)
      const late = await person.patch(spare.id, { name: 'Late', url: 'https://example.com' })
      expect(await refusal(late)).toEqual(full)
      expect(await leadsTo(tessera, spare.shortCode)).toBe(404)
      expect(await person.ask<QrCode[]>('/api/qr-codes')).toHaveLength(limit)
    },
  )

  test('a free code ends fourteen days after its first save, and editing does not move that', async () => {
    const draft = await person.draft()
    tessera.clock.advance(60_000)
    const before = tessera.clock.now().getTime()
    const code = await person.change(draft.id, { name: 'Menu', url: 'https://example.com/menu' })
    const end = new Date(code.expiresAt ?? 0).getTime()
    expect(end).toBe(new Date(code.createdAt).getTime() + 14 * DAY_MS)
    expect(end).toBeGreaterThanOrEqual(before + 14 * DAY_MS)
    tessera.clock.advance(13 * DAY_MS)
    await person.change(code.id, { name: 'Dinner' })
    expect((await get(person, code.id)).expiresAt).toBe(code.expiresAt)
    expect(await leadsTo(tessera, code.shortCode)).toBe('https://example.com/menu')
    tessera.clock.advance(DAY_MS + 1)
    expect(await leadsTo(tessera, code.shortCode)).toBe(410)
  })

  test.each(['starter', 'professional', 'unlimited'] as const)(
    'a code made on the %s plan never ends, not after a lapse either',
    async (tier) => {
      const person = await newPerson(tessera, tier)
      const code = await person.code()
      expect(code.expiresAt).toBeNull()
      await subscribe(person, tier, 'canceled')
      await person.change(code.id, { name: 'Renamed', url: 'https://example.com/later' })
      expect((await get(person, code.id)).expiresAt).toBeNull()
      tessera.clock.advance(400 * DAY_MS)
      expect(await leadsTo(tessera, code.shortCode)).toBe('https://example.com/later')
    },
  )

  test('an upgrade removes the expiry of every code at once, also in the bin', async () => {
    const [kept, binned] = (await codes(person, 2)) as [QrCode, QrCode]
    await person.remove(binned.id)
    tessera.clock.advance(15 * DAY_MS)
    expect(await leadsTo(tessera, kept.shortCode)).toBe(410)
    await subscribe(person, 'starter')
    expect(await leadsTo(tessera, kept.shortCode)).toBe(kept.url)
    expect((await get(person, kept.id)).expiresAt).toBeNull()
    await person.make(`/api/qr-codes/${binned.id}/restore`)
    expect((await get(person, binned.id)).expiresAt).toBeNull()
    expect(await leadsTo(tessera, binned.shortCode)).toBe(binned.url)
  })

  test('after a lapse the codes over the limit work and can be edited, and new ones are refused', async () => {
    const person = await newPerson(tessera, 'professional')
    const made = await codes(person, 5)
    const spare = await person.draft()
    await subscribe(person, 'professional', 'canceled')
    for (const code of made) expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
    const [first, second] = made as [QrCode, QrCode]
    await person.change(first.id, { url: 'https://example.com/new', style: 'rounded' })
    expect(await leadsTo(tessera, first.shortCode)).toBe('https://example.com/new')
    await person.change(first.id, { isActive: false })
    expect(await leadsTo(tessera, first.shortCode)).toBe(410)
    await person.change(first.id, { isActive: true })
    expect(await leadsTo(tessera, first.shortCode)).toBe('https://example.com/new')
    expect((await draftRefusal(person)).code).toBe('plan_limit_reached')
    const late = await person.patch(spare.id, { name: 'Late', url: 'https://example.com' })
    await expectRefusal(late, 'plan_limit_reached')
    expect(await person.plan()).toMatchObject({
      qrCodeCount: 5,
      qrCodeLimit: 3,
    })
    await person.remove(second.id)
    const back = await person.post(`/api/qr-codes/${second.id}/restore`)
    await expectRefusal(back, 'plan_limit_reached')
    expect(await leadsTo(tessera, second.shortCode)).toBe(404)
  })

  test('a subscription to a plan that is not sold any more counts as free', async () => {
    await subscribe(person, 'gold' as Tier)
    expect(await person.ask('/api/auth/user')).toMatchObject({ subscriptionTier: 'free' })
    expect(await person.plan()).toMatchObject({
      tier: 'free',
      qrCodeLimit: 3,
    })
    await person.code()
  })

  test('a new account is on the free plan', async () => {
    expect(await person.plan()).toEqual({
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
    expect(await person.plan()).toMatchObject({
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
    await expectRefusal(person.post('/api/create-checkout-session', body), 'invalid_input')
    expect(await person.plan()).toMatchObject({ tier: 'free' })
  })
})
