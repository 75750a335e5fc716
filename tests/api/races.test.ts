import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { HOUR_MS } from '../../src/contract/time.ts'
import { updateCode } from '../../src/server/codes/codes-store.ts'
import type { Tx } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { engines } from '../support/engines.ts'
import { eventually } from '../support/ledger.ts'
import { leadsTo } from '../support/link.ts'
import { newCrowd, newPerson, type Person, subscribe } from '../support/person.ts'
import { rowsOf } from '../support/rows.ts'
import { times } from '../support/soak.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

const ROUNDS = times(2, 20)
const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1)

describe.each(engines)('changes at once on %s', (engine) => {
  const tessera = runTessera({ engine, environment: BEHIND_PROXY })
  let crowd: Person[]
  let codes: QrCode[]
  beforeAll(async () => {
    crowd = await newCrowd(tessera, 50, 'professional')
    codes = await Promise.all(crowd.map((person) => person.code()))
  })

  const restore = (person: Person, id: string) =>
    person.call(`/api/qr-codes/${id}/restore`, { method: 'POST' })
  const list = (person: Person) => person.ask<QrCode[]>('/api/qr-codes')

  test.each(rounds)('the last free slot goes to one of fifty (round %i)', async () => {
    const person = await newPerson(tessera)
    const binned = [await person.code(), await person.code()]
    for (const code of binned) await person.remove(code.id)
    const drafts = await Promise.all(Array.from({ length: 8 }, () => person.draft()))
    await person.code()
    await person.code()
    const saves = drafts.flatMap(({ id }) =>
      Array.from({ length: 5 }, (_, index) =>
        person.patch(id, { name: `Save ${index}`, url: 'https://example.com' }),
      ),
    )
    const restores = binned.flatMap(({ id }) =>
      Array.from({ length: 5 }, () => restore(person, id)),
    )
    const responses = await Promise.all([...saves, ...restores])
    expect(responses).toHaveLength(50)
    for (const { status } of responses) expect([200, 403, 404]).toContain(status)
    expect((await person.plan()).qrCodeCount).toBe(3)
    const codes = await list(person)
    expect(codes).toHaveLength(3)
    const alive = [...drafts, ...binned].map(({ shortCode }) => leadsTo(tessera, shortCode))
    const leading = (await Promise.all(alive)).filter((target) => target !== 404)
    expect(leading).toHaveLength(1)
  })

  test.each(rounds)('one custom path goes to one of fifty accounts (round %i)', async (round) => {
    const path = `summer-${engine}-${round}`
    const answers = await Promise.all(
      crowd.map((person, index) => {
        const vanityUrl = index % 2 ? path : path.toUpperCase()
        return person.patch(codes[index]?.id ?? '', { vanityUrl })
      }),
    )
    expect(await tally(answers)).toEqual({ 200: 1, 409: 49 })
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await crowd[winner]?.ask(`/api/qr-codes/${codes[winner]?.id}`)).toMatchObject({
      vanityUrl: path,
    })
    const loser = winner === 0 ? 1 : 0
    const kept = await crowd[loser]?.ask<QrCode>(`/api/qr-codes/${codes[loser]?.id}`)
    expect(kept?.vanityUrl).not.toBe(path)
  })

  test.each(rounds)('one draft saved ten times at once takes one slot (round %i)', async () => {
    const person = await newPerson(tessera, 'unlimited')
    const { id } = await person.draft()
    const saves = Array.from({ length: 10 }, () =>
      person.patch(id, { name: 'Menu', url: 'https://example.com' }),
    )
    expect(await tally(saves)).toEqual({ 200: 10 })
    expect((await person.plan()).qrCodeCount).toBe(1)
    expect(await list(person)).toHaveLength(1)
  })

  test.each(rounds)('deleting and restoring at once keeps the count right (round %i)', async () => {
    const person = await newPerson(tessera, 'starter')
    const codes = [await person.code(), await person.code(), await person.code()]
    const moves = codes.flatMap(({ id }) =>
      Array.from({ length: 10 }, (_, index) =>
        index % 2 ? person.remove(id) : restore(person, id),
      ),
    )
    for (const { status } of await Promise.all(moves)) expect([200, 204, 404]).toContain(status)
    expect((await person.plan()).qrCodeCount).toBe((await list(person)).length)
  })

  test.each(rounds)('changes of different fields at once are all kept (round %i)', async () => {
    const person = await newPerson(tessera, 'professional')
    const { id } = await person.code()
    const changes = [
      { name: 'Renamed' },
      { url: 'https://example.com/new' },
      { style: 'rounded' },
      { foregroundColor: '#1e40af' },
      { backgroundColor: '#f0f9ff' },
      { isActive: false },
    ]
    const answers = await Promise.all(changes.map((change) => person.patch(id, change)))
    expect(await tally(answers)).toEqual({ 200: changes.length })
    expect(await person.ask(`/api/qr-codes/${id}`)).toMatchObject(Object.assign({}, ...changes))
  })

  test.each(rounds)('renaming at once leaves every path working (round %i)', async (round) => {
    const person = await newPerson(tessera, 'professional')
    const code = await person.code()
    const paths = Array.from({ length: 12 }, (_, index) => `path-${engine}-${round}-${index}`)
    const answers = await Promise.all(
      paths.map((vanityUrl) => person.patch(code.id, { vanityUrl })),
    )
    expect(await tally(answers)).toEqual({ 200: 12 })
    for (const path of paths) expect(await leadsTo(tessera, path)).toBe(code.url)
    const { vanityUrl } = await person.ask<QrCode>(`/api/qr-codes/${code.id}`)
    const custom = { code_id: code.id, kind: 'custom' } as const
    const rows = await rowsOf(tessera.database.db, 'paths', custom)
    expect(rows).toMatchObject([{ key: vanityUrl }])
  })

  /**
   * Runs the sweeps while a transaction is open. On PostgreSQL it ends when a sweep waits for its
   * rows; on SQLite the sweeps cannot even begin before it ends.
   */
  async function sweepDuring(work: (tx: Tx) => Promise<unknown>): Promise<void> {
    let sweep = Promise.resolve()
    await transact(tessera.database.db, async (tx) => {
      await work(tx)
      sweep = tessera.app.jobs.runDue()
      if (engine === 'postgres') await eventually(async () => (await waitingForLocks()) > 0)
    })
    await sweep
  }

  async function waitingForLocks(): Promise<number> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tessera.database.db)
    return rows.length
  }

  test('a draft whose save is under way is not swept', async () => {
    const person = await newPerson(tessera)
    const { id, shortCode } = await person.draft()
    tessera.clock.advance(25 * HOUR_MS)
    await sweepDuring((tx) => updateCode(tx, id, { saved_at: tessera.clock.now().getTime() }))
    expect(await list(person)).toMatchObject([{ id, shortCode }])
    const paths = tessera.database.db.selectFrom('paths').select('kind')
    expect(await paths.where('key', '=', shortCode).execute()).toEqual([{ kind: 'short' }])
  })

  test('a code whose restoring is under way is not purged', async () => {
    const person = await newPerson(tessera, 'starter')
    const code = await person.code()
    await person.remove(code.id)
    tessera.clock.advance(31 * 24 * HOUR_MS)
    await sweepDuring((tx) => updateCode(tx, code.id, { deleted_at: null }))
    expect(await list(person)).toEqual([code])
    expect(await leadsTo(tessera, code.shortCode)).toBe(code.url)
  })

  test('a code saved during an upgrade never ends', async () => {
    for (let attempt = 0; attempt < times(10, 200); attempt++) {
      const person = await newPerson(tessera)
      await subscribe(person, 'professional', 'canceled')
      const drafts = await Promise.all(Array.from({ length: 3 }, () => person.draft()))
      const saves = drafts.map(({ id }) =>
        person.patch(id, { name: 'Menu', url: 'https://example.com' }),
      )
      // The upgrade comes at another moment of the saves in each attempt.
      for (let turn = 0; turn < attempt % 10; turn++) await new Promise(setImmediate)
      await Promise.all([...saves, subscribe(person, 'professional')])
      const saved = await list(person)
      expect(saved.map((code) => code.expiresAt)).toEqual([null, null, null])
      await Promise.all(saved.map(({ id }) => person.remove(id)))
    }
  })
})
