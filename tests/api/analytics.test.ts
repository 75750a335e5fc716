import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type {
  BreakdownRow,
  CodeAnalytics,
  UserAnalytics,
} from '../../src/contract/analytics/analytics.ts'
import { engines } from '../support/engines.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson, type Person } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('the numbers on %s', (engine) => {
  const tessera = runTessera({ engine })
  let ada: Person

  beforeEach(async () => {
    ada = await newPerson(tessera, 'unlimited')
    tessera.clock.set('2026-03-05T10:00:00Z')
  })
  afterEach(() => tessera.clock.set(new Date().toISOString()))

  const printed = (name: string) =>
    printCode(tessera.database.db, { workspace_id: ada.workspaceId, name })

  const record = (scans: PastScan[]) => recordPast(tessera.database.location, scans)
  const scansAt = ({ id }: { id: string }, ...instants: string[]): PastScan[] =>
    instants.map((instant) => ({ code_id: id, at: Date.parse(instant) }))

  const breakdown = (tz?: string) =>
    ada.ask<BreakdownRow[]>(
      `/api/analytics/daily-breakdown${tz ? `?tz=${encodeURIComponent(tz)}` : ''}`,
    )
  const user = (tz = 'UTC') => ada.ask<UserAnalytics>(`/api/analytics/user?tz=${tz}`)
  const ofCode = ({ id }: { id: string }, tz = 'UTC') =>
    ada.ask<CodeAnalytics>(`/api/analytics/qr-code/${id}?tz=${tz}`)

  test('a new account has an empty month of thirty days', async () => {
    const rows = await breakdown()
    expect(rows).toHaveLength(30)
    expect(rows[0]).toEqual({ date: '2026-02-04' })
    expect(rows[29]).toEqual({ date: '2026-03-05' })
    expect(rows.map(({ date }) => date)).toEqual(rows.map(({ date }) => date).sort())
    expect(await user()).toEqual({
      totalQrCodes: 0,
      totalScans: 0,
      scansThisMonth: 0,
      scansLastMonth: 0,
    })
  })

  test('each day has the scans of each code, even if there are none', async () => {
    const menu = await printed('Menu')
    const wifi = await printed('Wi-Fi')
    await record([
      ...scansAt(menu, '2026-02-03T23:59:59Z', '2026-02-04T00:00:00Z', '2026-03-05T09:00:00Z'),
      ...scansAt(wifi, '2026-03-05T00:00:00Z', '2026-03-05T00:14:59Z'),
    ])
    const rows = await breakdown()
    expect(rows[0]).toEqual({ date: '2026-02-04', Menu: 1, 'Wi-Fi': 0 })
    expect(rows[1]).toEqual({ date: '2026-02-05', Menu: 0, 'Wi-Fi': 0 })
    expect(rows[29]).toEqual({ date: '2026-03-05', Menu: 1, 'Wi-Fi': 2 })
    expect(await user()).toEqual({
      totalQrCodes: 2,
      totalScans: 5,
      scansThisMonth: 3,
      scansLastMonth: 2,
    })
  })

  test('the month begins when it does in the zone', async () => {
    const code = await printed('Menu')
    await record(
      scansAt(
        code,
        '2026-02-28T18:14:59Z',
        '2026-02-28T18:15:00Z',
        '2026-02-28T23:00:00Z',
        '2026-03-01T00:00:00Z',
      ),
    )
    expect(await user()).toMatchObject({ totalScans: 4, scansThisMonth: 1, scansLastMonth: 3 })
    expect(await user('Asia/Kathmandu')).toMatchObject({
      totalScans: 4,
      scansThisMonth: 3,
      scansLastMonth: 1,
    })
    expect(await ofCode(code, 'Europe/Berlin')).toMatchObject({ totalScans: 4, scansThisMonth: 2 })
  })

  test.each(['user', 'daily-breakdown', 'qr-code/x'])(
    'an unknown time zone is refused for %s',
    async (path) => {
      for (const tz of ['Mars/Olympus', 'a&tz=UTC']) {
        const response = await ada.call(`/api/analytics/${path}?tz=${tz}`)
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({
          code: 'invalid_input',
          fields: { tz: expect.any(String) },
        })
      }
    },
  )

  test('a code has its countries and devices, most scans first', async () => {
    const code = await printed('Menu')
    const base = { code_id: code.id, at: tessera.clock.now().getTime() }
    await record([
      { ...base, country: 'FR', device: 'Tablet' },
      ...[1, 2, 3].map(() => ({ ...base, country: 'DE' })),
      { ...base, country: null, device: null },
      { ...base, country: 'JP', class: 'bot' },
      { ...base, class: 'head' },
      { ...base, class: 'prefetch' },
      { ...base, class: 'preview' },
    ])
    expect(await ofCode(code)).toEqual({
      totalScans: 5,
      scansThisMonth: 5,
      topCountries: [
        { country: 'Germany', countryCode: 'DE', scans: 3 },
        { country: 'France', countryCode: 'FR', scans: 1 },
      ],
      topDevices: [
        { device: 'Mobile', scans: 3 },
        { device: 'Tablet', scans: 1 },
      ],
      silentSince: null,
    })
    const without = {
      totalScans: 0,
      scansThisMonth: 0,
      topCountries: [],
      topDevices: [],
      silentSince: null,
    }
    expect(await ofCode(await printed('Wi-Fi'))).toEqual(without)
  })

  test('paused and expired codes stay in all numbers', async () => {
    const names = { Paused: { paused_at: 1 }, Expired: { expires_at: 1 } }
    for (const [name, state] of Object.entries(names)) {
      const { id } = await printCode(tessera.database.db, {
        workspace_id: ada.workspaceId,
        name,
        ...state,
      })
      await record(scansAt({ id }, '2026-03-05T09:00:00Z'))
    }
    expect(await user()).toMatchObject({ totalQrCodes: 2, totalScans: 2, scansThisMonth: 2 })
    expect((await breakdown()).at(-1)).toMatchObject({ Paused: 1, Expired: 1 })
  })

  test('an account with more than 200 codes sees those with scans in the days of the chart', async () => {
    const codes = await tessera.database.db
      .transaction()
      .execute((tx) =>
        Promise.all(
          Array.from({ length: 201 }, (_, n) =>
            printCode(tx, { workspace_id: ada.workspaceId, name: `Table ${n}`, created_at: n }),
          ),
        ),
      )
    await record([
      { code_id: codes[7]?.id as string, at: tessera.clock.now().getTime() },
      { code_id: codes[200]?.id as string, at: tessera.clock.now().getTime() },
      { code_id: codes[100]?.id as string, at: tessera.clock.now().getTime() - 40 * 86_400_000 },
    ])
    expect(Object.keys((await breakdown())[0] as object)).toEqual(['date', 'Table 7', 'Table 200'])
    expect(await user()).toMatchObject({ totalQrCodes: 201, totalScans: 3 })
    await ada.delete(`/api/qr-codes/${codes[0]?.id}`)
    expect(Object.keys((await breakdown())[0] as object)).toHaveLength(201)
  })
})
