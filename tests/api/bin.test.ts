import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { BinnedCode } from '../../src/contract/codes.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import type { Person } from '../support/person.ts'
import { newPerson } from '../support/person.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('the bin on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })

  const bin = (person: Person) => person.ask<BinnedCode[]>('/api/qr-codes/bin')
  const namesOf = (codes: BinnedCode[]) => codes.map(({ name }) => name)

  test('holds a deleted code with the days of its deletion and purge', async () => {
    const owner = await newPerson(tessera, 'professional')
    const code = await owner.code({ vanityUrl: `binned-${engine}` })
    const before = tessera.clock.now().getTime()
    await owner.remove(code.id)
    const after = tessera.clock.now().getTime()
    const [binned, ...others] = await bin(owner)
    expect(others).toEqual([])
    expect(binned).toMatchObject(code)
    const deletedAt = Date.parse(binned?.deletedAt ?? '')
    expect(deletedAt).toBeGreaterThanOrEqual(before)
    expect(deletedAt).toBeLessThanOrEqual(after)
    expect(Date.parse(binned?.purgedAt ?? '')).toBe(deletedAt + 30 * DAY_MS)
  })

  test('lists the code that was deleted last first', async () => {
    const owner = await newPerson(tessera, 'starter')
    const codes = []
    for (const name of ['First', 'Second', 'Third']) codes.push(await owner.code({ name }))
    for (const code of [codes[1], codes[0], codes[2]]) {
      await owner.remove(code?.id ?? '')
      tessera.clock.advance(1000)
    }
    expect(namesOf(await bin(owner))).toEqual(['Third', 'First', 'Second'])
  })

  test('holds no drafts, no restored codes and no purged codes', async () => {
    const owner = await newPerson(tessera, 'professional')
    await owner.remove((await owner.draft()).id)
    const [restored, purged, late] = [
      await owner.code({ name: 'Restored' }),
      await owner.code({ name: 'Purged' }),
      await owner.code({ name: 'Late' }),
    ]
    await owner.remove(restored.id)
    await owner.remove(purged.id)
    tessera.clock.advance(2 * DAY_MS)
    await owner.remove(late.id)
    await owner.ask(`/api/qr-codes/${restored.id}/restore`, { method: 'POST' })
    expect(namesOf(await bin(owner))).toEqual(['Late', 'Purged'])
    tessera.clock.advance(29 * DAY_MS)
    await tessera.app.jobs.runDue()
    expect(namesOf(await bin(owner))).toEqual(['Late'])
  })
})
