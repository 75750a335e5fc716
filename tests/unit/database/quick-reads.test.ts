import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Database } from '../../../src/server/database/connect.ts'
import { QuickReads } from '../../../src/server/database/quick-reads.ts'
import { newFolder } from '../../support/folder.ts'

describe('reads in the thread that asks', () => {
  let file: string
  let database: Database
  let now: number
  let took: number
  let quick: QuickReads
  let noteOf: (id: number) => { text: string }[] | undefined
  beforeEach(async () => {
    file = join(await newFolder(), 'test.sqlite')
    database = connect({ engine: 'sqlite', file }, () => {})
    ;[now, took] = [0, 0]
    quick = new QuickReads(file, () => {
      now += took
      return now
    })
    const query = database.lookups
      .selectFrom(sql<{ id: number; text: string }>`notes`.as('notes'))
      .select('text')
      .where('id', '=', 0)
    const read = quick.prepare(query)
    noteOf = (id) => read([id])
  })
  afterEach(async () => {
    quick.close()
    await database.close()
  })

  const write = (text: string) => {
    const handle = new Sqlite(file)
    handle.pragma('journal_mode = WAL')
    handle.exec('create table if not exists notes (id integer, text)')
    handle.prepare('insert into notes values (1, ?)').run(text)
    return handle
  }

  test('see what was committed, also during a write', () => {
    const writer = write('first')
    expect(noteOf(1)).toEqual([{ text: 'first' }])
    writer.exec("begin immediate; insert into notes values (2, 'open')")
    expect(noteOf(2)).toEqual([])
    writer.exec('commit')
    expect(noteOf(2)).toEqual([{ text: 'open' }])
    writer.close()
  })

  test('answer nothing for a second where the file cannot be read', () => {
    writeFileSync(file, 'no database '.repeat(1_000))
    expect(noteOf(1)).toBeUndefined()
    writeFileSync(file, '')
    write('first').close()
    now = 999
    expect(noteOf(1)).toBeUndefined()
    now = 1_000
    expect(noteOf(1)).toEqual([{ text: 'first' }])
  })

  test('leave the thread to others where they take long', () => {
    write('first').close()
    took = 20
    expect(noteOf(1)).toEqual([{ text: 'first' }])
    took = 0
    now += 199
    expect(noteOf(1)).toBeUndefined()
    now += 1
    expect(noteOf(1)).toEqual([{ text: 'first' }])
  })

  test('end with the database', () => {
    write('first').close()
    quick.close()
    expect(noteOf(1)).toBeUndefined()
  })
})
