import { readFile, rm } from 'node:fs/promises'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedFrom, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { printCodes } from '../support/printed-code.ts'
import { ended, type ServerProcess, startProcess } from '../support/process.ts'
import { times } from '../support/soak.ts'
import { Crowd } from '../support/visitors.ts'

describe.each(engines)('the process on %s', (engine) => {
  let place: Place
  let database: Database
  let server: ServerProcess

  const earlyAnswers = () => join(place.dataDir, 'early-answers')

  async function start() {
    const { location, dataDir } = place
    const environment: Record<string, string> =
      location.engine === 'postgres'
        ? { DATABASE_URL: location.url, SESSION_SECRET: 'x'.repeat(32) }
        : {}
    await rm(earlyAnswers(), { force: true })
    server = await startProcess({
      dataDir,
      preload: 'early-answers.ts',
      environment: { ...environment, EARLY_ANSWERS: earlyAnswers() },
    })
  }

  beforeEach(async () => {
    place = await newPlace(engine)
    await start()
    database = connect(place.location, () => {})
  })
  afterEach(async () => {
    await ended(server.child, 'SIGKILL')
    await database.close()
    await place.remove()
  })

  async function urls() {
    const codes = await printCodes(database.db, 5)
    return codes.map(({ key }) => `http://127.0.0.1:${new URL(server.origin).port}/qr/${key}`)
  }

  /** Whose redirect went out before their scan was on disk, also in the last moment before a kill. */
  async function answeredEarly(): Promise<Set<string>> {
    const text = await readFile(earlyAnswers(), 'utf8').catch(() => '')
    return new Set(text.split('\n').slice(0, -1))
  }

  async function intact() {
    if (engine === 'postgres') return
    const { rows } = await sql`pragma integrity_check`.execute(database.db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }

  test('killed in a burst of scans, it has lost none whose commit it awaited', async () => {
    for (let round = 0; round < times(3, 40); round++) {
      const crowd = new Crowd(`round-${round}`)
      crowd.start(await urls(), 32)
      await eventually(async () => crowd.answered.length > 50 + (await answeredEarly()).size)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
      await ended(server.child, 'SIGKILL')
      await crowd.stop()
      const early = await answeredEarly()
      await start()
      await intact()

      const ledger = await ledgerOf(database.db)
      const stored = ledger
        .map((row) => row.text ?? '')
        .filter((who) => who.includes(`round-${round}/`))
      expect(new Set(stored).size).toBe(stored.length)
      expect(stored.length).toBeLessThanOrEqual(crowd.sent)
      const found = new Set(stored)
      const awaited = crowd.answered.filter((who) => !early.has(who))
      expect(awaited.filter((who) => !found.has(who))).toEqual([])
      expect(await rollupsOf(database.db)).toEqual(countedFrom(ledger))
    }
  })

  test('told to stop under load, it ends with 0 and every answered scan is stored', async () => {
    const crowd = new Crowd('stopped')
    crowd.start(await urls(), 32)
    await eventually(() => crowd.answered.length > 200)
    expect(await server.stop()).toBe(0)
    await crowd.stop()
    const ledger = await ledgerOf(database.db)
    const stored = ledger.map((row) => row.text)
    expect(stored).toEqual(expect.arrayContaining(crowd.answered))
    expect(new Set(stored).size).toBe(stored.length)
    expect(await rollupsOf(database.db)).toEqual(countedFrom(ledger))
  })

  test('told to stop, it finishes the request that is under way', async () => {
    const socket = dial(Number(new URL(server.origin).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const body = JSON.stringify({ email: 'ada@example.com', password: 'wrong horse battery' })
    socket.write(
      `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nOrigin: ${server.origin}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    // Once another request is answered, the head of this one has arrived too.
    await fetch(`${server.origin}/healthz`)
    const stopped = server.stop()
    await eventually(async () => !(await fetch(`${server.origin}/healthz`).catch(() => null)))
    socket.write(body.slice(9))
    expect(await stopped).toBe(0)
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })
})
