import { randomBytes } from 'node:crypto'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine, Location } from '../../src/server/database/connect.ts'
import { newScansPlace, removeScansPlace } from './clickhouse.ts'
import { newFolder } from './folder.ts'
import { onServer, urlOf } from './postgres-server.ts'
import { isSoak } from './soak.ts'

/** A new place for data, gone when the test is over. */
export type Place = { dataDir: string; location: Location; remove: () => Promise<void> }

/**
 * The engines to test on: SQLite always, PostgreSQL when TEST_DATABASE_URL names a server. With TEST_CHDB only that
 * one, with its scans in ClickHouse.
 */
export const engines: Engine[] = enginesHere()

function enginesHere(): Engine[] {
  if (process.env.TEST_CHDB) return ['postgres']
  return process.env.TEST_DATABASE_URL ? ['sqlite', 'postgres'] : ['sqlite']
}

/** For tests of what happens outside of the database: another engine would show nothing new. */
export const oneEngine: Engine[] = engines.slice(0, 1)

/** For tests whose statements other tests run on both engines: the soak runs these on both, too. */
export const oneEngineInCi: Engine[] = isSoak ? engines : oneEngine

/** For tests of whole processes, which take long: in CI they run on PostgreSQL if there is a server. */
export const serverEngineInCi: Engine[] = isSoak ? engines : engines.slice(-1)

/** A database with its tables and nothing in them; `empty` has no tables either. */
export async function newPlace(engine: Engine, { empty = false } = {}): Promise<Place> {
  const dataDir = await newFolder()
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const file = join(dataDir, 'tessera.sqlite')
    const template = process.env.SQLITE_TEMPLATE
    if (template && !empty) await copyFile(template, file)
    return { dataDir, location: { engine, file }, remove: removeFolder }
  }
  const name = `tessera_${randomBytes(6).toString('hex')}`
  const template = (!empty && process.env.POSTGRES_TEMPLATE) || 'template1'
  await onServer(`create database ${name} template ${template}`)
  const scans = await newScansPlace(name)
  const remove = async () => {
    await removeFolder()
    await removeScansPlace(name)
    await onServer(`drop database if exists ${name} with (force)`)
  }
  return { dataDir, location: { engine, url: urlOf(name), scans }, remove }
}
