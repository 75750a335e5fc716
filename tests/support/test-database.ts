import { beforeEach } from 'vitest'
import { connect, type Database, type Engine } from '../../src/server/database/connect.ts'
import { newPlace } from './engines.ts'
import { forBlock } from './for-block.ts'

/** An open database with its tables, in a place of its own that goes with `stop`. */
export type TestDatabase = Database & { dataDir: string; stop: () => Promise<void> }

export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const { location, dataDir, remove } = await newPlace(engine)
  const database = connect(location, () => {})
  const stop = async () => {
    await database.close()
    await remove()
  }
  return { ...database, dataDir, stop }
}

/** Opens one for the tests of a block. */
export const databaseForBlock = (engine: Engine): TestDatabase =>
  forBlock(() => openTestDatabase(engine))

/** Opens one for each test of a block. Its properties are there from `beforeEach` on. */
export function databaseForEach(engine: Engine): TestDatabase {
  const database = {} as TestDatabase
  beforeEach(async () => {
    Object.assign(database, await openTestDatabase(engine))
    return () => database.stop()
  })
  return database
}
