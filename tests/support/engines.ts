import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Engine, Location } from '../../src/server/database/connect.ts'

/** A new, empty place for data, gone when the test is over. */
export type Place = { dataDir: string; location: Location; remove: () => Promise<void> }

const server = process.env.TEST_DATABASE_URL

/** The engines to test on: SQLite always, PostgreSQL when TEST_DATABASE_URL names a server. */
export const engines: Engine[] = server ? ['sqlite', 'postgres'] : ['sqlite']

export async function newPlace(engine: Engine): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-'))
  const removeFolder = () => rm(dataDir, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const location = { engine, file: join(dataDir, 'tessera.sqlite') }
    return { dataDir, location, remove: removeFolder }
  }
  const name = `tessera_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name}`)
  const url = new URL(server as string)
  url.pathname = `/${name}`
  const remove = async () => {
    await removeFolder()
    await onServer(`drop database if exists ${name} with (force)`)
  }
  return { dataDir, location: { engine, url: url.href }, remove }
}

async function onServer(sql: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
