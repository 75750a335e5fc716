import { describe, expect, test } from 'vitest'
import type { Now } from '../../src/contract/analytics/figures.ts'
import { engines } from '../support/engines.ts'
import { recordPast } from '../support/past-scans.ts'
import { newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

const AT = '2026-03-05T10:00:20.000Z'
const at = (time: string) => Date.parse(`2026-03-05T${time}Z`)

// ClickHouse reads an account's own scans, however many others come.
describe.each(engines)('now in tables of SQL on %s', (engine) => {
  const tessera = runTessera({ engine, now: AT })

  test('with more scans than it looks at, it does not know the minutes before them', async () => {
    const ada = await newPerson(tessera, 'unlimited')
    const code = await ada.code()
    const others = await (await newPerson(tessera)).code()
    await recordPast(tessera.database.location, [
      { code_id: code.id, at: at('09:45:00') },
      ...Array.from({ length: 20_000 }, (_, number) => ({
        code_id: others.id,
        at: at('09:50:30') + number,
      })),
      { code_id: code.id, at: at('09:59:00') },
    ])
    tessera.clock.set(AT)
    const { minutes, scans } = await ada.ask<Now>('/api/analytics/now')
    expect(minutes.slice(0, 20)).toEqual(Array(20).fill(null))
    expect(minutes.slice(20)).toEqual([...Array(8).fill(0), 1, 0])
    expect(scans).toHaveLength(1)
  })
})
