import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { Figures, Ranking, Scan } from '../../src/contract/analytics/figures.ts'
import { utmOf } from '../../src/contract/analytics/utm.ts'
import { rules } from '../../src/server/analytics/record/classification.ts'
import { setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import { openScans } from '../../src/server/analytics/store/open-store.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { scansIn } from '../support/clickhouse.ts'
import { engines } from '../support/engines.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { times } from '../support/soak.ts'
import { startTessera } from '../support/tessera.ts'
import { IPHONE, visit } from '../support/visitors.ts'

const DESTINATIONS = ['?utm_source=table&utm_campaign=Spring', '?utm_campaign=Autumn', ''].map(
  (query) => `https://example.com/menu${query}`,
)
const DAYS = 20

test.each(engines)('on %s each scan counts for the campaign that it met', async (engine) => {
  const tessera = await startTessera({ engine })
  const { db, location } = tessera.database
  const ada = await newPerson(tessera, 'unlimited')
  const codes = [
    await ada.code({ tags: ['Client A'], externalId: 'crm 1' }),
    await ada.code({ tags: ['Client A'] }),
    await ada.code(),
  ]
  const ids = codes.map(({ id }) => id)
  const ask = <Answer>(call: string, query: Record<string, string> = {}) =>
    ada.ask<Answer>(`/api/analytics/${call}?${new URLSearchParams(query)}`)

  // The first code's destination changes twice, between scans of its printed link.
  const now = Date.now()
  for (const url of DESTINATIONS) {
    await ada.change(ids[0] as string, { url })
    const { status } = await visit(`${tessera.origin}/qr/${codes[0]?.shortCode}`, {
      headers: { 'user-agent': IPHONE },
    })
    expect(status).toBe(302)
  }
  type Met = { code: number; at: number; url: string; isBot: boolean }
  const count = times(500, 5_000)
  const past = Array.from({ length: count }, (_, n): Met => {
    const at = now - DAY_MS * (1 + (DAYS * n) / count)
    const url = DESTINATIONS[Math.floor((n * DESTINATIONS.length) / count)] ?? ''
    return { code: n % 3, at: Math.floor(at), url, isBot: n % 11 === 0 }
  })
  const scanOf = ({ code, at, url, isBot }: Met, n: number): PastScan => ({
    code_id: ids[code] as string,
    at,
    agent: isBot ? 'curl/8.5.0' : IPHONE,
    class: isBot ? 'bot' : 'person',
    rule: '1:before',
    visitor: `${n}`,
    utm: utmOf(url),
  })
  await recordPast(location, past.map(scanOf))

  const met = [
    ...past,
    ...DESTINATIONS.map((url): Met => ({ code: 0, at: now, url, isBot: false })),
  ]
  const having = (word: string, of = [0, 1, 2]) =>
    met.filter(({ code, url, isBot }) => !isBot && of.includes(code) && url.includes(word)).length
  const campaigns = (of?: number[]) =>
    expect.arrayContaining(
      ['Spring', 'Autumn'].map((name) => ({
        parameter: 'utm_campaign',
        name,
        scannedCodes: of?.length ?? 3,
        scans: having(name, of),
      })),
    )
  const scansBy = async (query: Record<string, string>) => {
    const { scans } = await ask<Figures>('figures', query)
    return scans
  }

  async function agree() {
    expect((await ask<Ranking>('ranking')).utm).toEqual(campaigns())
    expect((await ask<Ranking>('ranking', { tag: 'client a' })).utm).toEqual(campaigns([0, 1]))
    expect(await ask('ranking', { qr: `${ids[1]},${ids[2]}` })).toMatchObject({
      utm: campaigns([1, 2]),
      scans: having('', [1, 2]),
    })
    expect(await scansBy({ externalId: 'crm 1' })).toBe(having('', [0]))
    expect(await scansBy({ utm_campaign: 'spring', utm_source: 'table' })).toBe(having('Spring'))
    expect(await scansBy({ utm_campaign: '-', tag: 'Client A' })).toBe(
      having('', [0, 1]) - having('Spring', [0, 1]) - having('Autumn', [0, 1]),
    )
    const asked = { utm_campaign: 'Autumn', limit: '1000', qr: ids[1] as string }
    const { items } = await ask<{ items: Scan[] }>('scans.json', asked)
    expect(items.length).toBe(Math.min(1_000, having('Autumn', [1])))
    expect(new Set(items.map((scan) => `${scan.utm_campaign} ${scan.utm_source}`))).toEqual(
      new Set(['Autumn null']),
    )
    const table = await ada.call(`/api/analytics/scans.csv?utm_source=table&qr=${ids[2]}`)
    const lines = (await table.text()).trim().split('\r\n').slice(1)
    expect(lines.length).toBe(having('table', [2]))
    expect(lines.every((line) => line.endsWith(',table,,Spring,,'))).toBe(true)
  }

  await agree()
  await packAll(tessera.database, new Date(now))
  await agree()
  if (!scansIn(location)) {
    await db.deleteFrom('scan_facets').execute()
    expect((await rebuildRollups(tessera.database)).changed).toBeGreaterThan(0)
    await agree()
  }
  const store = openScans(tessera.database, { clock: tessera.clock.now })
  expect((await store.reread(rules)).scans).toBe(count)
  await agree()

  // Older scans have noted none, and count for where their code leads today.
  await setMark(db, 'utm-from', Math.floor(now / DAY_MS) - DAYS / 2)
  await ada.change(ids[2] as string, { url: 'https://example.com/?utm_campaign=Winter' })
  const older = past.filter(({ code, at, url, isBot }) => {
    const isOlder = Math.floor(at / DAY_MS) < Math.floor(now / DAY_MS) - DAYS / 2
    return isOlder && code === 2 && !isBot && !url.includes('utm_')
  }).length
  expect(older).toBeGreaterThan(0)
  const { utm } = await ask<Ranking>('ranking')
  expect(utm.find(({ name }) => name === 'Winter')).toMatchObject({ scans: older, scannedCodes: 1 })
  expect(utm).toEqual(campaigns())
  const winter = { utm_campaign: 'winter', limit: '1000' }
  expect(await scansBy({ utm_campaign: 'winter' })).toBe(older)
  const { items } = await ask<{ items: Scan[] }>('scans.json', winter)
  expect(items.map((scan) => scan.utm_campaign)).toEqual(Array(older).fill('Winter'))

  for (const [query, code] of [
    ['tag=Unknown', 'invalid_input'],
    ['externalId=unknown', 'code_not_found'],
    [`qr=${ids[0]},menu`, 'invalid_input'],
    [`qr=${(await (await newPerson(tessera)).code()).id}`, 'code_not_found'],
  ] as const) {
    await expectRefusal(ada.call(`/api/analytics/ranking?${query}`), code)
  }
  await tessera.stop()
})
