import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { ScansPlace } from '../../src/server/database/connect.ts'
import { answeredEarly, expectKept, startBurst } from '../support/burst.ts'
import { scansIn, startScansServer } from '../support/clickhouse.ts'
import { CuttingProxy, httpParts } from '../support/cutting-proxy.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { ended, type ServerProcess, settingsOf, startProcess } from '../support/process.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForBlock } from '../support/test-database.ts'

describe('processes whose scans go to ClickHouse', () => {
  const database = databaseForBlock('postgres')
  const running: ServerProcess[] = []
  afterAll(() => Promise.all(running.map(({ child }) => ended(child, 'SIGKILL'))))

  async function start(scansUrl: string, early = 'early-answers'): Promise<ServerProcess> {
    const { location, dataDir } = database
    const file = join(dataDir, early)
    await rm(file, { force: true })
    const environment = { ...settingsOf(location), SCANS_URL: scansUrl, EARLY_ANSWERS: file }
    const server = await startProcess({ dataDir, preload: 'early-answers.ts', environment })
    running.push(server)
    return server
  }

  /** The folders of journals that are not folded yet, those of running processes among them. */
  const journals = async () =>
    (await readdir(join(database.dataDir, 'journal'))).filter((name) => !name.endsWith('.lock'))

  // The victim, at which insert it is killed, how many milliseconds after it was sent, and whether its answer was lost.
  const kills = fc.sample(
    fc.record({ victim: fc.nat(1), insert: fc.nat(6), after: fc.nat(8), isCut: fc.boolean() }),
    { seed, numRuns: times(2, 200) },
  )

  test('killed in the middle of an insert, one process loses no answered scan to the other and leaves none twice', async () => {
    const { url } = scansIn(database.location) as ScansPlace
    const names = ['early-one', 'early-other']
    const proxies = [
      await CuttingProxy.start(url, httpParts),
      await CuttingProxy.start(url, httpParts),
    ]
    const startAt = (at: number) => start(proxies[at]?.url ?? '', names[at])
    const servers = [await startAt(0), await startAt(1)]
    for (const [round, { victim, insert, after, isCut }] of kills.entries()) {
      const burst = await startBurst(database.db, `round-${round}`, servers)
      const proxy = proxies[victim] as CuttingProxy
      const { child } = servers[victim] as ServerProcess
      let inserts = 0
      proxy.cut = (part) => {
        if (!part.includes('insert into scans') || inserts++ !== insert) return
        setTimeout(() => child.kill('SIGKILL'), after)
        return isCut ? 'after' : undefined
      }
      await eventually(() => child.signalCode !== null)
      proxy.cut = () => undefined
      await burst.crowd.stop()
      const early = await answeredEarly(join(database.dataDir, names[victim] as string))
      servers[victim] = await startAt(victim)
      await eventually(async () => (await journals()).length === servers.length)
      // The other process's own journal is folded while nobody comes.
      const codes = burst.codes.map(({ id }) => id)
      const awaited = burst.crowd.answered.filter((who) => !early.has(who))
      await eventually(async () => (await ledgerOf(database, codes)).length >= awaited.length)
      await expectKept(database, burst, early)
    }
    for (const proxy of proxies) await proxy.stop()
  })
})

describe('a ClickHouse that is killed', () => {
  const database = databaseForBlock('postgres')

  test('starts again on its data with each scan once; redirects go on meanwhile', async () => {
    let scans = await startScansServer()
    const location = { ...database.location, scans: { url: `${scans.url}/default` } }
    const environment = settingsOf(location)
    const server = await startProcess({ dataDir: database.dataDir, environment })
    const burst = await startBurst(database.db, 'visitors', [server])
    const { crowd, codes } = burst
    const more = async (count: number) => {
      const until = crowd.answered.length + count
      await eventually(() => crowd.answered.length > until)
    }
    for (let kill = 0; kill < times(2, 30); kill++) {
      await more(100 + 37 * kill)
      await scans.kill()
      await more(100)
      scans = await startScansServer(scans)
    }
    await crowd.stop()
    expect(crowd.faults).toEqual([])
    const stored = () =>
      ledgerOf(
        { ...database, location },
        codes.map(({ id }) => id),
      )
    await eventually(async () => (await stored()).length >= crowd.answered.length)
    await expectKept({ ...database, location }, burst)
    await ended(server.child, 'SIGTERM')
    await scans.kill()
  })
})
