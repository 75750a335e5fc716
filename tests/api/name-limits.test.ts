import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { BinnedCode } from '../../src/contract/codes/codes.ts'
import { TRASH_MAX } from '../../src/server/codes/rules.ts'
import type { Tables } from '../../src/server/database/schema.ts'
import { type DatabaseLimit, databaseLimits } from '../../src/server/http/limits/limits.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { jobsAfter } from '../support/jobs.ts'
import { leadsTo } from '../support/link.ts'
import { newPair, newPerson, type Person } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { addRows, rowsOf } from '../support/rows.ts'
import { runTessera } from '../support/tessera.ts'

/** Rows in one statement: SQLite takes 32,766 parameters. */
const ROWS = 500

describe.each(oneEngineInCi)('new names on %s', (engine) => {
  const tessera = runTessera({ engine })

  /** Leaves an account this number of names before its limit. */
  async function leave(person: Person, name: DatabaseLimit, left: number) {
    const since = tessera.clock.now().getTime()
    const row = { name, who: person.workspaceId, since, count: databaseLimits[name].max - left }
    await tessera.database.db
      .insertInto('limit_counts')
      .values(row)
      .onConflict((conflict) => conflict.columns(['name', 'who']).doUpdateSet(row))
      .execute()
  }
  const named = { name: 'Menu', url: 'https://example.com/menu' }
  const pathOf = (person: Person, path: string) => `${path}-${person.id.slice(0, 8)}`.toLowerCase()

  test('a free account that has made a hundred codes in a day can make more a day later', async () => {
    const person = await newPerson(tessera)
    await leave(person, 'free-names', 1)
    const last = await person.code()
    await person.remove(last.id)
    const draft = await person.draft()
    const refused = await person.patch(draft.id, named)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    const { message, ...rest } = await refusal(refused)
    expect(rest).toEqual({ status: 429, code: 'daily_limit_reached' })
    expect(message).toMatch(/you can create more in 24 hours\.$/)
    expect(await person.ask('/api/qr-codes')).toEqual([])
    expect(await person.plan()).toMatchObject({ qrCodeCount: 0 })
    tessera.clock.advance(DAY_MS)
    expect((await person.patch(draft.id, named)).status).toBe(200)
  })

  test('the codes of an account at its limit go on working, and can be changed and restored', async () => {
    const person = await newPerson(tessera, 'professional')
    const code = await person.code({ vanityUrl: pathOf(person, 'first') })
    await person.patch(code.id, { vanityUrl: pathOf(person, 'second') })
    await leave(person, 'paid-names', 0)
    const third = await person.patch(code.id, { vanityUrl: pathOf(person, 'third') })
    await expectRefusal(third, 'daily_limit_reached')
    expect((await person.patch(code.id, { url: 'https://example.com/new' })).status).toBe(200)
    expect((await person.patch(code.id, { vanityUrl: pathOf(person, 'first') })).status).toBe(200)
    await person.remove(code.id)
    const restored = await person.call(`/api/qr-codes/${code.id}/restore`, { method: 'POST' })
    expect(restored.status).toBe(200)
    for (const path of [code.shortCode, pathOf(person, 'first'), pathOf(person, 'second')]) {
      expect(await leadsTo(tessera, path)).toBe('https://example.com/new')
    }
    expect(await leadsTo(tessera, pathOf(person, 'third'))).toBe(404)
  })

  test('a name that is refused for another reason is not counted', async () => {
    const [owner, person] = await newPair(tessera, 'professional')
    await owner.code({ vanityUrl: pathOf(owner, 'taken') })
    await leave(person, 'paid-names', 2)
    const code = await person.code()
    const taken = await person.patch(code.id, { vanityUrl: pathOf(owner, 'taken') })
    expect(taken.status).toBe(409)
    expect((await person.patch(code.id, { vanityUrl: pathOf(person, 'own') })).status).toBe(200)
    const another = await person.patch(code.id, { vanityUrl: pathOf(person, 'more') })
    expect(another.status).toBe(429)
  })

  test('a code that would take the last name and one more is not made', async () => {
    const person = await newPerson(tessera, 'professional')
    const { id } = await person.draft()
    await leave(person, 'paid-names', 1)
    const both = { ...named, vanityUrl: pathOf(person, 'both') }
    expect((await person.patch(id, both)).status).toBe(429)
    expect((await person.patch(id, named)).status).toBe(200)
  })

  test('the form for a new code opens three thousand times a day', async () => {
    const person = await newPerson(tessera)
    await leave(person, 'drafts', 1)
    const kept = await person.draft()
    const refused = await person.call('/api/qr-codes/draft', { method: 'POST' })
    expect(await refusal(refused)).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('You can open it again in 24 hours.'),
    })
    expect((await person.patch(kept.id, named)).status).toBe(200)
    tessera.clock.advance(DAY_MS)
    await person.draft()
  })

  test('a bin keeps the ten thousand codes that were deleted last', async () => {
    const { db } = tessera.database
    const [owner, other] = [await newPerson(tessera), await newPerson(tessera)]
    const now = tessera.clock.now().getTime()
    const oldest = await printCode(db, { workspace_id: owner.workspaceId, deleted_at: now - 3 })
    await printCode(db, { workspace_id: other.workspaceId, deleted_at: now - 3, name: 'Other' })
    const [row] = (await rowsOf(db, 'codes', { id: oldest.id })) as [Tables['codes']]
    const younger = (count: number): Tables['codes'][] =>
      Array.from({ length: count }, () => ({ ...row, id: randomUUID(), deleted_at: now - 2 }))
    for (let left = TRASH_MAX; left > 0; left -= ROWS) {
      await addRows(db, 'codes', younger(Math.min(left, ROWS)))
    }
    await jobsAfter(tessera, 2 * 60 * 60 * 1000)
    const codes = await rowsOf(db, 'codes', { workspace_id: owner.workspaceId })
    expect(codes).toHaveLength(TRASH_MAX)
    expect(codes.map(({ id }) => id)).not.toContain(oldest.id)
    const reserved = db.selectFrom('paths').select('kind').where('key', '=', oldest.key)
    expect(await reserved.execute()).toEqual([{ kind: 'reserved' }])
    expect(await other.ask<BinnedCode[]>('/api/qr-codes/bin')).toHaveLength(1)
  })
})
