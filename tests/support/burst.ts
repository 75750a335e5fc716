import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Database } from '../../src/server/database/connect.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { countedLedger, eventually, ledgerOf } from './ledger.ts'
import { type PrintedCode, printCodes } from './printed-code.ts'
import type { ServerProcess } from './process.ts'
import { Crowd } from './visitors.ts'

/** Visitors of new codes, until `crowd.stop()` */
export type Burst = { crowd: Crowd; codes: PrintedCode[] }

export async function startBurst(db: Db, name: string, servers: ServerProcess[]): Promise<Burst> {
  const crowd = new Crowd(name)
  const codes = await printCodes(db, 5)
  const hosts = servers.map(({ origin }) => `http://127.0.0.1:${new URL(origin).port}`)
  const urls = codes.flatMap(({ key }) => hosts.map((host) => `${host}/qr/${key}`))
  crowd.start(urls, 32)
  return { crowd, codes }
}

/** The visitors whose redirect went out before their scan was on disk, by the file of early-answers.ts */
export async function answeredEarly(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return new Set(text.split('\n').slice(0, -1))
}

/** Waits until all are stored: each visitor's scan at most once, and that of each who got a redirect, unless it was early. */
export async function expectKept(
  database: Database,
  { crowd, codes }: Burst,
  early = new Set<string>(),
): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const awaited = crowd.answered.filter((who) => !early.has(who))
  await eventually(async () => (await ledgerOf(database, ids)).length >= awaited.length)
  const ledger = await countedLedger(database, ids)
  const visitors = ledger.map((row) => row.text ?? '').filter((who) => crowd.includes(who))
  const stored = new Set(visitors)
  expect(visitors.length).toBeLessThanOrEqual(crowd.sent)
  expect(stored.size).toBe(visitors.length)
  expect(awaited.filter((who) => !stored.has(who))).toEqual([])
}
