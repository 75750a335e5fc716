import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { ConfigError } from '../config.ts'
import type { Database, Engine } from '../database/connect.ts'
import { migrate } from '../database/migrate.ts'
import type { Db, Tables } from '../database/schema.ts'
import { BELIEVED_MS, findMark, removeMark, setMark } from '../database/service-marks.ts'
import { atOneInstant, commitOrUndo } from '../database/transact.ts'
import { syncTable } from './sync-table.ts'
import { RowSum, raiseSequences, readTable, type Table, tablesOf } from './table-rows.ts'

/** How long saves wait after the copy was killed; on PostgreSQL it is renewed. */
const MOVING_MS = 2 * MINUTE_MS
const RENEW_MS = 20 * SECOND_MS
/** Processes believe their last reading for BELIEVED_MS, and what they do then may take as long again. */
const SETTLE_MS = 3 * BELIEVED_MS

const number = new Intl.NumberFormat('en-US')

/** `isChanged` says whether the copy was another one until now. */
export type CopiedTable = { name: string; rows: number; sum: string; isChanged: boolean }

type Copy = {
  source: Database
  target: Database
  /** Names the target in the mark of the source, without a password */
  targetName: string
  say: (line: string) => void
}

/**
 * Copies a database to another one, on PostgreSQL or of the other engine, beside the running service. First all that is there; then, while
 * saves and folding wait, what has changed since. It may be killed at any moment and run again. Then the
 * source is marked, so that no server starts on it.
 * @returns each table's rows and sum, which are the same on both sides
 */
export async function copyDatabase(copy: Copy): Promise<CopiedTable[]> {
  const { source, target, say } = copy
  await prepareTarget(target)
  const tables = await tablesOf(source.db, source.location.engine)
  say(`Copying ${tables.length} tables`)
  await atOneInstant(source, (db) => syncAll(copy, db, tables))
  say('Saves wait now; redirects go on')
  const copied = await holdStill(source, tables, async (db) => {
    const synced = await syncAll(copy, db, tables)
    await compare(target, synced)
    await setMark(db, 'moved', { at: Date.now(), value: copy.targetName })
    return synced
  })
  await raiseSequences(target.db, target.location.engine)
  await removeMark(target.db, 'arriving')
  return copied
}

/** @throws ConfigError if the target has data that no unfinished copy put there */
async function prepareTarget(target: Database): Promise<void> {
  const { db } = target
  const tables = await db.introspection.getTables()
  if (tables.some(({ name }) => name === 'service_marks')) {
    if (await findMark(db, 'arriving')) return migrate(target)
  }
  for (const name of ['users', 'codes', 'scans'] as const) {
    if (!tables.some((table) => table.name === name)) continue
    if (await db.selectFrom(name).select('id').limit(1).executeTakeFirst()) {
      throw new ConfigError('The database to copy to has data. Name an empty one')
    }
  }
  await migrate(target)
  await setMark(db, 'arriving', { at: Date.now(), value: 'copy' })
}

/** Looks up the tables of a database by their names. */
async function shapesOf({ db, location }: Database) {
  const byName = new Map((await tablesOf(db, location.engine)).map((table) => [table.name, table]))
  return (name: string): Table => {
    const table = byName.get(name)
    if (table) return table
    throw new Error(`the table ${name} is missing in the copy`)
  }
}

async function syncAll({ source, target, say }: Copy, from: Db, tables: Table[]) {
  const copied: CopiedTable[] = []
  const shapeOf = await shapesOf(target)
  for (const table of tables) {
    const { name } = table
    const { rows, sum, added, removed } = await syncTable(
      { db: from, engine: source.location.engine, table },
      { database: target, table: shapeOf(name) },
      (read) => say(`  ${name}: ${number.format(read)} rows so far`),
    )
    const counts = `${number.format(rows)} rows, ${number.format(added)} of them copied`
    const isChanged = added + removed > 0
    if (isChanged) say(`  ${name}: ${counts}`)
    copied.push({ name, rows, sum, isChanged })
  }
  return copied
}

/** Reads those tables of the copy once more that were written last. @throws if one is not the same */
async function compare(target: Database, expected: CopiedTable[]) {
  const shapeOf = await shapesOf(target)
  await atOneInstant(target, async (db) => {
    for (const { name, sum } of expected.filter(({ isChanged }) => isChanged)) {
      const found = await sumOf(db, target.location.engine, shapeOf(name))
      if (found !== sum) throw new Error(`the table ${name} is not the same in the copy`)
    }
  })
}

async function sumOf(db: Db, engine: Engine, table: Table): Promise<string> {
  const sum = new RowSum()
  for await (const page of readTable(db, engine, table)) {
    for (const line of page) sum.add(line)
  }
  return sum.sum
}

/**
 * Asks all processes to save nothing and to fold nothing, and then takes the locks that make it sure. The marks
 * are not locked on PostgreSQL; on SQLite the work itself writes them.
 */
async function holdStill<T>(source: Database, tables: Table[], work: (db: Db) => Promise<T>) {
  const mark = () => setMark(source.db, 'moving', { at: Date.now() + MOVING_MS, value: '' })
  await mark()
  await setTimeout(SETTLE_MS)
  const isPostgres = source.location.engine === 'postgres'
  const renewal = isPostgres ? setInterval(() => void mark().catch(() => {}), RENEW_MS) : undefined
  try {
    return await source.db
      .connection()
      .execute((connection) => locked(connection, isPostgres ? tables : [], work))
  } finally {
    clearInterval(renewal)
    await removeMark(source.db, 'moving').catch(() => {})
  }
}

async function locked<T>(db: Kysely<Tables>, tables: Table[], work: (db: Db) => Promise<T>) {
  const isPostgres = tables.length > 0
  await sql
    .raw(isPostgres ? 'begin isolation level repeatable read' : 'begin immediate')
    .execute(db)
  return commitOrUndo(db, async () => {
    // Before the first query, which chooses the instant that the transaction sees.
    const names = tables.map(({ name }) => sql.table(name))
    if (isPostgres) await sql`lock table ${sql.join(names)} in share mode`.execute(db)
    return work(db)
  })
}
