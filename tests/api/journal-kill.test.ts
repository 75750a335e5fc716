import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { quantile } from '../../bench/figures.ts'
import { answeredEarly, expectKept, startBurst } from '../support/burst.ts'
import { oneEngineInCi } from '../support/engines.ts'
import { holdFolding } from '../support/held-database.ts'
import { eventually } from '../support/ledger.ts'
import type { PrintedCode } from '../support/printed-code.ts'
import { ended, type ServerProcess, settingsOf, startProcess } from '../support/process.ts'
import { isSoak, seed, times } from '../support/soak.ts'
import { databaseForBlock } from '../support/test-database.ts'
import { visit } from '../support/visitors.ts'

describe.each(oneEngineInCi)('the process on %s', (engine) => {
  const database = databaseForBlock(engine)
  let server: ServerProcess | undefined

  const earlyFile = () => join(database.dataDir, 'early-answers')

  async function start(): Promise<ServerProcess> {
    const { location, dataDir } = database
    await rm(earlyFile(), { force: true })
    server = await startProcess({
      dataDir,
      preload: 'early-answers.ts',
      environment: { ...settingsOf(location), EARLY_ANSWERS: earlyFile() },
    })
    return server
  }

  afterAll(async () => {
    if (server) await ended(server.child, 'SIGKILL')
  })

  const journals = async () =>
    (await readdir(join(database.dataDir, 'journal'))).filter((name) => !name.endsWith('.lock'))

  /** The process that runs now has folded what the killed one left. */
  const leftIsFolded = () => eventually(async () => (await journals()).length === 1)

  async function expectIntact() {
    if (engine === 'postgres') return
    const { rows } = await sql`pragma quick_check`.execute(database.db)
    expect(rows).toEqual([{ quick_check: 'ok' }])
  }

  // How many more redirects go out before each kill, and whether folding is held up then.
  const kills = fc
    .sample(fc.nat(300), { seed, numRuns: times(1, 60) })
    .map((more, round) => ({ more, isHeld: round % 2 === 0 }))
  const startsMs: number[] = []

  /** The next start serves though it can fold nothing yet. */
  async function serves({ origin }: ServerProcess, { key }: PrintedCode) {
    expect((await visit(`${origin}/qr/${key}`)).status).toBe(302)
    expect(await journals()).toHaveLength(2)
  }

  test('killed in a burst of scans, it has lost none that was on disk before its answer; the next start serves at once and counts them', async () => {
    let running = await start()
    for (const [round, { more, isHeld }] of kills.entries()) {
      const burst = await startBurst(database.db, `round-${round}`, [running])
      const { crowd, codes } = burst
      const held = isHeld ? await holdFolding(database.location) : undefined
      await eventually(() => crowd.answered.length > more)
      await ended(running.child, 'SIGKILL')
      await crowd.stop()
      const early = await answeredEarly(earlyFile())
      // A start on SQLite waits for its turn to write.
      if (engine === 'sqlite') await held?.release()
      const since = performance.now()
      running = await start()
      startsMs.push(performance.now() - since)
      if (engine === 'postgres' && held) {
        await serves(running, codes[0] as PrintedCode)
        await held.release()
      }
      await leftIsFolded()
      await expectIntact()
      await expectKept(database, burst, early)
    }
    sayStarts()
  })

  /** Only said: how quick a start is depends on what else the machine does. */
  function sayStarts() {
    if (!isSoak) return
    const [middle, most] = [quantile(startsMs, 0.5), Math.max(...startsMs)]
    console.log(
      `${kills.length} kills on ${engine}: the next start answered after ${middle.toFixed(0)} ms ` +
        `(median, at most ${most.toFixed(0)} ms)`,
    )
  }

  if (!isSoak) return

  test('told to stop under load, it finishes its requests, stores each answered scan and exits with 0', async () => {
    const running = server ?? (await start())
    const burst = await startBurst(database.db, 'stopped', [running])
    const { crowd } = burst
    await eventually(() => crowd.answered.length > 200)
    const { socket, answer, rest } = beginSignIn(running)
    await once(socket, 'connect')
    // One is answered while the connection is taken, and the next one after its head was read.
    for (let asked = 0; asked < 3; asked++) await fetch(`${running.origin}/healthz`)
    const stopped = running.stop()
    await eventually(async () => !(await fetch(`${running.origin}/healthz`).catch(() => null)))
    socket.write(rest)
    expect(await stopped).toBe(0)
    expect(await answer).toMatch(/^HTTP\/1\.1 422 /)
    await crowd.stop()
    await expectKept(database, burst)
  })

  /** Sends the first part of a sign-in without a password, which costs no hash; `rest` completes it. */
  function beginSignIn({ origin }: ServerProcess) {
    const socket = dial(Number(new URL(origin).port), '127.0.0.1')
    const answer = text(socket)
    const body = JSON.stringify({ email: 'ada@example.com' })
    socket.write(
      `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    )
    return { socket, answer, rest: body.slice(9) }
  }
})
