import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Breakdown, Classes, Figures, Heatmap } from '../../src/contract/figures.ts'
import { engines } from '../support/engines.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson, type Person } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { startTessera, type Tessera } from '../support/tessera.ts'

describe.each(engines)('the figures on %s', (engine) => {
  let tessera: Tessera
  let ada: Person

  beforeAll(async () => {
    tessera = await startTessera({ engine })
  })
  beforeEach(async () => {
    ada = await newPerson(tessera, 'unlimited')
    tessera.clock.set('2026-03-05T10:00:00Z')
  })
  afterEach(() => tessera.clock.set(new Date().toISOString()))
  afterAll(() => tessera.stop())

  const printed = (name = 'Menu') =>
    printCode(tessera.database.db, { user_id: ada.id, name }).then(({ id }) => id)
  const record = (code: string, instants: string[], scan: Partial<PastScan> = {}) =>
    recordPast(
      tessera.database.location,
      instants.map((at, index) => ({
        ...{ code_id: code, at: Date.parse(at), visitor: `${at} ${index}` },
        ...scan,
      })),
    )
  const ask = <Answer>(call: string, query: Record<string, string> = {}) =>
    ada.ask<Answer>(`/api/analytics/${call}?${new URLSearchParams(query)}`)
  const figures = (query?: Record<string, string>) => ask<Figures>('figures', query)
  const breakdown = (facet: string, query: Record<string, string> = {}) =>
    ask<Breakdown>('breakdown', { facet, ...query })

  test('the week of a code has a point for each day, beside the week before', async () => {
    const menu = await printed()
    await record(menu, ['2026-02-20T12:00:00Z', '2026-02-27T12:00:00Z', '2026-03-05T09:00:00Z'])
    const week = await figures({ qr: menu, range: '7d' })
    expect(week).toMatchObject({
      range: { from: '2026-02-27T00:00:00.000Z', to: '2026-03-06T00:00:00.000Z', by: 'day' },
      ...{ scans: 2, visitors: 2, before: { scans: 1, visitors: 1 } },
    })
    expect(week.points.map(({ at, scans, before }) => [at, scans, before])).toEqual([
      ...[
        ['2026-02-27', 1, 1],
        ...['28', '01', '02', '03', '04'].map((day) => [expect.stringContaining(day), 0, 0]),
      ],
      ['2026-03-05', 1, 0],
    ])
  })

  test('how many scans the menu got from Germany with a phone, and when in the day', async () => {
    const menu = await printed()
    const at = ['2026-03-03T11:10:00Z', '2026-03-04T11:50:00Z']
    await record(menu, at)
    await record(menu, at, { country: 'FR' })
    await record(menu, at, { device: 'Desktop' })
    const asked = { qr: menu, country: 'DE', device: 'Mobile', tz: 'Europe/Berlin' }
    expect(await figures(asked)).toMatchObject({ scans: 2 })
    const { rows, scans } = await ask<Heatmap>('heatmap', asked)
    expect(scans).toBe(2)
    expect([rows[1]?.[12], rows[2]?.[12]]).toEqual([1, 1])
    expect(await breakdown('country', { qr: menu })).toEqual({
      rows: [
        { value: 'DE', label: 'Germany', scans: 4 },
        { value: 'FR', label: 'France', scans: 2 },
      ],
      ...{ unknown: 0, others: 0, scans: 6 },
    })
  })

  test('bots stand apart, each with the reason', async () => {
    const menu = await printed()
    await record(menu, ['2026-03-03T11:10:00Z'])
    const bot = { class: 'preview', rule: '2:preview:WhatsApp' } as const
    await record(menu, ['2026-03-03T11:10:00Z'], { ...bot, visitor: null })
    expect(await figures({ qr: menu })).toMatchObject({ scans: 1, visitors: 1 })
    expect(await figures({ qr: menu, kind: 'bots' })).toMatchObject({ scans: 1, visitors: null })
    expect(await ask<Classes>('classes', { qr: menu, kind: 'bots' })).toEqual({
      rows: [{ class: 'preview', reason: 'Preview by WhatsApp', scans: 1 }],
    })
  })
})
