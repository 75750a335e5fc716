import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isDatabaseDown } from '../../../src/server/database/faults.ts'
import { sqliteDialect } from '../../../src/server/database/sqlite-dialect.ts'
import { newFolder } from '../../support/folder.ts'

const threads = vi.hoisted(() => ({ started: [] as Worker[], refused: 0 }))

vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>()
  class Scarce extends real.Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      if (threads.refused > 0) {
        threads.refused--
        throw new Error('Resource temporarily unavailable')
      }
      super(...given)
      threads.started.push(this)
    }
  }
  return { ...real, Worker: Scarce }
})

describe('SQLite in a thread', () => {
  let file: string
  let db: Kysely<unknown>
  beforeEach(async () => {
    file = join(await newFolder(), 'test.sqlite')
    db = new Kysely({ dialect: sqliteDialect(file) })
    threads.refused = 0
  })
  afterEach(() => db.destroy())

  const one = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows
  const inTransaction = () => db.transaction().execute((tx) => sql`select 1`.execute(tx))
  const endThread = async () => void (await threads.started.at(-1)?.terminate())

  test.each([
    ['query', one],
    ['transaction', inTransaction],
  ])('a %s whose thread cannot start fails, and the next one works', async (_, work) => {
    threads.refused = 1
    await expect(work()).rejects.toSatisfy(isDatabaseDown)
    expect(await one()).toEqual([{ one: 1 }])
    await endThread()
    threads.refused = 2
    await expect(work()).rejects.toSatisfy(isDatabaseDown)
    await expect(work()).rejects.toSatisfy(isDatabaseDown)
    expect(await one()).toEqual([{ one: 1 }])
  })

  test('a transaction whose thread ends is undone, and the next query works', async () => {
    await sql`create table notes (text)`.execute(db)
    const broken = db.transaction().execute(async (tx) => {
      await sql`insert into notes values ('half')`.execute(tx)
      await endThread()
      await sql`insert into notes values ('outside')`.execute(tx)
    })
    await expect(broken).rejects.toSatisfy(isDatabaseDown)
    expect((await sql`select * from notes`.execute(db)).rows).toEqual([])
  })

  test('a thread that only reads ends without queries, and the next query starts another', async () => {
    await one()
    const reads = new Kysely({ dialect: sqliteDialect(file, { readonly: true }) })
    const ask = () => sql<{ two: number }>`select 2 as two`.execute(reads)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await ask()
      const first = threads.started.at(-1)
      const ended = new Promise((resolve) => first?.once('exit', resolve))
      vi.advanceTimersByTime(29_000)
      await ask()
      expect(threads.started.at(-1)).toBe(first)
      vi.advanceTimersByTime(31_000)
      await ended
      expect((await ask()).rows).toEqual([{ two: 2 }])
      expect(threads.started.at(-1)).not.toBe(first)
    } finally {
      vi.useRealTimers()
      await reads.destroy()
    }
  })
})
