import { beforeAll, describe, expect, test } from 'vitest'
import { allCounted, scanMetric } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { madeIn } from '../support/for-block.ts'
import { holdLedger } from '../support/held-database.ts'
import { ledgerOf } from '../support/ledger.ts'
import { enrolPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

describe.each(engines)('while another program holds the database on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolPerson(tessera, 'professional')
  const code = madeIn(beforeAll, () => owner.code())

  const scan = () =>
    visit(`${tessera.origin}/qr/${code.shortCode}`, { headers: { 'user-agent': FIREFOX } })
  const status = async (path: string) => (await owner.call(path)).status

  test('what needs no write goes on, a save is made in the end, and no scan is lost', async () => {
    expect((await scan()).status).toBe(302)
    await allCounted(tessera)
    const held = await holdLedger(tessera.database.location)
    const reads = [
      ...['/readyz', '/', '/api/auth/user', '/api/user/subscription', '/api/analytics/user'],
      ...['/api/qr-codes', '/api/qr-codes/bin', `/api/qr-codes/${code.id}`],
      `/api/qr-codes/${code.id}/generate`,
    ]
    for (const path of reads) expect([path, await status(path)]).toEqual([path, 200])
    const saving = owner.change(code.id, { name: 'Lunch' })
    for (let visits = 0; visits < 5; visits++) expect((await scan()).status).toBe(302)
    expect(scanMetric(tessera, 'scans_waiting')).toBe(5)
    await held.release()
    expect(await saving).toMatchObject({ name: 'Lunch' })
    await allCounted(tessera)
    expect(await ledgerOf(tessera.database)).toHaveLength(6)
    expect(await owner.ask('/api/analytics/user')).toMatchObject({ totalScans: 6 })
    expect(scanMetric(tessera, 'scans_lost_total')).toBe(0)
  })
})
