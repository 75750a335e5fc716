import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { ScansByCode } from '../../src/contract/analytics/analytics.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { engines } from '../support/engines.ts'
import { recordPast } from '../support/past-scans.ts'
import { enrolPerson, newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const QUARTER_MS = 15 * 60 * 1000

describe.each(engines)('codes by their scans on %s', (engine) => {
  const tessera = runTessera({ engine, now: '2026-06-01T10:00:00Z' })
  const owner = enrolPerson(tessera, 'unlimited')
  const codes: Record<string, QrCode> = {}
  const idOf = (name: string) => codes[name]?.id ?? ''

  beforeAll(async () => {
    for (const name of ['Never', 'Once', 'Often', 'Paused', 'Bots only']) {
      codes[name] = await owner.code({ name })
      tessera.clock.advance(1000)
    }
    await owner.change(idOf('Paused'), { isActive: false })
    tessera.clock.set('2026-09-20T10:00:00Z')
    codes.New = await owner.code({ name: 'New' })
    tessera.clock.set('2026-10-01T10:00:00Z')
    const stranger = await newPerson(tessera)
    const theirs = await stranger.code({ name: 'A foreign code' })
    const now = tessera.clock.now().getTime()
    const scans = (name: string, count: number, daysAgo: number) =>
      Array.from({ length: count }, () => ({ code_id: idOf(name), at: now - daysAgo * DAY_MS }))
    await recordPast(tessera.database.location, [
      ...scans('Once', 1, 2),
      ...scans('Often', 5, 40),
      ...scans('Paused', 3, 31),
      ...scans('Bots only', 9, 1).map((scan) => ({ ...scan, class: 'bot' as const })),
      ...Array.from({ length: 50 }, () => ({ code_id: theirs.id, at: now })),
    ])
  })

  async function list(query: string, person = owner) {
    const response = await person.call(`/api/qr-codes?${query}`)
    expect(response.status).toBe(200)
    const found = (await response.json()) as QrCode[]
    return {
      names: found.map(({ name }) => name),
      total: Number(response.headers.get('x-total-count')),
    }
  }

  test('the most scanned come first, or last, and those with as many the newest first', async () => {
    const none = ['New', 'Bots only', 'Never']
    const most = ['Often', 'Paused', 'Once', ...none]
    expect(await list('sort=-scans')).toEqual({ names: most, total: 6 })
    expect((await list('sort=scans')).names).toEqual([...none, 'Once', 'Paused', 'Often'])
    expect((await list('sort=-scans&q=on')).names).toEqual(['Once', 'Bots only'])
    expect((await list('sort=-scans&status=inactive')).names).toEqual(['Paused'])
  })

  test('those without a scan for 30 days are found, but not one that is newer', async () => {
    const found = await list('status=unscanned')
    expect(found).toEqual({ names: ['Bots only', 'Paused', 'Often', 'Never'], total: 4 })
    expect((await list('status=unscanned&sort=-scans')).names.slice(0, 2)).toEqual([
      ...['Often', 'Paused'],
    ])
  })

  test('a page of them has 25, and the number of all', async () => {
    const many = await newPerson(tessera, 'unlimited')
    const made: QrCode[] = []
    for (let number = 1; number <= 27; number++) {
      made.push(await many.code({ name: `Table ${number}` }))
    }
    const at = tessera.clock.now().getTime()
    const scans = made.flatMap(({ id }, index) =>
      Array.from({ length: index }, () => ({ code_id: id, at })),
    )
    await recordPast(tessera.database.location, scans)
    const page = (number: number) => list(`sort=-scans&page=${number}`, many)
    const first = await page(1)
    expect(first.total).toBe(27)
    expect(first.names.slice(0, 2)).toEqual(['Table 27', 'Table 26'])
    expect((await page(2)).names).toEqual(['Table 2', 'Table 1'])
  })

  test('one call has the scans of all codes of an account, and no others', async () => {
    const scans = await owner.ask<ScansByCode>('/api/analytics/qr-codes')
    const byName = Object.fromEntries(
      scans.map(({ id, silentSince: _, ...rest }) => [
        Object.keys(codes).find((name) => idOf(name) === id) ?? id,
        rest,
      ]),
    )
    const now = tessera.clock.now().getTime()
    const quarter = (daysAgo: number) =>
      new Date(Math.floor((now - daysAgo * DAY_MS) / QUARTER_MS) * QUARTER_MS).toISOString()
    expect(byName).toEqual({
      Once: { totalScans: 1, lastScannedAt: quarter(2) },
      Often: { totalScans: 5, lastScannedAt: quarter(40) },
      Paused: { totalScans: 3, lastScannedAt: quarter(31) },
    })
    for (const { id, totalScans } of scans) {
      expect(await owner.ask(`/api/analytics/qr-code/${id}`)).toMatchObject({ totalScans })
    }
  })
})
