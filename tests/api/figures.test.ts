import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type {
  Breakdown,
  Classes,
  Figures,
  Heatmap,
  Ranking,
} from '../../src/contract/analytics/figures.ts'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { retention } from '../../src/server/analytics/store/clickhouse/upkeep.ts'
import {
  FIRST_COMPLETE_DAY,
  KEPT_FROM,
  setMark,
} from '../../src/server/analytics/store/ledger/marks.ts'
import { packStep } from '../../src/server/analytics/store/packs/packing.ts'
import { idFromDay } from '../../src/server/analytics/store/scan-ids.ts'
import { scansIn } from '../support/clickhouse.ts'
import { engines } from '../support/engines.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { enrolForEach } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('the figures on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolForEach(tessera, 'unlimited')

  beforeEach(() => tessera.clock.set('2026-03-05T10:00:00Z'))
  afterEach(() => tessera.clock.set(new Date().toISOString()))

  const printed = (name = 'Menu') =>
    printCode(tessera.database.db, { workspace_id: ada.workspaceId, name }).then(({ id }) => id)
  const record = (code: string, instants: string[], scan: Partial<PastScan> = {}) =>
    recordPast(
      tessera.database.location,
      instants.map((at, index) => ({
        code_id: code,
        at: Date.parse(at),
        visitor: `${at} ${index}`,
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
      scans: 2,
      visitors: 2,
      before: { scans: 1, visitors: 1 },
    })
    expect(week.points.map(({ at, scans, before }) => [at, scans, before])).toEqual([
      ...[
        ['2026-02-27', 1, 1],
        ...['28', '01', '02', '03', '04'].map((day) => [expect.stringContaining(day), 0, 0]),
      ],
      ['2026-03-05', 1, 0],
    ])
  })

  test('which code won last week, and which tag, with a filter and without', async () => {
    const [menu, poster, old] = await Promise.all(['Menu', 'Poster', 'Old'].map(printed))
    for (const [id, tags] of [
      [menu, ['Bar', 'Spring']],
      [poster, ['Spring']],
    ] as const) {
      const url = `https://example.com/?utm_source=print&utm_campaign=${tags[0]}`
      await ada.amend(`/api/qr-codes/${id}`, { tags, url })
    }
    // Scans of then noted no UTM parameters, and count for today's.
    await setMark(tessera.database.db, 'utm-from', Date.parse('2026-03-05') / DAY_MS)
    // Weeks begin on Sunday there: the last one is from 22 to 28 February.
    await record(menu as string, ['2026-02-22T09:00:00Z', '2026-02-28T23:00:00Z'])
    await record(poster as string, ['2026-02-24T09:00:00Z'], { country: 'FR' })
    await record(menu as string, ['2026-02-21T23:00:00Z', '2026-03-01T00:00:00Z'])
    await record(old as string, ['2026-01-01T09:00:00Z'])
    const week = { range: 'last-week', weekStart: '7' }
    const code = (name: string, scans: number) => ({ id: expect.any(String), name, scans })
    expect(await ask<Ranking>('ranking', week)).toEqual({
      codes: [code('Menu', 2), code('Poster', 1)],
      tags: [
        { name: 'Spring', scannedCodes: 2, scans: 3 },
        { name: 'Bar', scannedCodes: 1, scans: 2 },
      ],
      utm: [
        { parameter: 'utm_source', name: 'print', scannedCodes: 2, scans: 3 },
        { parameter: 'utm_campaign', name: 'Bar', scannedCodes: 1, scans: 2 },
        { parameter: 'utm_campaign', name: 'Spring', scannedCodes: 1, scans: 1 },
      ],
      others: 0,
      scans: 3,
    })
    const french = await ask<Ranking>('ranking', { ...week, country: 'FR' })
    expect(french).toMatchObject({ codes: [code('Poster', 1)], scans: 1 })
    expect(await ask<Ranking>('ranking', { ...week, kind: 'bots' })).toMatchObject({ scans: 0 })
    expect(await ask<Ranking>('ranking', { range: 'all' })).toMatchObject({ scans: 6 })
  })

  test('the codes that are listed count together; a deleted one is left out until it is restored', async () => {
    const [kept, deleted] = [await ada.code({ name: 'Kept' }), await ada.code({ name: 'Deleted' })]
    for (const { id } of [kept, deleted]) await record(id, ['2026-03-04T12:00:00Z'])
    expect(await figures()).toMatchObject({ scans: 2 })
    await ada.remove(deleted.id)
    expect(await figures()).toMatchObject({ scans: 1 })
    expect(await ask('user')).toMatchObject({ totalQrCodes: 1, totalScans: 1 })
    expect(await ask<object[]>('daily-breakdown')).toContainEqual({ date: '2026-03-04', Kept: 1 })
    expect(await breakdown('city', { country: 'DE' })).toMatchObject({ scans: 1 })
    const gone = await ada.call(`/api/analytics/figures?qr=${deleted.id}`)
    expect(await refusal(gone)).toMatchObject({ status: 404, code: 'code_not_found' })
    await ada.make(`/api/qr-codes/${deleted.id}/restore`)
    expect(await figures()).toMatchObject({ scans: 2 })
    expect(await breakdown('city', { country: 'DE' })).toMatchObject({ scans: 2 })
  })

  test('a scan that comes late into a day that is over is in the next answer', async () => {
    const menu = await printed()
    const at = '2026-03-02T12:00:00Z'
    const query = { qr: menu, range: '7d' }
    const sums = async () => [
      (await figures(query)).scans,
      (await figures({ ...query, country: 'DE' })).scans,
      (await breakdown('city', query)).scans,
      (await ask<Heatmap>('heatmap', query)).scans,
      (await ask<Classes>('classes', query)).rows[0]?.scans,
    ]
    await record(menu, [at])
    while (await packStep(tessera.database, new Date('2026-03-05T10:00:00Z')));
    expect(await sums()).toEqual([1, 1, 1, 1, 1])
    // The last days of that week have an answer of their own.
    const days = { ...query, range: 'free', from: '2026-03-03', to: '2026-03-05' }
    expect(await breakdown('city', days)).toMatchObject({ scans: 0 })
    await record(menu, [at])
    expect(await sums()).toEqual([2, 2, 2, 2, 2])
  })

  test('scans that are kept no longer leave the figures by UTC days, and take no filter', async () => {
    const menu = await printed()
    await record(menu, ['2026-02-10T23:30:00Z', '2026-02-11T12:00:00Z', '2026-03-04T12:00:00Z'])
    await record(menu, ['2026-02-11T12:00:00Z'], { country: 'FR' })
    const { db } = tessera.database
    const day = Date.parse('2026-03-01') / 86_400_000
    const place = scansIn(tessera.database.location)
    const mark = place ? KEPT_FROM : FIRST_COMPLETE_DAY
    if (place) await retention({ db, clock: tessera.clock.now }, new ClickHouse(place), 0).run()
    else await db.deleteFrom('scans').where('id', '<', idFromDay(day)).execute()
    await setMark(db, mark, day)
    onTestFinished(() => setMark(db, mark, 0))
    // 11 February begins in Berlin at 23:00 UTC.
    const query = {
      qr: menu,
      tz: 'Europe/Berlin',
      range: 'free',
      from: '2026-02-11',
      to: '2026-03-04',
    }
    const range = {
      from: '2026-02-11T00:00:00.000Z',
      to: '2026-03-04T23:00:00.000Z',
      snapped: true,
    }
    expect(await figures(query)).toMatchObject({ range, scans: 3 })
    expect(await breakdown('country', query)).toMatchObject({
      rows: [
        { value: 'DE', scans: 2 },
        { value: 'FR', scans: 1 },
      ],
      scans: 3,
    })
    expect((await ask<Heatmap>('heatmap', query)).scans).toBe(3)
    const refused: [string, Record<string, string>][] = [
      ['figures', { country: 'DE' }],
      ['breakdown', { facet: 'city' }],
      ['breakdown', { facet: 'country', kind: 'bots' }],
      ['heatmap', { country: 'DE' }],
      ['classes', {}],
    ]
    for (const [call, more] of refused) {
      const asked = new URLSearchParams({ ...query, ...more })
      const answer = await refusal(await ada.call(`/api/analytics/${call}?${asked}`))
      expect([call, answer]).toMatchObject([call, { status: 400, code: 'range_too_long' }])
    }
    // The week before is gone: there is nothing to compare with under a filter.
    const march = { qr: menu, country: 'DE', range: 'free', from: '2026-03-01', to: '2026-03-05' }
    expect(await figures(march)).toMatchObject({ scans: 1, before: null })
  })

  test.each([
    ['tz', { tz: 'Mars/Olympus' }],
    ['from', { range: 'free', to: '2026-03-01' }],
    ['to', { range: 'free', from: '2026-03-02', to: '2026-03-01' }],
    ['by', { range: '90d', by: 'hour' }],
    ['range', { range: 'century' }],
    ['weekStart', { weekStart: '8' }],
    ['kind', { kind: 'dogs' }],
    ['qr', { qr: 'nonsense' }],
  ] as [string, Record<string, string>][])(
    'what cannot be asked names the field: %s',
    async (field, query) => {
      const response = await ada.call(`/api/analytics/figures?${new URLSearchParams(query)}`)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({
        code: 'invalid_input',
        fields: { [field]: expect.any(String) },
      })
    },
  )
})
