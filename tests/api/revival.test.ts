import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { applyPlan } from '../../src/server/codes/change-code.ts'
import { transact } from '../../src/server/database/transact.ts'
import { engines } from '../support/engines.ts'
import { eventsOf, newPerson, type Person } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

describe.each(engines)('an expired code on %s', (engine) => {
  const tessera = runTessera({ engine })

  const revive = (person: Person, id: string) =>
    person.call(`/api/qr-codes/${id}/revive`, { method: 'POST' })
  const scanned = async ({ shortCode }: QrCode) =>
    (await visit(`${tessera.origin}/qr/${shortCode}`)).status
  const end = (id: string) =>
    tessera.database.db
      .updateTable('codes')
      .set({ expires_at: tessera.clock.now().getTime() - DAY_MS })
      .where('id', '=', id)
      .execute()

  test('of a paid plan works again after one call, which is in its history', async () => {
    const owner = await newPerson(tessera, 'starter')
    const code = await owner.code()
    await end(code.id)
    expect(await scanned(code)).toBe(410)
    const answer = await revive(owner, code.id)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id: code.id, expiresAt: null, isActive: true })
    expect(await scanned(code)).toBe(302)
    expect((await revive(owner, code.id)).status).toBe(200)
    const events = await eventsOf(tessera, owner.id)
    expect(events.filter((event) => event === 'code-revived')).toHaveLength(1)
  })

  test('of the free plan stays as it is, and the answer says what to do', async () => {
    const owner = await newPerson(tessera)
    const code = await owner.code()
    tessera.clock.advance(15 * DAY_MS)
    expect(await refusal(await revive(owner, code.id))).toMatchObject({
      status: 403,
      code: 'revival_not_in_plan',
      message:
        'Free codes stop working after 14 days. Upgrade your plan and they’ll all work again.',
    })
    expect(await scanned(code)).toBe(410)
  })

  test('comes back with all others of its account by a few statements', async () => {
    const owner = await newPerson(tessera)
    const codes = [await owner.code(), await owner.code(), await owner.code()]
    let statements = 0
    const db = tessera.database.db.withPlugin({
      transformQuery: ({ node }) => {
        statements++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const keys = await transact(db, (tx) => applyPlan(tx, owner.workspaceId, { expiryDays: null }))
    expect(keys.sort()).toEqual(codes.map(({ shortCode }) => shortCode).sort())
    expect(statements).toBe(3)
  })

  test('of another account, in the bin, or never saved is not found', async () => {
    const owner = await newPerson(tessera, 'starter')
    const theirs = await (await newPerson(tessera)).code()
    const binned = await owner.code()
    await owner.remove(binned.id)
    const draft = await owner.draft()
    for (const id of [theirs.id, binned.id, draft.id, 'nothing']) {
      await expectRefusal(revive(owner, id), 'code_not_found')
    }
  })
})
