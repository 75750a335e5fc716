import { beforeAll, describe, expect, test } from 'vitest'
import { FIGURES_UNTIL } from '../../src/contract/analytics/figures-until.ts'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { allCounted, scanMetric } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { holdFolding } from '../support/held-database.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

describe.each(engines)('figures on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolPerson(tessera, 'professional')
  const code = madeIn(beforeAll, () => owner.code())

  const until = async (path: string) => (await owner.call(path)).headers.get(FIGURES_UNTIL)
  const now = () => tessera.clock.now().getTime()

  test('say up to when they have all scans, if some wait for over a minute', async () => {
    const held = await holdFolding(tessera.database.location)
    const before = now()
    await visit(`${tessera.origin}/qr/${code.shortCode}`, { headers: { 'user-agent': FIREFOX } })
    expect(await until('/api/analytics/user')).toBeNull()
    tessera.clock.advance(2 * MINUTE_MS)
    const scannedAt = (await until('/api/analytics/user')) ?? ''
    expect(Date.parse(scannedAt)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(scannedAt)).toBeLessThan(now() - MINUTE_MS)
    for (const path of ['figures', 'daily-breakdown', 'now', 'breakdown?facet=wrong']) {
      expect([path, await until(`/api/analytics/${path}`)]).toEqual([path, scannedAt])
    }
    expect(await until('/api/qr-codes')).toBeNull()
    expect(scanMetric(tessera, 'journal_oldest_scan_ms')).toBeGreaterThanOrEqual(2 * MINUTE_MS)
    await held.release()
    await allCounted(tessera)
    expect(await until('/api/analytics/user')).toBeNull()
  })
})
