import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { newestKnown } from '../../src/server/database/schema-version.ts'
import { engines } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { settingsOf, startProcess } from '../support/process.ts'
import { earlierPlace, factsOf } from '../support/upgrade-fixture.ts'

const VERSION = '2c5dc1a'
const SCANS = 5_000_000
const ACCOUNTS = 100_000
/** A reader of the version before waits at most this long for a migration. */
const LOCK_TIMEOUT = '5s'

const numbers = {
  sqlite: (max: number) =>
    sql`(with recursive n(n) as (select 1 union all select n + 1 from n where n < ${max})
      select n from n)`,
  postgres: (max: number) => sql`(select n from generate_series(1, ${sql.lit(max)}) n)`,
}

const fill = ({ db, location }: Database, code: string) =>
  sql`insert into scans (id, code_id, at, class, rule, first)
    select 'large-' || n, ${code}, 1700000000000 + n, 'person', '1:test', 0
    from ${numbers[location.engine](SCANS)} as numbers`.execute(db)

const fillAccounts = ({ db, location }: Database) =>
  sql`insert into users (id, email, name, "emailVerified", "createdAt", "updatedAt")
    select 'large-' || n, 'large-' || n || '@example.com', 'Large', true, '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z'
    from ${numbers[location.engine](ACCOUNTS)} as numbers`.execute(db)

describe.each(engines)('an upgrade of five million scans and 100,000 accounts on %s', (engine) => {
  const { links, owner } = factsOf(VERSION, engine)

  test('comes up whole, and the version before looks links up throughout', async () => {
    const { dataDir, location, remove } = await earlierPlace(VERSION, engine)
    const database = connect(location, () => {})
    await fill(database, owner.plain)
    await fillAccounts(database)
    let isOver = false
    const lookUps = database.lookups.connection().execute(async (connection) => {
      if (engine === 'postgres')
        await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(connection)
      for (let made = 0; ; made++) {
        const paths = connection.selectFrom('paths').innerJoin('codes', 'codes.id', 'code_id')
        expect((await paths.select(['key', 'url']).execute()).length).toBeGreaterThan(0)
        if (isOver) return made
      }
    })
    const server = await startProcess({ dataDir, environment: settingsOf(location) })
    isOver = true
    expect(await lookUps).toBeGreaterThan(0)
    for (const [name, target] of Object.entries(links)) {
      expect([name, await leadsTo(server, name)]).toEqual([name, target])
    }
    await server.stop()
    const done = sql<{ name: string }>`select max(name) as name from kysely_migration`
    expect((await done.execute(database.db)).rows[0]?.name).toBe(newestKnown())
    const large = database.db.selectFrom('scans').where('id', 'like', 'large-%')
    const { count } = await large
      .select((row) => row.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(SCANS)
    const owners = database.db
      .selectFrom('workspaces')
      .innerJoin('members', 'members.workspace_id', 'workspaces.id')
      .where('members.role', '=', 'owner')
      .where(sql<boolean>`workspaces.owner_id like 'large-%'`)
      .select((row) => row.fn.countAll().as('count'))
    expect(Number((await owners.executeTakeFirstOrThrow()).count)).toBe(ACCOUNTS)
    await database.close()
    await remove()
  })
})
