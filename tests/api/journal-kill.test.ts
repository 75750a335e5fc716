import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedFrom, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { printCodes } from '../support/printed-code.ts'
import { ended, type ServerProcess, startProcess } from '../support/process.ts'
import { seed, times } from '../support/soak.ts'
import { Crowd } from '../support/visitors.ts'

describe.each(engines)('the process on %s', (engine) => {
  let place: Place
  let database: Database
  let server: ServerProcess | undefined

  const earlyAnswers = () => join(place.dataDir, 'early-answers')

  async function start(): Promise<ServerProcess> {
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
    return server
  }

  beforeAll(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
  })
  afterAll(async () => {
    if (server) await ended(server.child, 'SIGKILL')
    await database.close()
    await place.remove()
  })

  async function newCrowd(name: string, { origin }: ServerProcess): Promise<Crowd> {
    const crowd = new Crowd(name)
    const codes = await printCodes(database.db, 5)
    crowd.start(
      codes.map(({ key }) => `http://127.0.0.1:${new URL(origin).port}/qr/${key}`),
      32,
    )
    return crowd
  }

  /** The visitors whose redirect went out before their scan was on disk, up to the moment of the kill. */
  async function answeredEarly(): Promise<Set<string>> {
    const text = await readFile(earlyAnswers(), 'utf8').catch(() => '')
    return new Set(text.split('\n').slice(0, -1))
  }

  /** The process that runs now has folded what the killed one left. */
  async function leftIsFolded() {
    const folder = join(place.dataDir, 'journal')
    const journals = async () => (await readdir(folder)).filter((name) => !name.endsWith('.lock'))
    await eventually(async () => (await journals()).length === 1)
  }

  async function expectIntact() {
    if (engine === 'postgres') return
    const { rows } = await sql`pragma integrity_check`.execute(database.db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }

  /** Each visitor's scan is in the ledger at most once; answers the visitors. */
  async function storedOf(crowd: Crowd): Promise<Set<string>> {
    const ledger = await ledgerOf(database.db)
    expect(await rollupsOf(database.db)).toEqual(countedFrom(ledger))
    const stored = ledger.map((row) => row.text ?? '').filter((who) => crowd.includes(who))
    expect(stored.length).toBeLessThanOrEqual(crowd.sent)
    expect(new Set(stored).size).toBe(stored.length)
    return new Set(stored)
  }

  // How many more redirects go out before each kill.
  const kills = fc.sample(fc.nat(500), { seed, numRuns: times(2, 40) })

  test('killed in a burst of scans, it has lost none that was on disk before its answer, and the next start counts them', async () => {
    let running = await start()
    for (const [round, more] of kills.entries()) {
      const crowd = await newCrowd(`round-${round}`, running)
      await eventually(async () => crowd.answered.length > 50 + (await answeredEarly()).size)
      const before = crowd.answered.length
      await eventually(() => crowd.answered.length >= before + more)
      await ended(running.child, 'SIGKILL')
      await crowd.stop()
      const early = await answeredEarly()
      running = await start()
      await leftIsFolded()
      await expectIntact()
      const stored = await storedOf(crowd)
      const awaited = crowd.answered.filter((who) => !early.has(who))
      expect(awaited.filter((who) => !stored.has(who))).toEqual([])
    }
  })

  test('told to stop under load, it finishes its requests, stores each answered scan and exits with 0', async () => {
    const running = server ?? (await start())
    const crowd = await newCrowd('stopped', running)
    await eventually(() => crowd.answered.length > 200)
    const { socket, answer, rest } = beginSignIn(running)
    await once(socket, 'connect')
    // One is answered while the connection is taken, and the next one after its head was read.
    for (let asked = 0; asked < 3; asked++) await fetch(`${running.origin}/healthz`)
    const stopped = running.stop()
    await eventually(async () => !(await fetch(`${running.origin}/healthz`).catch(() => null)))
    socket.write(rest)
    expect(await stopped).toBe(0)
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
    await crowd.stop()
    const stored = await storedOf(crowd)
    expect(crowd.answered.filter((who) => !stored.has(who))).toEqual([])
  })

  /** Sends the first part of a sign-in; `rest` completes it. */
  function beginSignIn({ origin }: ServerProcess) {
    const socket = dial(Number(new URL(origin).port), '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
    const body = JSON.stringify({ email: 'ada@example.com', password: 'wrong horse battery' })
    socket.write(
      `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    return { socket, answer, rest: body.slice(9) }
  }
})
