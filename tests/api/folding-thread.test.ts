import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FoldingDeps, foldingOf } from '../../src/server/analytics/record/folding/folding.ts'
import { foldFormerSpill } from '../../src/server/analytics/record/former-spill.ts'
import { BEGINNING, packed, segmentFile } from '../../src/server/analytics/record/journal/layout.ts'
import type { Owned } from '../../src/server/analytics/record/journal/ownership.ts'
import {
  DURABLE,
  type JournalState,
  newJournalState,
  SLEEPING,
} from '../../src/server/analytics/record/journal/shared-memory.ts'
import { engines } from '../support/engines.ts'
import { newFolder } from '../support/folder.ts'
import { JournalFile, journalScan } from '../support/journal-file.ts'
import { countedLedger, eventually, ledgerOf } from '../support/ledger.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { scanFrom, spilledLine } from '../support/past-scans.ts'
import { databaseForBlock } from '../support/test-database.ts'

describe.each(engines)('the folding thread on %s', (engine) => {
  const database = databaseForBlock(engine)
  let tests = 0
  let dataDir: string
  let before: number
  let own: JournalFile
  let state: JournalState
  let folding: ReturnType<typeof foldingOf>
  let released: string[]
  let said: { msg: string; kept?: string }[]

  const log = pino({ level: 'trace' }, { write: (line) => said.push(JSON.parse(line)) })
  const foldingWith = (deps: Partial<FoldingDeps> = {}) =>
    foldingOf({
      location: database.location,
      dataDir,
      own: owned('own'),
      state,
      log,
      ...deps,
    })
  beforeEach(async () => {
    tests++
    dataDir = await newFolder()
    before = (await ledgerOf(database)).length
    own = journalFile('own', 'own0000000')
    state = newJournalState(packed(BEGINNING))
    released = []
    said = []
    folding = foldingWith()
    folding.start()
  })
  afterEach(() => folding.stop(STEP_LIMIT_MS))

  const folderOf = (id: string) => join(dataDir, 'journal', id)
  const journalFile = (id: string, nonce: string) => new JournalFile(folderOf(id), nonce)
  /** A journal of this test. */
  const owned = (name: string): Owned => ({
    id: `${name} ${tests}`,
    folder: folderOf(name),
    release: () => released.push(name),
  })

  let scans = 0
  /** Writes a scan into the own journal, as the main thread does once it is on disk. */
  function scan() {
    own.write([journalScan({ at: Date.now() + scans++ })])
    Atomics.store(state.positions, DURABLE, packed(own.end))
    if (Atomics.compareExchange(state.flags, SLEEPING, 1, 0) === 1) folding.wake()
  }
  const caughtUp = () => folding.flush(STEP_LIMIT_MS)

  /** The scans that this test has brought into the ledger. */
  const stored = async () => (await countedLedger(database)).length - before
  const positions = async () => {
    const ids = database.db.selectFrom('journals').select('id')
    return (await ids.where('id', 'like', `% ${tests}`).execute()).map(({ id }) => id)
  }
  const metric = (name: string) => folding.metrics().find((one) => one.name === name)?.value

  test('who asks for the scans that are on disk gets them', async () => {
    for (let number = 1; number <= 20; number++) {
      scan()
      expect(await caughtUp()).toBe(true)
      expect(await stored()).toBe(number)
    }
    expect(folding.ownFolded).toBe(20)
    expect(metric('tessera_scans_recorded_total')).toBe(20)
  })

  test('scans come into the numbers without a call that asks for them', async () => {
    scan()
    await eventually(async () => (await stored()) === 1)
    for (let more = 0; more < 30; more++) scan()
    await eventually(async () => (await stored()) === 31)
  })

  test('a stop folds all that is on disk, and leaves neither journal nor position', async () => {
    for (let number = 0; number < 50; number++) scan()
    expect(await folding.stop(STEP_LIMIT_MS)).toBe(true)
    expect(await stored()).toBe(50)
    expect(existsSync(own.folder)).toBe(false)
    expect(await positions()).toEqual([])
  })

  test("folds ended processes' journals beside its own, and removes them", async () => {
    for (const id of ['first', 'second']) {
      const file = journalFile(id, `${id}00000`.slice(0, 10))
      for (let number = 0; number < 10; number++) file.write([journalScan()])
      file.rotate()
      file.write([journalScan()])
    }
    mkdirSync(folderOf('empty'))
    folding.take(['first', 'empty', 'second'].map(owned))
    scan()
    await eventually(() => released.length === 3)
    await caughtUp()
    expect(await stored()).toBe(23)
    expect(['first', 'second', 'empty'].some((id) => existsSync(folderOf(id)))).toBe(false)
    expect(await positions()).toEqual([owned('own').id])
    expect(metric('tessera_journals_taken_total')).toBe(3)
  })

  test('if the thread dies, another one goes on, and each scan counts once', async () => {
    await folding.stop(STEP_LIMIT_MS)
    own = journalFile('own', 'own1111111')
    const thread = new URL('../support/dying-folding-thread.ts', import.meta.url)
    state = newJournalState(packed(BEGINNING))
    folding = foldingWith({ thread })
    folding.start()
    const file = journalFile('other', 'other00000')
    file.write([journalScan(), journalScan()])
    folding.take([owned('other')])
    for (let number = 0; number < 40; number++) scan()
    expect(await caughtUp()).toBe(true)
    await eventually(() => released.includes('other'))
    expect(said.filter(({ msg }) => /thread ended/.test(msg))).toHaveLength(2)
    expect(await stored()).toBe(42)
  })

  test('a damaged part is kept for a person, and what comes behind it counts', async () => {
    const file = journalFile('hurt', 'hurt000000')
    const first = file.write([journalScan()])
    file.rotate()
    file.write([journalScan()])
    writeSync(openSync(join(file.folder, segmentFile(0)), 'r+'), 'x', first.offset + 40)
    folding.take([owned('hurt')])
    await eventually(() => released.includes('hurt'))
    expect(await stored()).toBe(1)
    const [report] = said.filter(({ msg }) => msg === 'part of a journal cannot be read')
    expect(existsSync(report?.kept ?? '')).toBe(true)
    expect(metric('tessera_journal_damaged_bytes_total')).toBeGreaterThan(0)
  })

  test('a refused scan is in a file that says what it was', async () => {
    const { kind } = journalScan()
    own.write([journalScan({ kind: { ...kind, rule: null as never }, visitor: 'v'.repeat(16) })])
    scan()
    expect(await caughtUp()).toBe(true)
    expect(await stored()).toBe(1)
    const kept = readFileSync(join(dataDir, 'journal', 'refused-scans.jsonl'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ code_id: 'code', visitor: 'v'.repeat(16), rule: null })
    expect(metric('tessera_scans_refused_total')).toBe(1)
  })

  test('what an earlier version spilled counts once, and its files go', async () => {
    const spill = join(dataDir, 'spill')
    mkdirSync(spill)
    const lines = [1, 2].map(() => spilledLine(scanFrom({ code_id: 'code', at: Date.now() })))
    writeFileSync(join(spill, 'scans-1-a-1.jsonl'), `${lines[0]}\n${lines[1]}\n`)
    writeFileSync(join(spill, 'scans-1-a-2.jsonl.part'), `${lines[1]}\n[1,2]\n["torn`)
    await foldFormerSpill(database.location, dataDir)
    expect(await stored()).toBe(2)
    expect(readdirSync(spill)).toEqual([])
    const kept = readFileSync(join(dataDir, 'journal', 'refused-scans.jsonl'), 'utf8')
    expect(kept).toBe('[1,2]\n["torn\n')
  })
})
