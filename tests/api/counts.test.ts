import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { connect } from '../../src/server/database/connect.ts'
import { AppError } from '../../src/server/http/errors.ts'
import { count, sweepCounts } from '../../src/server/http/limits/counts-store.ts'
import { type DatabaseLimit, databaseLimits } from '../../src/server/http/limits/limits.ts'
import { engines } from '../support/engines.ts'
import { forBlock } from '../support/for-block.ts'
import { TestClock } from '../support/test-clock.ts'
import { databaseForBlock } from '../support/test-database.ts'

const names = Object.keys(databaseLimits) as DatabaseLimit[]

describe.each(engines)('what is counted on %s', (engine) => {
  const database = databaseForBlock(engine)
  const other = forBlock(async () => {
    const { db, close } = connect(database.location, () => {})
    return { db, stop: close }
  })
  const clock = new TestClock()
  beforeEach(() => database.db.deleteFrom('limit_counts').execute())

  const now = () => clock.now()
  const once = (name: DatabaseLimit, who: string) => count(database.db, name, who, now())
  async function fill(name: DatabaseLimit, who: string) {
    await count(database.db, name, who, now(), { times: databaseLimits[name].max })
    await expect(once(name, who)).rejects.toThrow(AppError)
  }
  const rows = async () => {
    const found = await database.db.selectFrom('limit_counts').selectAll().execute()
    return found.map(({ name, who }) => `${name} ${who}`).sort()
  }
  const sweep = (max?: number) =>
    sweepCounts({ db: database.db, clock: clock.now, ...(max && { max }) }).run()

  test('a refusal says in how many seconds, and in words, when the time is over', async () => {
    const who = randomUUID()
    await fill('drafts', who)
    clock.advance(DAY_MS - 5 * 60_000)
    const message = (when: string) => `Come back ${when}.`
    const refused = count(database.db, 'drafts', who, now(), { message })
    await expect(refused).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'Come back in 5 minutes.',
      retryAfter: expect.closeTo(300, -2),
    })
  })

  test('a refusal is known for a moment, so that a flood of them writes nothing', async () => {
    const who = randomUUID()
    await fill('sign-ins', who)
    const { db } = database
    const written = async () => {
      const of = db.selectFrom('limit_counts').select('count').where('who', '=', who)
      return (await of.executeTakeFirstOrThrow()).count
    }
    const before = await written()
    for (const _ of Array(20)) await expect(once('sign-ins', who)).rejects.toThrow(AppError)
    expect(await written()).toBe(before)
    clock.advance(60_001)
    await once('sign-ins', who)
    expect(await written()).toBe(1)
  })

  test('the job removes each count when its time is over, and no other', async () => {
    await once('sign-ins', 'old')
    await once('failed-sign-ins', 'old')
    await once('drafts', 'old')
    clock.advance(2 * 60_000)
    await once('sign-ins', 'new')
    await sweep()
    expect(await rows()).toEqual(['drafts old', 'failed-sign-ins old', 'sign-ins new'])
    clock.advance(DAY_MS)
    await sweep()
    expect(await rows()).toEqual([])
  })

  test('the job removes what an earlier version counted', async () => {
    const row = { name: 'cups of tea', who: 'ada', since: now().getTime(), count: 1 }
    await database.db.insertInto('limit_counts').values(row).execute()
    await sweep()
    expect(await rows()).toEqual([])
  })

  test('the oldest counts go first when there are too many', async () => {
    const since = now().getTime()
    const crowd = Array.from({ length: 2_500 }, (_, index) => ({
      name: 'drafts',
      who: String(index).padStart(4, '0'),
      since: since - 10_000 + index,
      count: 1,
    }))
    await database.db.insertInto('limit_counts').values(crowd).execute()
    await sweep(2)
    expect(await rows()).toEqual(['drafts 2498', 'drafts 2499'])
  })

  test.each(names)('a clock that went back locks no caller out of %s', async (name) => {
    const who = randomUUID()
    clock.advance(400 * DAY_MS)
    await fill(name, who)
    clock.advance(-400 * DAY_MS)
    await once(name, who)
  })

  test('requests at the same moment, or at a process whose clock is behind, are counted too', async () => {
    const who = randomUUID()
    await fill('drafts', who)
    clock.advance(-30_000)
    await expect(once('drafts', who)).rejects.toThrow(AppError)
    await sweep()
    await expect(once('drafts', who)).rejects.toThrow(AppError)
    clock.advance(30_000)
  })

  test('the job removes counts of a clock that went back', async () => {
    clock.advance(400 * DAY_MS)
    await once('drafts', 'ahead')
    clock.advance(-400 * DAY_MS)
    await once('drafts', 'now')
    await sweep()
    expect(await rows()).toEqual(['drafts now'])
  })

  test.each(names)('two processes share the limit on %s', async (name) => {
    const who = randomUUID()
    await count(database.db, name, who, now(), { times: databaseLimits[name].max - 1 })
    await count(other.db, name, who, now())
    for (const { db } of [database, other]) {
      const refused = count(db, name, who, now())
      await expect(refused).rejects.toMatchObject({ code: 'rate_limited' })
    }
  })
})
