import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Sizes, sharedMemory } from '../../../src/server/analytics/record/journal/groups.ts'
import { Journal } from '../../../src/server/analytics/record/journal/journal.ts'
import { recycle } from '../../../src/server/analytics/record/journal/journal-directory.ts'
import { ThreadWriter } from '../../../src/server/analytics/record/journal/writer.ts'
import { newFolder } from '../../support/folder.ts'
import { STEP_LIMIT_MS } from '../../support/limits.ts'
import { visitWith } from './classified-visits.ts'
import { readSegment } from './read-segment.ts'

const log = pino({ level: 'silent' })
const sizes = { segmentBytes: 64 << 10, frameBytes: 10 << 10 }
const seen = visitWith('visitor-of-16-ch')

/** The journal's files, with the real thread or an unruly one. */
class Files {
  readonly folder: string
  readonly journal: Journal
  sent = 0

  constructor(folder: string, journal: Journal) {
    this.folder = folder
    this.journal = journal
  }

  /** Records scans; resolves when their redirects may go out. */
  async scan(count: number): Promise<void> {
    const answers = Array.from({ length: count }, () => {
      const at = this.sent++
      return new Promise<void>((answer) => {
        this.journal.record(`code ${at % 7}`, seen, at, answer)
      })
    })
    await Promise.all(answers)
  }

  get segments(): string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith('.seg'))
  }

  /** The instants of the scans on disk, in order. */
  written(): number[] {
    return this.segments
      .map((name) => readSegment(readFileSync(join(this.folder, name))))
      .flatMap(({ scans }) => scans.map(({ at }) => at))
  }

  async close() {
    await this.journal.flush(STEP_LIMIT_MS)
    await this.journal.close()
  }
}

async function withThread(kind: 'fails' | 'dies', options: Sizes): Promise<Files> {
  const folder = await newFolder()
  const memory = sharedMemory(options)
  const entry = new URL(`./unruly-writer-thread.ts?${kind}`, import.meta.url)
  const data = { folder, memory, segmentBytes: sizes.segmentBytes }
  const writer = new ThreadWriter(data, entry)
  return new Files(folder, new Journal({ ...options, maxBytes: 1 << 30, log }, memory, writer))
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('the files of a journal', () => {
  let files: Files
  beforeEach(async () => {
    const folder = await newFolder()
    const options = { folder, maxBytes: 1 << 30, log, ...sizes, patienceMs: STEP_LIMIT_MS }
    files = new Files(folder, await Journal.open(options))
  })
  afterEach(() => files.close())

  test('hold each scan when its redirect goes out', async () => {
    for (let burst = 1; burst <= 20; burst++) {
      await files.scan(burst)
      expect(files.written()).toEqual(numbered(files.sent))
    }
    expect(files.journal.counts.answeredEarly).toBe(0)
  })

  test('are segments of one size, each in its turn, and for their owner alone', async () => {
    await files.scan(6_000)
    expect(files.written()).toEqual(numbered(6_000))
    expect(files.segments.length).toBeGreaterThan(3)
    const wanted = files.segments.map((_, index) => `${String(index).padStart(10, '0')}.seg`)
    expect(files.segments).toEqual(wanted)
    for (const name of files.segments) {
      const { size, mode } = statSync(join(files.folder, name))
      expect(size).toBeLessThanOrEqual(sizes.segmentBytes)
      expect(mode & 0o077).toBe(0)
    }
  })

  const hasSpare = () => existsSync(join(files.folder, 'spare'))

  test('are made before they are needed', async () => {
    await vi.waitFor(() => expect(hasSpare()).toBe(true), STEP_LIMIT_MS)
    expect(statSync(join(files.folder, 'spare')).size).toBe(sizes.segmentBytes)
    await files.scan(1)
    expect(statSync(join(files.folder, files.segments[0] as string)).size).toBe(sizes.segmentBytes)
    expect(hasSpare()).toBe(false)
    // A quarter of the segment.
    await files.scan(700)
    await vi.waitFor(() => expect(hasSpare()).toBe(true), STEP_LIMIT_MS)
  })

  test('are used again once they are not read any more', async () => {
    await files.scan(3_000)
    const [first, ...others] = files.segments
    recycle(files.folder, Number.parseInt(first as string, 10))
    expect(files.segments).toEqual(others)
    const { ino } = statSync(join(files.folder, 'spare'))
    await files.scan(3_000)
    expect(files.segments.map((name) => statSync(join(files.folder, name)).ino)).toContain(ino)
    expect(new Set(files.written()).size).toBe(files.written().length)
    expect(files.written().at(-1)).toBe(5_999)
  })
})

describe.each(['fails', 'dies'] as const)('a thread that %s at each third sync', (kind) => {
  test('loses nothing and writes nothing twice', async () => {
    const files = await withThread(kind, sizes)
    for (let burst = 1; burst <= 6; burst++) await files.scan(60 * burst)
    expect(await files.journal.flush(STEP_LIMIT_MS)).toBe(true)
    expect(files.written()).toEqual(numbered(files.sent))
    const { written, failedWrites, lost } = files.journal.counts
    expect({ written, lost }).toEqual({ written: files.sent, lost: 0 })
    expect(failedWrites).toBeGreaterThan(0)
    await files.close()
  })
})

test('a folder that is gone delays no redirect', async () => {
  const folder = join(await newFolder(), 'none')
  const journal = await Journal.open({ folder, maxBytes: 1 << 30, log, ...sizes })
  const files = new Files(folder, journal)
  await files.scan(3)
  expect(await journal.flush(0)).toBe(false)
  await journal.close()
  expect(journal.counts).toMatchObject({ written: 0, answeredEarly: 3, lost: 3 })
})
