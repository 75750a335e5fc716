import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/time.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import { engines } from '../support/engines.ts'
import { recordPast } from '../support/past-scans.ts'
import { newPerson } from '../support/person.ts'
import { startTessera } from '../support/tessera.ts'

/** In ten days */
const MANY = 30_000
const NOW = '2026-03-30T10:00:00Z'

test.each(engines)(
  'on %s a table of scans breaks off where a pack cannot be read, and never ends as if it were whole',
  async (engine) => {
    const tessera = await startTessera({ engine, now: NOW })
    const { db, location } = tessera.database
    const ada = await newPerson(tessera, 'unlimited')
    const { id } = await ada.code()
    const at = Date.parse('2026-03-29T12:00:00Z')
    const scans = Array.from({ length: MANY }, (_, n) => ({ code_id: id, at: at - n * 30_000 }))
    await recordPast(location, scans)
    await packAll(tessera.database, new Date(NOW))
    await db
      .updateTable('scan_packs')
      .set({ data: Buffer.from('no pack') })
      .where('day', '=', Math.floor(at / DAY_MS))
      .execute()
    const response = await ada.call('/api/analytics/scans.csv?range=30d')
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    await tessera.stop()
  },
)
