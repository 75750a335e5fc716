import { describe, expect, test } from 'vitest'
import { NOW_MINUTES, NOW_SCANS_MAX, type Now } from '../../src/contract/analytics/figures.ts'
import { engines } from '../support/engines.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { newPerson, type Person } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const AT = '2026-03-05T10:00:20.000Z'

describe.each(engines)('now on %s', (engine) => {
  const tessera = runTessera({ engine, now: AT })
  let ada: Person

  const at = (time: string) => Date.parse(`2026-03-05T${time}Z`)
  const record = (...scans: PastScan[]) => recordPast(tessera.database.location, scans)
  const now = (query = '') => {
    tessera.clock.set(AT)
    return ada.ask<Now>(`/api/analytics/now${query}`)
  }

  test('a user without a scan sees empty minutes', async () => {
    ada = await newPerson(tessera)
    await ada.code()
    const { at, minutes, scans } = await now()
    expect([at.slice(0, 16), scans]).toEqual([AT.slice(0, 16), []])
    expect(minutes).toEqual(Array(NOW_MINUTES).fill(0))
  })

  test("the last half hour has persons' scans by minute, and the newest ones first", async () => {
    ada = await newPerson(tessera, 'unlimited')
    const [menu, poster] = [await ada.code({ name: 'Menu' }), await ada.code({ name: 'Poster' })]
    const foreign = await (await newPerson(tessera)).code()
    await record(
      { code_id: menu.id, at: at('09:30:59') },
      { code_id: menu.id, at: at('09:31:00') },
      { code_id: menu.id, at: at('09:58:00'), country: 'FR', city: 'Lyon', device: 'Tablet' },
      { code_id: poster.id, at: at('09:58:59.999'), country: 'JP', device: 'Mobile', os: 'iOS' },
      { code_id: menu.id, at: at('10:00:01'), class: 'bot' },
      { code_id: menu.id, at: at('10:00:02'), country: null, device: null },
      { code_id: foreign.id, at: at('10:00:03') },
    )
    const all = await now()
    expect(all.minutes).toEqual([1, ...Array(26).fill(0), 2, 0, 1])
    expect(all.scans.map(({ at, code }) => [at, code.name])).toEqual([
      ['2026-03-05T10:00:02.000Z', 'Menu'],
      ['2026-03-05T09:58:59.999Z', 'Poster'],
      ['2026-03-05T09:58:00.000Z', 'Menu'],
      ['2026-03-05T09:31:00.000Z', 'Menu'],
    ])
    expect(all.scans[1]).toMatchObject({
      code: { id: poster.id, name: 'Poster' },
      device: 'Mobile',
      os: 'iOS',
      place: { city: null, country: 'Japan' },
    })
    expect(all.scans[2]?.place).toEqual({ city: 'Lyon', country: 'France' })
    const one = await now(`?qr=${poster.id}`)
    expect(one.minutes.reduce<number>((sum, scans) => sum + (scans ?? 0), 0)).toBe(1)
    expect(one.scans).toHaveLength(1)
    const sumOf = async (query: string) => (await now(query)).scans.length
    expect(await sumOf('?country=FR')).toBe(1)
    expect(await sumOf('?country=-')).toBe(1)
    expect(await sumOf('?device=Mobile&os=iOS&country=JP')).toBe(1)
    expect(await sumOf('?app=-')).toBe(4)
    expect(await sumOf('?app=Safari')).toBe(0)
    expect(await sumOf('?kind=bots')).toBe(1)
    expect((await ada.call(`/api/analytics/now?qr=${foreign.id}`)).status).toBe(404)
    expect((await ada.call('/api/analytics/now?qr=nonsense')).status).toBe(422)
  })

  test('a code in the bin is not in it, and the list has an end', async () => {
    ada = await newPerson(tessera, 'unlimited')
    const [kept, binned] = [await ada.code(), await ada.code()]
    await record(
      { code_id: binned.id, at: at('09:59:00') },
      ...Array.from({ length: 30 }, (_, second) => ({
        code_id: kept.id,
        at: at('09:59:10') + second * 1000,
      })),
    )
    await ada.remove(binned.id)
    const { minutes, scans } = await now()
    expect(minutes.at(-2)).toBe(30)
    expect(scans).toHaveLength(NOW_SCANS_MAX)
    expect(scans[0]?.at).toBe('2026-03-05T09:59:39.000Z')
  })
})
