import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import type { Location, ScansPlace } from '../../src/server/database/connect.ts'
import { newFolder } from './folder.ts'
import { freePort } from './free-port.ts'

/** A ClickHouse server for tests: chdb's engine, installed in the folder TEST_CHDB, behind ClickHouse's interface. */
export type ScansServer = { url: string; kill: () => Promise<void> }

/** @param options.data where its data are, to start one again on them; @param options.port the port that it had */
export async function startScansServer(options: { data?: string; port?: number } = {}) {
  const { data = await newFolder(), port = await freePort() } = options
  const program = new URL('./clickhouse-program.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, process.env.TEST_CHDB ?? '', data, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const kill = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { url: `http://127.0.0.1:${port}`, data, port, kill }
}

/** Where the scans of a place are, if they are in ClickHouse. */
export const scansIn = (location: Location): ScansPlace | undefined =>
  location.engine === 'postgres' ? location.scans : undefined

/** Makes a database in the server that all tests share; undefined if they run without ClickHouse. */
export async function newScansPlace(name: string): Promise<ScansPlace | undefined> {
  const server = process.env.CLICKHOUSE_URL
  if (!server) return undefined
  await onScansServer(`create database ${name}`)
  return { url: `${server}/${name}` }
}

export async function removeScansPlace(name: string): Promise<void> {
  if (process.env.CLICKHOUSE_URL) await onScansServer(`drop database if exists ${name}`)
}

export async function onScansServer(statement: string): Promise<void> {
  const clickhouse = new ClickHouse({ url: process.env.CLICKHOUSE_URL ?? '' })
  await clickhouse.run(statement)
  await clickhouse.close()
}
