import { describe, expect, test } from 'vitest'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'
import { FIREFOX, visit } from '../support/visitors.ts'

describe.each(engines)('the main job on %s', (engine) => {
  const tessera = runTessera({ engine })

  test('a code is made, scanned and counted', async () => {
    const person = await newPerson(tessera)
    const code = await person.code({ url: 'https://example.com/menu' })
    const scan = await visit(`${tessera.origin}/qr/${code.shortCode}`, {
      headers: { 'user-agent': FIREFOX },
    })
    expect(scan).toMatchObject({ status: 302, headers: { location: 'https://example.com/menu' } })
    await allCounted(tessera)
    expect(await person.ask('/api/analytics/user')).toMatchObject({
      totalQrCodes: 1,
      totalScans: 1,
      scansThisMonth: 1,
    })
  })
})
