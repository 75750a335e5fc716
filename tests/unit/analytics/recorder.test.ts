import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Recorder } from '../../../src/server/analytics/capture/recorder.ts'
import type { CommitReply } from '../../../src/server/analytics/capture/recorder-thread.ts'
import type { Spill } from '../../../src/server/analytics/capture/spill.ts'
import { seed, times } from '../../support/soak.ts'

const log = pino({ level: 'silent' })
const BATCH_MAX = 2_000
const WAITING_MAX = 100

/** A recorder whose commits and files the test decides about. */
class Bench {
  readonly commits: { lines: string[]; settle: (reply: CommitReply) => void }[] = []
  readonly committed: string[] = []
  readonly spilled: string[] = []
  readonly refused: string[] = []
  readonly answers: string[] = []
  spill: (lines: string[]) => Promise<void> = async () => {}
  sent = 0
  readonly recorder = new Recorder({
    log,
    commit: (lines) => new Promise((settle) => this.commits.push({ lines, settle })),
    spill: {
      write: async (lines: string[]) => {
        if (lines.length === 0) return
        await this.spill(lines)
        this.spilled.push(...lines)
      },
      keepRefused: async (lines: string[]) => void this.refused.push(...lines),
    } as unknown as Spill,
  })

  scan(count = 1) {
    for (let left = count; left > 0; left--) {
      const line = `scan ${this.sent++}`
      this.recorder.record(line, () => this.answers.push(line))
    }
  }

  get underWay() {
    return this.commits.length > 0
  }

  async land(refused: string[] = []) {
    const { lines, settle } = this.commits.shift() as (typeof this.commits)[number]
    this.committed.push(...lines.filter((line) => !refused.includes(line)))
    settle({ ok: true, commits: 1, refused })
    await vi.advanceTimersByTimeAsync(0)
  }

  async fail() {
    this.commits.shift()?.settle({ ok: false, message: 'the disk is full' })
    await vi.advanceTimersByTimeAsync(0)
  }
}

const turn = () => vi.advanceTimersByTimeAsync(1)
const patience = () => vi.advanceTimersByTimeAsync(60)

