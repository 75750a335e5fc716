import { execFileSync, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quantile } from '../../bench/figures.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { CuttingProxy } from '../support/cutting-proxy.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { holdLedger } from '../support/held-database.ts'
import { countedLedger, eventually } from '../support/ledger.ts'
import { metricOf } from '../support/metric.ts'
import { printCodes } from '../support/printed-code.ts'
import { ended, type ServerProcess, startProcess } from '../support/process.ts'
import { isSoak } from '../support/soak.ts'
import { Crowd, visit } from '../support/visitors.ts'

/*
 * Faults of a real process under load: what visitors see, and what the operator reads in the log.
 * In CI a fault lasts until it was seen, in a soak as long as the day says.
 */

/** Concurrent visitors: few, so that a soak measures redirects and not the test's own queue. */
const AT_ONCE = 4
const ANSWERS = 100
const HEALTHY_SOAK_MS = 3_000
const SLOW_MS = 200

const hasPrlimit = spawnSync('prlimit', ['--version']).error === undefined

describe.each(engines)('the process on %s', (engine) => {
  let place: Place
  let database: Database
  let proxy: CuttingProxy | undefined
  let server: ServerProcess
  let said = ''

  const slowDisk = () => join(place.dataDir, 'slow-disk')

  beforeAll(async () => {
    place = await newPlace(engine)
    const { location, dataDir } = place
    database = connect(location, () => {})
    const environment: Record<string, string> = { LOG_LEVEL: 'info', SLOW_DISK: slowDisk() }
    if (location.engine === 'postgres') {
      proxy = await CuttingProxy.start(location.url)
      Object.assign(environment, { DATABASE_URL: proxy.url, SESSION_SECRET: 'x'.repeat(32) })
    }
    const onLog = (text: string) => {
      said += text
    }
    server = await startProcess({ dataDir, preload: 'slow-disk.ts', environment, onLog })
  })
  afterAll(async () => {
    await ended(server.child, 'SIGKILL')
    await proxy?.stop()
    await database.close()
    await place.remove()
  })

  const metric = (name: string) => metricOf(server, name)
  const isSaid = (message: string) => said.includes(`"msg":"${message}"`)

  /** The counters that the process publishes as metrics. */
  async function counters() {
    const [early, lost, failedWrites, recorded, failedFolds, waiting, stalled] = await Promise.all(
      [
        ...['answered_before_commit', 'scans_lost_total', 'journal_write_failures_total'],
        ...['scans_recorded_total', 'fold_failures_total', 'scans_waiting', 'journal_stalled'],
      ].map(metric),
    )
    return { early, lost, failedWrites, recorded, failedFolds, waiting, stalled } as Record<
      'early' | 'lost' | 'failedWrites' | 'recorded' | 'failedFolds' | 'waiting' | 'stalled',
      number
    >
  }

  /** How a file may grow in this process: a disk is full for whatever it writes. */
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', [`--pid=${server.child.pid}`, `--fsize=${bytes}:unlimited`])

  type Counters = Awaited<ReturnType<typeof counters>>
  type Day = {
    name: string
    /** In a soak */
    lastsMs: number
    begin: () => Promise<() => Promise<unknown>>
    /** Whether the counters, since it began, and the log say what happens. */
    isTold: (now: Counters, before: Counters) => boolean
    isOverTold: () => boolean
  }

  const days: Day[] = [
    ...(hasPrlimit
      ? [
          {
            name: 'the disk is full',
            lastsMs: 5_000,
            begin: async () => {
              limitFiles('0')
              return async () => limitFiles('unlimited')
            },
            isTold: (now: Counters, before: Counters) =>
              now.stalled === 1 &&
              now.failedWrites > before.failedWrites &&
              now.early > before.early &&
              isSaid('scans not written to the journal yet'),
            isOverTold: () => isSaid('scans are being written to the journal again'),
          },
        ]
      : []),
    {
      name: `a sync of the disk takes ${SLOW_MS} ms longer`,
      lastsMs: 10_000,
      begin: async () => {
        await writeFile(slowDisk(), `${SLOW_MS}`)
        return () => rm(slowDisk())
      },
      isTold: (now, before) =>
        now.early > before.early &&
        isSaid('a write to the journal takes long; redirects go out before it'),
      isOverTold: () => isSaid('scans are being written to the journal again'),
    },
    {
      name: 'another program holds the ledger',
      lastsMs: 5_000,
      begin: async () => (await holdLedger(place.location)).release,
      // The log says it after two seconds of the lock.
      isTold: (now) => now.waiting >= ANSWERS && (!isSoak || isSaid('scans wait: folding fails')),
      isOverTold: () => !isSoak || isSaid('folding goes on'),
    },
    ...(engine === 'postgres'
      ? [
          {
            name: 'the database is away',
            lastsMs: 60_000,
            begin: async () => {
              proxy?.down()
              return async () => proxy?.up()
            },
            isTold: (now: Counters, before: Counters) =>
              now.waiting >= ANSWERS &&
              now.failedFolds > before.failedFolds &&
              isSaid('scans wait: folding fails'),
            isOverTold: () => isSaid('folding goes on'),
          },
        ]
      : []),
  ]

  test.each(days)('while $name redirects go out, it says so, and no scan is lost', async (day) => {
    const codes = await printCodes(database.db, 5)
    const port = new URL(server.origin).port
    const urls = codes.map(({ key }) => `http://127.0.0.1:${port}/qr/${key}`)
    for (const url of urls) expect((await visit(url, { method: 'HEAD' })).status).toBe(302)
    const crowd = new Crowd(day.name)
    crowd.start(urls, AT_ONCE)
    await eventually(() => crowd.answered.length > ANSWERS)
    if (isSoak) await sleep(HEALTHY_SOAK_MS)
    const before = await counters()
    const healthy = crowd.times.length
    const end = await day.begin()
    if (isSoak) await sleep(day.lastsMs)
    await eventually(async () => day.isTold(await counters(), before))
    await eventually(() => crowd.answered.length > healthy + ANSWERS)
    const bad = crowd.times.length
    await end()
    const answered = crowd.answered.length
    await eventually(() => crowd.answered.length > answered + ANSWERS)
    await crowd.stop()
    await eventually(async () => (await metric('scans_waiting')) === 0)
    await eventually(day.isOverTold)

    expect(crowd.faults).toEqual([])
    const after = await counters()
    expect(after.lost).toBe(before.lost)
    expect(after.stalled).toBe(0)
    const ids = codes.map(({ id }) => id)
    const persons = (await countedLedger(database, ids)).filter((row) => row.class === 'person')
    expect(persons).toHaveLength(crowd.answered.length)
    // In a soak there may be more visitors than the service keeps texts of.
    const texts = persons.map(({ text }) => text).filter((text) => text !== null)
    expect(new Set(texts).size).toBe(texts.length)
    const early = after.early - before.early
    sayHowMuchLater(day, crowd.times.slice(0, healthy), crowd.times.slice(healthy, bad), early)
  })

  function sayHowMuchLater({ name }: Day, healthy: number[], bad: number[], early: number) {
    if (!isSoak) return
    const both = (share: number) =>
      `${quantile(bad, share).toFixed(1)} ms (before ${quantile(healthy, share).toFixed(1)})`
    console.log(
      `${engine}, while ${name}: ${bad.length} redirects, p50 ${both(0.5)}, p99 ${both(0.99)}, ` +
        `${early} of all answered before their scan was on disk`,
    )
  }
})
