import { describe, expect, test } from 'vitest'
import { connect } from '../../src/server/database/connect.ts'
import { migrationsOf, newestKnown } from '../../src/server/database/schema-version.ts'
import { engines, type Place } from '../support/engines.ts'
import { leadsTo } from '../support/link.ts'
import { settingsOf, startProcess } from '../support/process.ts'
import { earlierPlace, earlierVersions, factsOf } from '../support/upgrade-fixture.ts'

const FIRST = '6dd2476'
/** The statement with which the migrations begin */
const BEGINS = { sqlite: 'begin immediate', postgres: 'set lock_timeout' }
const STATEMENTS = Array.from({ length: 12 }, (_, n) => 2 + 15 * n)
/** The first version has all migrations to come. */
const statementsFor = (version: string) => (version === FIRST ? STATEMENTS : [9])

const cases = engines.flatMap((engine) =>
  earlierVersions.map((version) => [version, engine] as const),
)

describe.each(cases)('an upgrade from %s that is killed on %s', (version, engine) => {
  /** Starts the new version, which dies before this statement of its migrations. Returns whether it did. */
  async function dies({ dataDir, location }: Place, before: number): Promise<boolean> {
    const killed = { KILLED_FROM: BEGINS[engine], KILLED_BEFORE: `${before}` }
    const environment = { ...settingsOf(location), ...killed }
    const preload = 'dying-statement.ts'
    const server = await startProcess({ dataDir, preload, environment }).catch(() => undefined)
    await server?.stop()
    return server === undefined
  }

  test('leaves a whole database, which the next start brings up to date', async () => {
    const place = await earlierPlace(version, engine)
    const { links } = factsOf(version, engine)
    const database = connect(place.location, () => {})
    const before = await migrationsOf(database.db)
    for (const [index, statement] of statementsFor(version).entries()) {
      expect((await dies(place, statement)) || index > 0).toBe(true)
      const now = await migrationsOf(database.db)
      expect(now.slice(0, before.length)).toEqual(before)
      if (engine === 'sqlite' && index === 0) expect(now).toEqual(before)
    }
    const server = await startProcess({ ...place, environment: settingsOf(place.location) })
    expect((await migrationsOf(database.db)).at(-1)).toBe(newestKnown())
    for (const [name, target] of Object.entries(links)) {
      expect([name, await leadsTo(server, name)]).toEqual([name, target])
    }
    await server.stop()
    await database.close()
    await place.remove()
  })
})
