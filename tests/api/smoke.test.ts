import { describe, expect, test } from 'vitest'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('the main job on %s', (engine) => {
  const tessera = runTessera({ engine })

  test('a code is made, scanned and counted', async () => {
    const person = await newPerson(tessera)
    const code = await person.code({ url: 'https://example.com/menu' })
    const scan = await fetch(`${tessera.origin}/qr/${code.shortCode}`, {
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    })
    expect(scan.status).toBe(302)
    expect(scan.headers.get('location')).toBe('https://example.com/menu')
    await allCounted(tessera)
    expect(await person.ask('/api/analytics/user')).toMatchObject({
      totalQrCodes: 1,
      totalScans: 1,
      scansThisMonth: 1,
    })
  })
})