describe('the recorder', () => {
  let bench: Bench
  beforeEach(() => {
    vi.useFakeTimers()
    bench = new Bench()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('scans of one turn are one commit, and are answered when it has returned', async () => {
    bench.scan(3)
    await turn()
    expect(bench.commits.map(({ lines }) => lines.length)).toEqual([3])
    expect(bench.answers).toEqual([])
    await bench.land()
    expect(bench.answers).toHaveLength(3)
    expect(bench.recorder.counts).toMatchObject({
      recorded: 3,
      commits: 1,
      answeredBeforeCommit: 0,
    })
  })

  test('scans that arrive while a commit is under way lie ready for the next', async () => {
    bench.scan()
    await turn()
    bench.scan(4)
    await turn()
    expect(bench.commits.map(({ lines }) => lines.length)).toEqual([1, 4])
    await bench.land()
    expect(bench.answers).toHaveLength(1)
    await bench.land()
    expect(bench.answers).toHaveLength(5)
  })

  test('no more than four batches are under way at once', async () => {
    for (let batch = 0; batch < 6; batch++) {
      bench.scan()
      await turn()
    }
    expect(bench.commits).toHaveLength(4)
    await bench.land()
    expect(bench.commits.at(-1)?.lines).toEqual(['scan 4', 'scan 5'])
  })

  test('batches that fail together are one failure, and none of their scans is lost', async () => {
    for (let batch = 0; batch < 3; batch++) {
      bench.scan()
      await turn()
    }
    for (let batch = 0; batch < 3; batch++) await bench.fail()
    expect(bench.answers).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(100)
    while (bench.underWay) await bench.land()
    expect(bench.committed.sort()).toEqual(['scan 0', 'scan 1', 'scan 2'])
    expect(bench.recorder.counts).toMatchObject({ failedCommits: 1, recorded: 3 })
  })

  test('redirects do not wait for a commit that takes long, nor for the ones behind it', async () => {
    bench.scan(2)
    await turn()
    bench.scan(3)
    await patience()
    expect(bench.answers).toHaveLength(5)
    bench.scan()
    expect(bench.answers).toHaveLength(6)
    expect(bench.recorder.counts.answeredBeforeCommit).toBe(6)
    while (bench.underWay) await bench.land()
    expect(bench.committed).toHaveLength(6)
    expect(bench.answers).toHaveLength(6)
  })

  test('when commits return again, redirects wait for theirs again', async () => {
    bench.scan()
    await turn()
    await patience()
    await bench.land()
    bench.scan()
    await turn()
    expect(bench.answers).toHaveLength(1)
    await bench.land()
    expect(bench.answers).toHaveLength(2)
  })

  test('while a backlog is worked off, a new scan does not wait behind it', async () => {
    bench.scan()
    await turn()
    await patience()
    bench.scan(2 * BATCH_MAX)
    await bench.land()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent)
    while (bench.underWay) await bench.land()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent - 1)
  })

  test('what failed is tried again until it is committed', async () => {
    bench.scan(2)
    await turn()
    await bench.fail()
    expect(bench.answers).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(100)
    await bench.fail()
    await vi.advanceTimersByTimeAsync(200)
    await bench.land()
    expect(bench.committed).toEqual(['scan 0', 'scan 1'])
    expect(bench.recorder.counts).toMatchObject({ failedCommits: 2, recorded: 2 })
  })

  test('a redirect that cannot be answered does not keep the others waiting', async () => {
    bench.recorder.record('odd', () => {
      throw new Error('the socket is gone')
    })
    bench.scan()
    await turn()
    await bench.land()
    expect(bench.answers).toEqual(['scan 0'])
  })

  test('what is more than the memory may hold goes to files, and none of it is lost', async () => {
    bench.scan()
    await turn()
    await bench.fail()
    bench.scan((WAITING_MAX + 2) * BATCH_MAX)
    await turn()
    expect(bench.spilled).toHaveLength(3 * BATCH_MAX)
    await vi.advanceTimersByTimeAsync(5_000)
    while (bench.underWay) await bench.land()
    expect(bench.answers).toHaveLength(bench.sent)
    expect(new Set([...bench.committed, ...bench.spilled]).size).toBe(bench.sent)
    expect(bench.recorder.counts).toMatchObject({ spilled: 3 * BATCH_MAX, lost: 0 })
  })

  test('what the engine refuses is set aside and counted', async () => {
    bench.scan(3)
    await turn()
    await bench.land(['scan 1'])
    expect(bench.refused).toEqual(['scan 1'])
    expect(bench.recorder.counts).toMatchObject({ recorded: 2, refused: 1 })
  })

  test('a stop waits for the files that are being written', async () => {
    const files: (() => void)[] = []
    bench.spill = () => new Promise((resolve) => files.push(resolve))
    bench.scan()
    await turn()
    await bench.fail()
    bench.scan((WAITING_MAX + 1) * BATCH_MAX)
    let hasStopped = false
    const stopping = bench.recorder.stop().then(() => {
      hasStopped = true
    })
    while (bench.underWay) await bench.land()
    await turn()
    expect(bench.recorder.backlog).toBe(0)
    expect(hasStopped).toBe(false)
    for (const finish of files) finish()
    await stopping
    expect(new Set([...bench.committed, ...bench.spilled]).size).toBe(bench.sent)
  })

  test('a stop spills what a hanging commit holds, and all behind it', async () => {
    bench.scan(2)
    await turn()
    bench.scan(3)
    const stopping = bench.recorder.stop()
    await vi.advanceTimersByTimeAsync(6_000)
    await stopping
    expect(bench.spilled).toHaveLength(5)
    expect(bench.answers).toHaveLength(5)
  })

  test('whatever happens in whatever order, each scan is kept and each redirect answered once', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ scan: fc.integer({ min: 1, max: 3_000 }) }) },
      { weight: 6, arbitrary: fc.constantFrom('land', 'fail', 'turn', 'patience', 'retry') },
    )
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom('land', 'fail', 'hang'),
      async (steps, end) => {
        const run = new Bench()
        for (const each of steps) {
          if (typeof each === 'object') run.scan(each.scan)
          else if (each === 'turn') await turn()
          else if (each === 'patience') await patience()
          else if (each === 'retry') await vi.advanceTimersByTimeAsync(5_000)
          else if (run.underWay) await run[each as 'land' | 'fail']()
        }
        let hasStopped = false
        const stopping = run.recorder.stop().then(() => {
          hasStopped = true
        })
        while (!hasStopped) {
          if (run.underWay && end === 'land') await run.land()
          else if (run.underWay && end === 'fail') await run.fail()
          else await vi.advanceTimersByTimeAsync(6_000)
        }
        await stopping
        expect(new Set([...run.committed, ...run.spilled]).size).toBe(run.sent)
        expect(run.answers).toHaveLength(run.sent)
        expect(new Set(run.answers).size).toBe(run.sent)
      },
    )
    await fc.assert(property, { seed, numRuns: times(60, 3_000) })
  })
})

test('word of a commit that has arrived is heard before patience ends', async () => {
  const { port1, port2 } = new MessageChannel()
  const landed = new Promise<CommitReply>((resolve) => port1.once('message', resolve))
  const recorder = new Recorder({ log, spill: {} as Spill, commit: () => landed })
  const answered = new Promise<void>((resolve) => recorder.record('scan', resolve))
  await new Promise((resolve) => setImmediate(resolve))
  port2.postMessage({ ok: true, refused: [] })
  // This thread is busy for longer than a redirect would wait.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  await answered
  port1.close()
  expect(recorder.counts.answeredBeforeCommit).toBe(0)
})
