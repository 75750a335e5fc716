import { describe, expect, test } from 'vitest'
import type { CodeState, StatesPart } from '../../src/contract/codes/code-history.ts'
import { CHANGES_MAX } from '../../src/contract/codes/rule-values.ts'
import { MINUTE_MS } from '../../src/contract/time.ts'
import { engines } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { enrolPerson, subscribe } from '../support/person.ts'
import { newProgram } from '../support/program.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const MAIN = 'https://example.com/menu'
const OTHER = 'https://example.com/other'

describe.each(engines)('the history of a code on %s', (engine) => {
  const tessera = runTessera({ engine, now: '2026-11-27T12:00:00Z' })
  const ada = enrolPerson(tessera, 'unlimited')

  const statesOf = async (id: string): Promise<CodeState[]> =>
    (await ada.ask<StatesPart>(`/api/qr-codes/${id}/history`)).items
  const restore = (id: string, state: string) =>
    ada.call(`/api/qr-codes/${id}/history/${state}/restore`, { method: 'POST' })

  test('has each change of where a code leads, with who made it, and no other change', async () => {
    const code = await ada.code()
    await ada.change(code.id, { name: 'New name' })
    expect(await statesOf(code.id)).toEqual([])
    const changes = [
      { url: OTHER },
      { rules: [{ countries: ['PL'], variants: [{ url: MAIN, share: 100 }] }] },
      { startsAt: '2026-12-01T00:00:00.000Z', endsAt: '2026-12-24T00:00:00.000Z' },
      { scanLimit: 100 },
      { fallbackUrl: OTHER },
      { isActive: false },
    ]
    for (const change of changes) {
      tessera.clock.advance(MINUTE_MS)
      await ada.change(code.id, change)
    }
    const states = await statesOf(code.id)
    const fields = [...changes.toReversed().map((change) => Object.keys(change)), []]
    expect(states.map(({ changed }) => changed)).toEqual(fields)
    expect(states.map(({ by }) => by)).toEqual([...changes.map(() => 'person'), null])
    expect(states[0]).toMatchObject({ url: OTHER, scanLimit: 100, isActive: false })
    const first = { url: MAIN, rules: [], isActive: true, at: code.createdAt }
    expect(states.at(-1)).toMatchObject(first)
  })

  test('brings back a state as it was, with the ids of its rules, and keeps that too', async () => {
    const rules = [{ countries: ['PL'], variants: [{ url: OTHER, share: 100 }] }]
    const { id, shortCode, rules: before } = await ada.code({ rules, scanLimit: 5 })
    await ada.change(id, { url: OTHER, rules: [], scanLimit: null, isActive: false })
    const [, first] = await statesOf(id)
    expect((await restore(id, first?.id ?? '')).status).toBe(200)
    const code = await ada.ask(`/api/qr-codes/${id}`)
    expect(code).toMatchObject({ url: MAIN, rules: before, scanLimit: 5, isActive: true })
    expect(await leadsTo(tessera, shortCode)).toBe(MAIN)
    expect((await statesOf(id))[0]?.changed).toEqual(['url', 'rules', 'scanLimit', 'isActive'])
  })

  test('names the key that changed a code, also in many at once', async () => {
    const code = await ada.code()
    const program = await newProgram(ada, { scope: 'write', name: 'Till' })
    await program.make('/api/qr-codes/bulk/change', { ids: [code.id], change: { url: OTHER } })
    expect((await statesOf(code.id))[0]).toMatchObject({ by: 'key', byName: 'Till' })
  })

  test('comes in parts, and keeps the newest thousand states', async () => {
    const { id } = await ada.code()
    for (let at = 0; at < 3; at++) await ada.change(id, { url: `${MAIN}/${at}` })
    const { db } = tessera.database
    await db
      .updateTable('code_states')
      .set((row) => ({ number: row('number', '+', CHANGES_MAX - 2) }))
      .where('code_id', '=', id)
      .where('number', '>', 1)
      .execute()
    await ada.change(id, { url: OTHER })
    const part = await ada.ask<StatesPart>(`/api/qr-codes/${id}/history?limit=2`)
    expect(part.items.map(({ url }) => url)).toEqual([OTHER, `${MAIN}/2`])
    const rest = `/api/qr-codes/${id}/history?limit=100&cursor=${part.nextCursor}`
    const next = await ada.ask<StatesPart>(rest)
    expect(next.items.map(({ url }) => url)).toEqual([`${MAIN}/1`, `${MAIN}/0`])
    expect(next.nextCursor).toBe(null)
    await expectRefusal(ada.call(`/api/qr-codes/${id}/history?cursor=x`), 'invalid_input')
  })

  test('brings no rules back on a plan without them', async () => {
    const rules = [{ variants: [{ url: OTHER, share: 100 }] }]
    const { id } = await ada.code({ rules })
    await ada.change(id, { rules: [] })
    const [, first] = await statesOf(id)
    await subscribe(ada, 'starter')
    await expectRefusal(restore(id, first?.id ?? ''), 'rules_not_in_plan')
    await subscribe(ada, 'unlimited')
    await expectRefusal(restore(id, 'nothing'), 'not_found')
  })
})
