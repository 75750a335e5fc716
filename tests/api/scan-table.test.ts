import { request } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Figures, ScansFile } from '../../src/contract/analytics/figures.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import {
  FIRST_COMPLETE_DAY,
  KEPT_FROM,
  setMark,
} from '../../src/server/analytics/store/ledger/marks.ts'
import { joinStep, packStep } from '../../src/server/analytics/store/packs/packing.ts'
import { scansIn } from '../support/clickhouse.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { METRICS_TOKEN, metricOf } from '../support/metric.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson, type Person } from '../support/person.ts'
import { refusal } from '../support/refusal.ts'
import { inTurn, isSoak } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const TABLE = '/api/analytics/scans.csv'
const MANY = 30_000

type Query = Record<string, string>

describe.each(engines)('the table of single scans on %s', (engine) => {
  const tessera = runTessera({ engine, environment: { METRICS_TOKEN } })
  let ada: Person

  beforeEach(async () => {
    ada = await newPerson(tessera, 'unlimited')
    tessera.clock.set('2026-03-30T10:00:00Z')
  })
  afterEach(() => tessera.clock.set(new Date().toISOString()))

  const record = (scans: PastScan[]) => recordPast(tessera.database.location, scans)
  const pack = async (until = new Date(Date.now() + DAY_MS)) => {
    while (await packStep(tessera.database, until));
  }
  const path = (query: Query) => `${TABLE}?${new URLSearchParams(query)}`
  const figures = (query: Query) =>
    ada.ask<Figures>(`/api/analytics/figures?${new URLSearchParams(query)}`)

  /** The lines of the table without its titles. No cell of these tests has a comma. */
  async function rows(query: Query = {}): Promise<string[][]> {
    const response = await ada.call(path(query))
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text.endsWith('\r\n')).toBe(true)
    const lines = text.slice(0, -2).split('\r\n')
    return lines.slice(1).map((line) => line.split(','))
  }

  test('has a row for each scan, the oldest first, with all that is known of it', async () => {
    const vanityUrl = `menu-${engine}`
    const menu = await ada.code({ name: '=Menu "2", top', vanityUrl })
    const at = Date.parse('2026-03-28T22:30:05Z')
    await record([
      { code_id: menu.id, at: at + DAY_MS, visitor: 'ada' },
      {
        code_id: menu.id,
        at,
        visitor: 'eve',
        city: 'Munich',
        region: 'Bavaria',
        browser: 'Instagram',
        referrer: '+example.com',
      },
    ])
    const response = await ada.call(path({ qr: menu.id, tz: 'Europe/Berlin' }))
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const wanted = 'attachment; filename="tessera-menu-2-top-scans-2026-03-01-2026-03-30.csv"'
    expect(response.headers.get('content-disposition')).toBe(wanted)
    const bytes = Buffer.from(await response.arrayBuffer())
    const link = `${tessera.config.publicUrl}/qr/${vanityUrl}`
    const name = `"'=Menu ""2"", top"`
    expect(bytes.toString()).toBe(
      [
        '\uFEFFTime,Code,Short link,Taken for,Reason,First of this visitor that day (UTC),' +
          'Country,Region,City,Device,System,Browser,App,Referrer,Language,Rule,' +
          'UTM Source,UTM Medium,UTM Campaign,UTM Term,UTM Content',
        // In this night clocks go forward.
        `2026-03-28T23:30:05+01:00,${name},${link},Person,Opened in a browser,yes,` +
          "Germany,Bavaria,Munich,Mobile,iOS,Instagram,Instagram,'+example.com,German,,,,,,",
        `2026-03-30T00:30:05+02:00,${name},${link},Person,Opened in a browser,yes,` +
          'Germany,,,Mobile,iOS,Safari,,,German,,,,,,',
        '',
      ].join('\r\n'),
    )
  })

  const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati']
  const queries: Query[] = [
    { range: '7d' },
    { range: 'all' },
    { range: '30d', country: 'DE', device: 'Mobile' },
    { range: '90d', city: '-', app: 'Instagram' },
    { range: 'free', from: '2026-03-20', to: '2026-03-29', kind: 'bots' },
  ]

  test('has the scans of the figures, in any zone and under any filter, packed or not', async () => {
    const [menu, poster, other] = [await ada.code(), await ada.code(), await ada.code()]
    const now = Date.parse('2026-03-30T09:00:00Z')
    // Scans of two weeks, and of some days a month before.
    const all = Array.from({ length: 100 }, (_, index): PastScan => {
      const isBot = index % 7 === 0
      return {
        code_id: [menu, poster, other][index % 3]?.id ?? '',
        at: now - index * 5 * 3_600_000 - index * 61_000 - (index < 75 ? 0 : 35 * DAY_MS),
        country: index % 2 ? 'DE' : null,
        browser: index % 5 ? 'Safari' : 'Instagram',
        ...(isBot && { class: 'bot', rule: '2:isbot:curl', visitor: null }),
      }
    })
    await record(all.filter((_, index) => index % 4))
    await pack()
    await record(all.filter((_, index) => index % 4 === 0))
    await ada.remove(other.id)
    for (const [half, round] of ['late ones in packs of their own', 'joined'].entries()) {
      for (const [index, tz] of zones.entries()) {
        // In CI each zone is asked once.
        if (!isSoak && index % 2 !== half) continue
        for (const query of inTurn(queries, index * 3)) {
          const asked: Query = { ...query, tz, ...(index % 2 && { qr: menu.id }) }
          const found = await rows(asked)
          const { scans, range } = await figures(asked)
          expect([round, asked, found.length]).toEqual([round, asked, scans])
          const file = await ada.ask<ScansFile>(
            `/api/analytics/scans?${new URLSearchParams(asked)}`,
          )
          expect(file).toMatchObject({ scans, from: range.from, isCut: false })
          const times = found.map(([time = '']) => Date.parse(time))
          expect(times).toEqual(times.toSorted((one, later) => one - later))
          const [from, to] = [Date.parse(range.from), Date.parse(range.to)]
          expect(times.filter((at) => at < from || at >= to)).toEqual([])
        }
      }
      while (await joinStep(tessera.database));
    }
    const codes = new Set(
      (await rows({ range: 'all' })).map(([, , link]) => link?.split('/').at(-1)),
    )
    expect(codes).toEqual(new Set([menu.shortCode, poster.shortCode]))
  })

  test('comes in pages, and scans of one second are not parted', async () => {
    const menu = await ada.code()
    const at = Date.parse('2026-03-29T12:00:00Z')
    // More than a page has, ten thousand of them in one second.
    const all = Array.from({ length: 23_000 }, (_, index) => ({
      code_id: menu.id,
      at: at + (index < 10_000 ? 5_000 : index),
      visitor: null,
      city: `${index}`,
    }))
    await record(all)
    const asWritten = await rows()
    expect(asWritten.length).toBe(all.length)
    expect(new Set(asWritten.map((cells) => cells[8])).size).toBe(all.length)
    await pack()
    expect((await rows()).map(String).sort()).toEqual(asWritten.map(String).sort())
  })

  test('begins where single scans are still kept, and says so', async () => {
    const menu = await ada.code({ name: 'Menu' })
    const days = ['2026-03-10', '2026-03-20', '2026-03-21']
    await record(days.map((day) => ({ code_id: menu.id, at: Date.parse(`${day}T12:00:00Z`) })))
    const { db } = tessera.database
    const mark = scansIn(tessera.database.location) ? KEPT_FROM : FIRST_COMPLETE_DAY
    await setMark(db, mark, Date.parse('2026-03-20') / DAY_MS)
    onTestFinished(() => setMark(db, mark, 0))
    const file = await ada.ask<ScansFile>(`/api/analytics/scans?qr=${menu.id}`)
    expect(file).toEqual({
      name: 'tessera-menu-scans-2026-03-20-2026-03-30.csv',
      from: '2026-03-20T00:00:00.000Z',
      isCut: true,
      scans: 2,
    })
    expect((await rows({ qr: menu.id })).length).toBe(2)
    expect(await rows({ range: 'free', from: '2026-03-01', to: '2026-03-10' })).toEqual([])
  })

  test('is refused to another site, and for a day without sense', async () => {
    const free = { range: 'free', from: '2026-03-10', to: '2026-03-01' }
    expect(await refusal(await ada.call(path(free)))).toMatchObject({ status: 422 })
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect(await refusal(await ada.call(TABLE, { headers }))).toMatchObject({ status: 403 })
  })

  describe('of many pages on many days', () => {
    let owner: Person
    beforeAll(async () => {
      owner = await newPerson(tessera, 'unlimited')
      const { id } = await owner.code()
      const at = Date.parse('2026-03-29T12:00:00Z')
      const scans = Array.from({ length: MANY }, (_, index) => ({
        code_id: id,
        at: at - (index % 10) * DAY_MS - index,
        visitor: null,
      }))
      await record(scans)
      await pack()
    })
    beforeEach(() => {
      ada = owner
    })

    const underWay = () => metricOf(tessera, 'scan_tables_under_way')

    test('ends with its reader, who then gets another one', async () => {
      const call = request(`${tessera.origin}${path({ range: '30d' })}`, {
        headers: { cookie: ada.cookie },
      }).end()
      await new Promise((resolve) => {
        call.on('response', (response) => response.once('data', resolve))
      })
      expect(await underWay()).toBe(1)
      call.destroy()
      await eventually(async () => (await underWay()) === 0)
      expect((await rows({ range: '30d' })).length).toBe(MANY)
    })
  })
})
