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

/** A recorder with a test in place of its thread and its files. */
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

  get hasCommits() {
    return this.commits.length > 0
  }

  async succeed(refused: string[] = []) {
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

  test('the scans of one turn are one commit, and their redirects go out after it', async () => {
    bench.scan(3)
    await turn()
    expect(bench.commits.map(({ lines }) => lines.length)).toEqual([3])
    expect(bench.answers).toEqual([])
    await bench.succeed()
    expect(bench.answers).toHaveLength(3)
    expect(bench.recorder.counts).toMatchObject({
      recorded: 3,
      commits: 1,
      answeredBeforeCommit: 0,
    })
  })

  test('scans that arrive during a commit wait in the thread for the next one', async () => {
    bench.scan()
    await turn()
    bench.scan(4)
    await turn()
    expect(bench.commits.map(({ lines }) => lines.length)).toEqual([1, 4])
    await bench.succeed()
    expect(bench.answers).toHaveLength(1)
    await bench.succeed()
    expect(bench.answers).toHaveLength(5)
  })

  test('the thread gets at most four batches at once', async () => {
    for (let batch = 0; batch < 6; batch++) {
      bench.scan()
      await turn()
    }
    expect(bench.commits).toHaveLength(4)
    await bench.succeed()
    expect(bench.commits.at(-1)?.lines).toEqual(['scan 4', 'scan 5'])
  })

  test('batches that fail together count as one failure, and lose no scan', async () => {
    for (let batch = 0; batch < 3; batch++) {
      bench.scan()
      await turn()
    }
    for (let batch = 0; batch < 3; batch++) await bench.fail()
    expect(bench.answers).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(100)
    while (bench.hasCommits) await bench.succeed()
    expect(bench.committed.sort()).toEqual(['scan 0', 'scan 1', 'scan 2'])
    expect(bench.recorder.counts).toMatchObject({ failedCommits: 1, recorded: 3 })
  })

  test('redirects do not wait for a commit that takes long, nor for the next ones', async () => {
    bench.scan(2)
    await turn()
    bench.scan(3)
    await patience()
    expect(bench.answers).toHaveLength(5)
    bench.scan()
    expect(bench.answers).toHaveLength(6)
    expect(bench.recorder.counts.answeredBeforeCommit).toBe(6)
    while (bench.hasCommits) await bench.succeed()
    expect(bench.committed).toHaveLength(6)
    expect(bench.answers).toHaveLength(6)
  })

  test('after commits succeed again, redirects wait for theirs again', async () => {
    bench.scan()
    await turn()
    await patience()
    await bench.succeed()
    bench.scan()
    await turn()
    expect(bench.answers).toHaveLength(1)
    await bench.succeed()
    expect(bench.answers).toHaveLength(2)
  })

  test('a new scan does not wait for a backlog', async () => {
    bench.scan()
    await turn()
    await patience()
    bench.scan(2 * BATCH_MAX)
    await bench.succeed()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent)
    while (bench.hasCommits) await bench.succeed()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent - 1)
  })

  test('a failed batch is tried again until it is committed', async () => {
    bench.scan(2)
    await turn()
    await bench.fail()
    expect(bench.answers).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(100)
    await bench.fail()
    await vi.advanceTimersByTimeAsync(200)
    await bench.succeed()
    expect(bench.committed).toEqual(['scan 0', 'scan 1'])
    expect(bench.recorder.counts).toMatchObject({ failedCommits: 2, recorded: 2 })
  })

  test('if one redirect cannot be answered, the others still go out', async () => {
    bench.recorder.record('odd', () => {
      throw new Error('the socket is gone')
    })
    bench.scan()
    await turn()
    await bench.succeed()
    expect(bench.answers).toEqual(['scan 0'])
  })

  test('scans beyond the limit in memory go to files, and none is lost', async () => {
    bench.scan()
    await turn()
    await bench.fail()
    bench.scan((WAITING_MAX + 2) * BATCH_MAX)
    await turn()
    expect(bench.spilled).toHaveLength(3 * BATCH_MAX)
    await vi.advanceTimersByTimeAsync(5_000)
    while (bench.hasCommits) await bench.succeed()
    expect(bench.answers).toHaveLength(bench.sent)
    expect(new Set([...bench.committed, ...bench.spilled]).size).toBe(bench.sent)
    expect(bench.recorder.counts).toMatchObject({ spilled: 3 * BATCH_MAX, lost: 0 })
  })

  test('scans that the engine refuses are set aside and counted', async () => {
    bench.scan(3)
    await turn()
    await bench.succeed(['scan 1'])
    expect(bench.refused).toEqual(['scan 1'])
    expect(bench.recorder.counts).toMatchObject({ recorded: 2, refused: 1 })
  })

  test('a stop waits until its files are written', async () => {
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
    while (bench.hasCommits) await bench.succeed()
    await turn()
    expect(bench.recorder.backlog).toBe(0)
    expect(hasStopped).toBe(false)
    for (const finish of files) finish()
    await stopping
    expect(new Set([...bench.committed, ...bench.spilled]).size).toBe(bench.sent)
  })

  test('a stop spills the scans of a hanging commit and all that wait', async () => {
    bench.scan(2)
    await turn()
    bench.scan(3)
    const stopping = bench.recorder.stop()
    await vi.advanceTimersByTimeAsync(6_000)
    await stopping
    expect(bench.spilled).toHaveLength(5)
    expect(bench.answers).toHaveLength(5)
  })

  test('in any order of events, each scan is kept and each redirect answered once', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ scan: fc.integer({ min: 1, max: 3_000 }) }) },
      { weight: 6, arbitrary: fc.constantFrom('succeed', 'fail', 'turn', 'patience', 'retry') },
    )
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom('succeed', 'fail', 'hang'),
      async (steps, end) => {
        const run = new Bench()
        for (const each of steps) {
          if (typeof each === 'object') run.scan(each.scan)
          else if (each === 'turn') await turn()
          else if (each === 'patience') await patience()
          else if (each === 'retry') await vi.advanceTimersByTimeAsync(5_000)
          else if (run.hasCommits) await run[each as 'succeed' | 'fail']()
        }
        let hasStopped = false
        const stopping = run.recorder.stop().then(() => {
          hasStopped = true
        })
        while (!hasStopped) {
          if (run.hasCommits && end === 'succeed') await run.succeed()
          else if (run.hasCommits && end === 'fail') await run.fail()
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

test('a reply that has arrived counts, even if this thread was busy for longer than a redirect waits', async () => {
  const { port1, port2 } = new MessageChannel()
  const reply = new Promise<CommitReply>((resolve) => port1.once('message', resolve))
  const recorder = new Recorder({ log, spill: {} as Spill, commit: () => reply })
  const answered = new Promise<void>((resolve) => recorder.record('scan', resolve))
  await new Promise((resolve) => setImmediate(resolve))
  port2.postMessage({ ok: true, refused: [] })
  // Blocks this thread for longer than the patience.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  await answered
  port1.close()
  expect(recorder.counts.answeredBeforeCommit).toBe(0)
})
