import { describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { HOUR_MS } from '../../src/contract/time.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { leadsTo } from '../support/link.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { sampleCode } from '../support/sample-code.ts'
import { runTessera } from '../support/tessera.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each(oneEngineInCi)('drafts on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  const person = enrolForEach(tessera)

  const listOf = (person: Person) => person.ask<QrCode[]>('/api/qr-codes')
  const countOf = async (person: Person) =>
    (await person.ask<{ qrCodeCount: number }>('/api/user/subscription')).qrCodeCount
  const exists = async (person: Person, id: string) =>
    (await person.call(`/api/qr-codes/${id}`)).status === 200

  test('a draft is a code with defaults and without a name', async () => {
    const response = await person.call('/api/qr-codes/draft', { method: 'POST' })
    expect(response.status).toBe(201)
    const draft = (await response.json()) as QrCode
    expect(draft).toEqual({
      ...sampleCode,
      id: expect.stringMatching(UUID_V4),
      name: '',
      url: '',
      link: `${tessera.config.publicUrl}/qr/${draft.shortCode}`,
      vanityUrl: null,
      pictureVersion: expect.stringMatching(/^[\w-]{16}$/),
      shortCode: expect.stringMatching(/^[bcdfghjkmnpqrstvwxz2-9]{7}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(await person.ask(`/api/qr-codes/${draft.id}`)).toEqual(draft)
  })

  test('a draft is not listed, not counted and does not redirect until it has a name and a destination', async () => {
    const draft = await person.draft()
    await person.change(draft.id, { style: 'rounded', foregroundColor: '#1e40af' })
    await person.change(draft.id, { name: 'Menu' })
    await person.change(draft.id, { url: 'https://example.com/early' })
    expect(await listOf(person)).toEqual([])
    expect(await countOf(person)).toBe(0)
    expect(await person.ask('/api/analytics/user')).toMatchObject({ totalQrCodes: 0 })
    expect(await leadsTo(tessera, draft.shortCode)).toBe(404)
    const code = await person.change(draft.id, { name: 'Menu', url: 'https://example.com/menu' })
    expect(code).toMatchObject({
      id: draft.id,
      shortCode: draft.shortCode,
      name: 'Menu',
      url: 'https://example.com/menu',
      style: 'rounded',
      foregroundColor: '#1e40af',
      backgroundColor: '#FFFFFF',
    })
    expect(await listOf(person)).toEqual([code])
    expect(await countOf(person)).toBe(1)
    expect(await leadsTo(tessera, draft.shortCode)).toBe('https://example.com/menu')
  })

  test('the eleventh draft replaces the oldest', async () => {
    const drafts: QrCode[] = []
    for (let count = 0; count < 11; count++) {
      drafts.push(await person.draft())
      tessera.clock.advance(1000)
    }
    const alive = await Promise.all(drafts.map((draft) => exists(person, draft.id)))
    expect(alive).toEqual([false, ...Array(10).fill(true)])
    const late = { name: 'Late', url: 'https://example.com' }
    await expectRefusal(person.patch(drafts[0]?.id ?? '', late), 'code_not_found')
  })

  test('thirty requests for drafts at once leave ten drafts', async () => {
    const drafts = await Promise.all(Array.from({ length: 30 }, () => person.draft()))
    expect(new Set(drafts.map((draft) => draft.id)).size).toBe(30)
    const alive = await Promise.all(drafts.map((draft) => exists(person, draft.id)))
    expect(alive.filter(Boolean)).toHaveLength(10)
  })

  test('a draft can be deleted', async () => {
    const { id } = await person.draft()
    expect((await person.remove(id)).status).toBe(204)
    expect(await exists(person, id)).toBe(false)
    const restored = await person.call(`/api/qr-codes/${id}/restore`, { method: 'POST' })
    await expectRefusal(restored, 'code_not_found')
    expect(await countOf(person)).toBe(0)
  })

  test('a draft is swept after a day, and its custom path is free again', async () => {
    const person = await newPerson(tessera, 'professional')
    const old = await person.draft()
    await person.change(old.id, { vanityUrl: `swept-${engine}` })
    const code = await person.code()
    tessera.clock.advance(23 * HOUR_MS)
    const young = await person.draft()
    await tessera.app.jobs.runDue()
    expect(await exists(person, old.id)).toBe(true)
    await jobsAfter(tessera, 2 * HOUR_MS)
    expect(await exists(person, old.id)).toBe(false)
    expect(await exists(person, young.id)).toBe(true)
    expect(await exists(person, code.id)).toBe(true)
    const wanted = { vanityUrl: `swept-${engine}` }
    expect(await person.change(young.id, { vanityUrl: `swept-${engine}` })).toMatchObject(wanted)
  })
})
