import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ScansPlace } from '../../src/server/database/connect.ts'
import { answeredEarly, expectKept, startBurst } from '../support/burst.ts'
import { scansIn, startScansServer } from '../support/clickhouse.ts'
import { CuttingProxy, httpParts } from '../support/cutting-proxy.ts'
import { eventually } from '../support/ledger.ts'
import { ended, type ServerProcess, settingsOf, startProcess } from '../support/process.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForBlock } from '../support/test-database.ts'

/** Killed in each round */
const PROCESSES = times(2, 4)

describe('processes whose scans go to ClickHouse', () => {
  const database = databaseForBlock('postgres')
  const earlyFile = () => join(database.dataDir, 'early-answers')

  async function start(proxy: CuttingProxy): Promise<ServerProcess> {
    const { location, dataDir } = database
    const places = { SCANS_URL: proxy.url, EARLY_ANSWERS: earlyFile() }
    const environment = { ...settingsOf(location), ...places }
    const server = await startProcess({ dataDir, preload: 'early-answers.ts', environment })
    onTestFinished(() => void ended(server.child, 'SIGKILL'))
    return server
  }

  /** The folders of journals that are not folded yet, those of running processes among them. */
  const journals = async () =>
    (await readdir(join(database.dataDir, 'journal'))).filter((name) => !name.endsWith('.lock'))

  // For each of the processes: at which insert it is killed, how many milliseconds after it was sent, and whether its answer was lost.
  const kill = fc.record({ insert: fc.nat(2), after: fc.nat(8), isCut: fc.boolean() })
  const plan = fc.array(kill, { minLength: PROCESSES, maxLength: PROCESSES })
  const kills = fc.sample(plan, { seed, numRuns: times(1, 50) })

  test('killed in the middle of an insert, processes lose no answered scan to each other and leave none twice', async () => {
    const { url } = scansIn(database.location) as ScansPlace
    const newProxy = () => CuttingProxy.start(url, httpParts)
    const proxies = await Promise.all(Array.from({ length: PROCESSES }, newProxy))
    let servers = await Promise.all(proxies.map(start))
    for (const [round, plan] of kills.entries()) {
      const burst = await startBurst(database.db, `round-${round}`, servers)
      for (const [index, { insert, after, isCut }] of plan.entries()) {
        const [proxy, { child }] = [proxies[index] as CuttingProxy, servers[index] as ServerProcess]
        let inserts = 0
        proxy.cut = (part) => {
          if (!part.includes('insert into scans') || inserts++ !== insert) return
          setTimeout(() => child.kill('SIGKILL'), after)
          return isCut ? 'after' : undefined
        }
      }
      await eventually(() => servers.every(({ child }) => child.signalCode !== null))
      for (const proxy of proxies) proxy.cut = () => undefined
      await burst.crowd.stop()
      const early = await answeredEarly(earlyFile())
      servers = await Promise.all(proxies.map(start))
      await eventually(async () => (await journals()).length === servers.length)
      await expectKept(database, burst, early)
    }
    for (const proxy of proxies) await proxy.stop()
  })

  test('have each scan once when ClickHouse is killed, and redirect meanwhile', async () => {
    let scans = await startScansServer()
    const location = { ...database.location, scans: { url: `${scans.url}/default` } }
    const environment = settingsOf(location)
    const server = await startProcess({ dataDir: database.dataDir, environment })
    const burst = await startBurst(database.db, 'visitors', [server])
    const { crowd } = burst
    const answered = (count: number) => eventually(() => crowd.answered.length > count)
    for (let kill = 0; kill < times(2, 30); kill++) {
      await answered(crowd.answered.length + 100 + 37 * kill)
      await scans.kill()
      await answered(crowd.answered.length + 100)
      scans = await startScansServer(scans)
    }
    await crowd.stop()
    expect(crowd.faults).toEqual([])
    await expectKept({ ...database, location }, burst)
    await ended(server.child, 'SIGTERM')
    await scans.kill()
  })
})
