import { describe, expect, test } from 'vitest'
import type { LatestScan } from '../../src/contract/analytics/analytics.ts'
import { engines } from '../support/engines.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { IPHONE } from '../support/visitors.ts'

const NOW = '2026-03-05T10:00:00.000Z'

describe.each(engines)('the latest scan on %s', (engine) => {
  const tessera = runTessera({ engine, environment: { TRUST_PROXY: '127.0.0.1,::1' }, now: NOW })
  const ada = enrolPerson(tessera, 'unlimited')

  const latest = (id: string, after = '2026-03-05T09:55:00Z') =>
    ada.ask<LatestScan>(`/api/analytics/qr-code/${id}/latest?after=${after}`)
  const record = (...scans: PastScan[]) => recordPast(tessera.database.location, scans)
  const at = (time: string) => Date.parse(`2026-03-05T${time}Z`)

  test('a code without scans has none', async () => {
    expect(await latest((await ada.code()).id)).toEqual({ scan: null })
  })

  test('a scan is heard with its place and its device', async () => {
    const code = await ada.code()
    const headers = { 'user-agent': IPHONE, 'x-forwarded-for': '85.214.132.117' }
    await ada.call(`/qr/${code.shortCode}`, { headers })
    const heard = async () => (await latest(code.id, code.createdAt)).scan
    await expect.poll(heard, { timeout: STEP_LIMIT_MS }).toEqual({
      at: expect.any(String),
      device: 'Mobile',
      os: 'iOS',
      place: { city: null, country: 'Germany' },
    })
  })

  test('it is the newest one of this code by a person', async () => {
    const [code, other] = [await ada.code(), await ada.code()]
    await record(
      { code_id: code.id, at: at('09:57:00') },
      { code_id: code.id, at: at('09:58:00'), country: 'FR', city: 'Lyon', device: 'Tablet' },
      { code_id: code.id, at: at('09:59:00'), class: 'bot' },
      { code_id: other.id, at: at('09:59:30'), country: 'JP' },
    )
    expect((await latest(code.id)).scan).toMatchObject({
      at: '2026-03-05T09:58:00.000Z',
      device: 'Tablet',
      place: { city: 'Lyon', country: 'France' },
    })
  })

  test('what was before the asked instant is not heard again, nor what is ten minutes old', async () => {
    const code = await ada.code()
    await record({ code_id: code.id, at: at('09:49:00') }, { code_id: code.id, at: at('09:51:00') })
    expect((await latest(code.id, '2026-03-05T09:51:00.000Z')).scan).toBeNull()
    const wanted = { at: '2026-03-05T09:51:00.000Z' }
    expect((await latest(code.id, '2020-01-01T00:00:00Z')).scan).toMatchObject(wanted)
    tessera.clock.set('2026-03-05T10:02:00.000Z')
    expect((await latest(code.id, '2020-01-01T00:00:00Z')).scan).toBeNull()
    tessera.clock.set(NOW)
  })

  test('a call without a valid instant is refused', async () => {
    const { id } = await ada.code()
    for (const query of ['', '?after=', '?after=yesterday']) {
      const response = await ada.call(`/api/analytics/qr-code/${id}/latest${query}`)
      expect(response.status).toBe(422)
    }
  })
})
