import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Folding } from '../../src/server/analytics/record/folding/folding.ts'
import { openPostgresLine } from '../../src/server/analytics/record/folding/postgres-ledger.ts'
import { BEGINNING, packed } from '../../src/server/analytics/record/journal/layout.ts'
import {
  DURABLE,
  newJournalState,
} from '../../src/server/analytics/record/journal/shared-memory.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { CuttingProxy, type Moment } from '../support/cutting-proxy.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { JournalFile, journalScan } from '../support/journal-file.ts'
import { countedLedger, eventually, ledgerOf } from '../support/ledger.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'

describe.each(engines.filter((engine) => engine === 'postgres'))('folding into %s', (engine) => {
  let place: Place
  let database: Database
  let proxy: CuttingProxy
  let own: JournalFile
  let folding: Folding
  const state = newJournalState(packed(BEGINNING))
  const said: string[] = []

  beforeEach(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
    proxy = await CuttingProxy.start((place.location as { url: string }).url)
    own = new JournalFile(join(place.dataDir, 'journal', 'own'))
    folding = new Folding({
      location: { engine: 'postgres', url: proxy.url },
      dataDir: place.dataDir,
      own: { id: 'own', folder: own.folder, release: () => {} },
      state,
      log: pino({ level: 'info' }, { write: (line) => said.push(JSON.parse(line).msg) }),
    })
    folding.start()
    return async () => {
      await folding.stop(STEP_LIMIT_MS)
      await proxy.stop()
      await database.close()
      await place.remove()
    }
  })
  afterEach(() => {
    for (const index of state.positions.keys()) state.positions[index] = 0n
  })

  let scans = 0
  function scan() {
    own.write([journalScan({ at: Date.now() + scans++ })])
    Atomics.store(state.positions, DURABLE, packed(own.end))
    folding.wake()
  }
  async function everyScanOnce(count: number) {
    expect(await folding.flush(STEP_LIMIT_MS)).toBe(true)
    expect(await countedLedger(database)).toHaveLength(count)
  }

  test.each<Moment>(['before', 'after'])(
    'if the line is cut %s the server gets the COMMIT, each scan is counted once',
    async (moment) => {
      let isDue = false
      proxy.cut = (sql) => {
        const isCut = isDue && sql === 'commit'
        if (isCut) isDue = false
        return isCut ? moment : undefined
      }
      for (let round = 1; round <= 4; round++) {
        isDue = true
        scan()
        scan()
        await everyScanOnce(2 * round)
      }
      expect(proxy.cuts).toBe(4)
      expect(folding.ownFolded).toBe(8)
    },
  )

  test('while the database is away scans wait, and the log says so; then all count', async () => {
    scan()
    await everyScanOnce(1)
    proxy.down()
    scan()
    await eventually(() => said.includes('scans wait: folding fails'))
    scan()
    proxy.up()
    await everyScanOnce(3)
    await eventually(() => said.includes('folding goes on'))
  })

  test('a stop that cannot fold says so, and the next start folds what is left', async () => {
    proxy.down()
    scan()
    expect(await folding.stop(100)).toBe(false)
    proxy.up()
    const next = new Folding({
      location: place.location,
      dataDir: place.dataDir,
      log: pino({ level: 'silent' }),
      own: { id: 'next', folder: join(place.dataDir, 'journal', 'next'), release: () => {} },
      state: newJournalState(packed(BEGINNING)),
    })
    next.start()
    let isReleased = false
    const release = () => {
      isReleased = true
    }
    next.take([{ id: 'own', folder: own.folder, release }])
    await eventually(() => isReleased)
    expect(await ledgerOf(database.db)).toHaveLength(1)
    new JournalFile(join(place.dataDir, 'journal', 'next'))
    await next.stop(STEP_LIMIT_MS)
  })

  test('a statement after the cut never runs outside its transaction', async () => {
    const line = openPostgresLine(proxy.url)
    await line.run('begin')
    proxy.down()
    proxy.up()
    await eventually(() => !line.isUsable)
    const insert = "insert into agents (id, text) values (1, 'outside')"
    await expect(line.run(insert)).rejects.toThrow()
    await expect(line.run('commit')).rejects.toThrow()
    expect(await database.db.selectFrom('agents').selectAll().execute()).toEqual([])
  })
})
