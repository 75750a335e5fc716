import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Location } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { startScansServer } from './clickhouse.ts'
import { newFolder } from './folder.ts'
import { onServer, urlOf } from './postgres-server.ts'

/*
 * Migrates one database of each engine before the API tests run. Each test's database is a copy:
 * a third of the time of a start.
 */

export async function setup(): Promise<() => Promise<void>> {
  const folder = await newFolder()
  const file = join(folder, 'template.sqlite')
  await migrated({ engine: 'sqlite', file })
  process.env.SQLITE_TEMPLATE = file
  const name = process.env.TEST_DATABASE_URL && (await postgresTemplate())
  const scans = process.env.TEST_CHDB ? await startScansServer() : undefined
  if (scans) process.env.CLICKHOUSE_URL = scans.url
  return async () => {
    await scans?.kill()
    await rm(folder, { recursive: true, force: true })
    if (name) await onServer(`drop database if exists ${name} with (force)`)
  }
}

async function postgresTemplate(): Promise<string> {
  const name = `tessera_template_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name}`)
  await migrated({ engine: 'postgres', url: urlOf(name) })
  process.env.POSTGRES_TEMPLATE = name
  return name
}

async function migrated(location: Location): Promise<void> {
  const database = connect(location, () => {})
  await migrate(database)
  await database.close()
}
