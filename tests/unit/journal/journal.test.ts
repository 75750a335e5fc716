import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { unpacked } from '../../../src/server/analytics/record/journal/layout.ts'
import {
  DURABLE,
  FOLDED,
  SLEEPING,
  TAKEN_OVER_BYTES,
} from '../../../src/server/analytics/record/journal/shared-memory.ts'
import { seed, times } from '../../support/soak.ts'
import { visitWith } from './classified-visits.ts'
import { Bench } from './slow-disk.ts'

const turn = () => vi.advanceTimersByTimeAsync(1)
const patience = () => vi.advanceTimersByTimeAsync(60)
const retry = () => vi.advanceTimersByTimeAsync(5_000)
/** More than the groups of small frames can hold. */
const TOO_MANY = 66 * 300
const numbered = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('the journal', () => {
  let bench: Bench
  beforeEach(() => {
    vi.useFakeTimers()
    bench = new Bench()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('scans of one turn are one write, and their redirects go out after it', async () => {
    bench.scan(3)
    await turn()
    expect(bench.disk.isWriting).toBe(true)
    expect(bench.answers).toEqual([])
    bench.disk.succeed()
    expect(bench.answers).toEqual([0, 1, 2])
    expect(bench.written().map(({ at }) => at)).toEqual([0, 1, 2])
    expect(bench.journal.counts).toMatchObject({ written: 3, writes: 1, answeredEarly: 0 })
  })

  test('what comes during a write is the next one', async () => {
    bench.scan()
    await turn()
    bench.scan(2)
    await turn()
    bench.scan(2)
    bench.disk.succeed()
    expect(bench.answers).toEqual([0])
    expect(bench.disk.isWriting).toBe(true)
    bench.disk.succeed()
    expect(bench.answers).toEqual([0, 1, 2, 3, 4])
    expect(bench.journal.counts.writes).toBe(2)
  })

  test('scans that fill a group go on in the next, and in the next segment', async () => {
    bench.scan(5_000)
    await turn()
    bench.writeAll()
    expect(bench.disk.segments.size).toBeGreaterThan(2)
    expect(bench.written().map(({ at }) => at)).toEqual(numbered(5_000))
    expect(bench.written().map(({ counter }) => counter)).toEqual(numbered(5_000))
    expect(bench.answers).toEqual(numbered(5_000))
  })

  test('a write that takes long lets redirects go, and the next one holds them again', async () => {
    bench.scan(2)
    await turn()
    bench.scan(2)
    await patience()
    expect(bench.answers).toEqual([0, 1, 2, 3])
    bench.scan()
    expect(bench.answers).toHaveLength(5)
    expect(bench.journal.counts.answeredEarly).toBe(5)
    expect(bench.errors).toHaveLength(1)
    bench.disk.succeed()
    bench.scan()
    expect(bench.journal.isLate).toBe(false)
    expect(bench.answers).toHaveLength(5)
    bench.disk.succeed()
    bench.disk.succeed()
    expect(bench.answers).toEqual(numbered(6))
    expect(bench.written()).toHaveLength(6)
  })

  test('writes that follow each other in time delay no redirect', async () => {
    for (let write = 0; write < 10; write++) {
      bench.scan()
      await vi.advanceTimersByTimeAsync(40)
      bench.disk.succeed()
    }
    expect(bench.journal.counts).toMatchObject({ written: 10, answeredEarly: 0 })
  })

  test('a new scan does not wait for groups that wait', async () => {
    bench.scan()
    await turn()
    await patience()
    bench.scan(1_000)
    bench.disk.succeed()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent)
    bench.writeAll()
    bench.scan()
    expect(bench.answers).toHaveLength(bench.sent - 1)
  })

  test('a failed write is made again whole, and meanwhile redirects go out', async () => {
    bench.scan(3)
    await turn()
    bench.disk.fail()
    expect(bench.answers).toHaveLength(3)
    bench.scan()
    expect(bench.answers).toHaveLength(4)
    expect(bench.disk.isWriting).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    bench.disk.fail()
    await vi.advanceTimersByTimeAsync(200)
    bench.disk.succeed()
    bench.disk.succeed()
    expect(bench.written().map(({ at }) => at)).toEqual([0, 1, 2, 3])
    expect(bench.journal.counts).toEqual({
      written: 4,
      writes: 2,
      failedWrites: 2,
      answeredEarly: 4,
      lost: 0,
    })
  })

  test('a disk that fails for long is tried every few seconds and said once a minute', async () => {
    bench.scan()
    await turn()
    for (let tries = 0; tries < 10; tries++) {
      bench.disk.fail(0)
      await retry()
      expect(bench.disk.isWriting).toBe(true)
    }
    expect(bench.errors).toHaveLength(1)
  })

  test('beyond what memory holds, the oldest stay and the rest is counted', async () => {
    bench.scan()
    await turn()
    bench.disk.fail()
    bench.scan(TOO_MANY)
    expect(bench.answers).toHaveLength(bench.sent)
    const { lost } = bench.journal.counts
    expect(lost).toBeGreaterThan(0)
    await retry()
    bench.writeAll()
    expect(bench.written().map(({ at }) => at)).toEqual(numbered(bench.sent - lost))
    await bench.write()
    expect(bench.written().at(-1)?.at).toBe(bench.sent - 1)
    expect(bench.journal.counts.lost).toBe(lost)
  })

  test('if one redirect cannot be answered, the others still go out', async () => {
    bench.journal.record('odd', visitWith(null), 0, () => {
      throw new Error('the socket is gone')
    })
    await bench.write()
    expect(bench.answers).toEqual([0])
  })

  test('an answer may record a scan', async () => {
    bench.journal.record('odd', visitWith(null), 0, () => bench.scan())
    await turn()
    bench.disk.succeed()
    await turn()
    bench.disk.succeed()
    expect(bench.answers).toEqual([0])
  })

  describe('its bound', () => {
    const small = () => new Bench({ maxBytes: 20_000 })
    test('while nothing is folded, the oldest scans stay and the rest is counted', async () => {
      bench = small()
      bench.scan(2_000)
      await turn()
      bench.writeAll()
      bench.scan(10)
      const { lost } = bench.journal.counts
      expect(lost).toBeGreaterThan(1_000)
      expect(bench.answers).toHaveLength(2_010)
      expect(bench.written().map(({ at }) => at)).toEqual(numbered(2_010 - lost))
      expect(bench.journal.bytes).toBeGreaterThanOrEqual(20_000)
      expect(bench.errors).toEqual(['the journal is full: scans are lost'])
    })

    test('what is folded makes room', async () => {
      bench = small()
      bench.scan(2_000)
      await turn()
      bench.writeAll()
      const { lost } = bench.journal.counts
      const { positions } = bench.journal.state
      Atomics.store(positions, FOLDED, Atomics.load(positions, DURABLE))
      expect([bench.journal.bytes, bench.journal.oldestAt]).toEqual([0, undefined])
      bench.scan()
      await turn()
      bench.writeAll()
      expect(bench.journal.counts.lost).toBe(lost)
      expect(bench.written().at(-1)?.at).toBe(2_000)
    })

    test('journals that were taken over count too', async () => {
      bench = small()
      Atomics.store(bench.journal.state.positions, TAKEN_OVER_BYTES, 20_000n)
      bench.scan()
      expect(bench.journal.counts.lost).toBe(1)
      expect(bench.answers).toEqual([0])
    })
  })

  describe('what the folding thread is told', () => {
    test('is how far the journal is on disk', async () => {
      const { positions } = bench.journal.state
      const beginning = Atomics.load(positions, DURABLE)
      bench.scan(400)
      await turn()
      expect(Atomics.load(positions, DURABLE)).toBe(beginning)
      bench.disk.succeed()
      expect(unpacked(Atomics.load(positions, DURABLE)).segment).toBe(0)
      bench.writeAll()
      const bytes = Number(Atomics.load(positions, DURABLE) - beginning)
      expect([bench.journal.bytes, bench.journal.oldestAt]).toEqual([bytes, 0])
      expect(bytes).toBeGreaterThan(400 * 32)
    })

    test('wakes it once, if it sleeps', async () => {
      const wake = vi.fn()
      bench = new Bench({ wake })
      await bench.write()
      expect(wake).toHaveBeenCalledTimes(0)
      Atomics.store(bench.journal.state.flags, SLEEPING, 1)
      for (let write = 0; write < 3; write++) {
        await bench.write()
      }
      expect(wake).toHaveBeenCalledTimes(1)
    })
  })

  describe('a flush', () => {
    test('ends when all is on disk', async () => {
      bench.scan(400)
      const flushed = bench.journal.flush(1_000)
      bench.writeAll()
      expect(await flushed).toBe(true)
      expect(await bench.journal.flush(1_000)).toBe(true)
    })

    test('tries a disk at once that failed before', async () => {
      bench.scan()
      await turn()
      bench.disk.fail()
      const flushed = bench.journal.flush(1_000)
      bench.disk.succeed()
      expect(await flushed).toBe(true)
    })

    test('gives up a disk that does not write; what is lost at the close is counted', async () => {
      bench.scan(2)
      const flushed = bench.journal.flush(1_000)
      bench.scan()
      await vi.advanceTimersByTimeAsync(1_000)
      expect(await flushed).toBe(false)
      await bench.journal.close()
      bench.scan()
      bench.disk.fail()
      await retry()
      expect(bench.disk.isWriting).toBe(false)
      expect(bench.journal.counts.lost).toBe(4)
      expect(bench.answers).toHaveLength(4)
    })

    test('that gave up may still have written: no scan is counted as lost then', async () => {
      bench.scan(2)
      const flushed = bench.journal.flush(1_000)
      await vi.advanceTimersByTimeAsync(1_000)
      expect(await flushed).toBe(false)
      await bench.journal.close()
      bench.disk.succeed()
      expect(bench.written()).toHaveLength(2)
      expect(bench.journal.counts).toMatchObject({ written: 2, lost: 0 })
    })
  })

  test('in any order of events each scan is written once and each redirect answered once', async () => {
    const events = ['succeed', 'fail', 'turn', 'patience', 'retry', 'fold', 'flush'] as const
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ scan: fc.integer({ min: 1, max: 1_500 }) }) },
      { weight: 7, arbitrary: fc.constantFrom(...events) },
    )
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom(60_000, 1 << 30),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (steps, maxBytes, torn) => {
        const run = new Bench({ maxBytes })
        const { positions } = run.journal.state
        const does = {
          succeed: () => run.disk.succeed(),
          fail: () => run.disk.fail(torn),
          turn,
          patience,
          retry,
          fold: () => Atomics.store(positions, FOLDED, Atomics.load(positions, DURABLE)),
          flush: () => void run.journal.flush(10),
        }
        for (const each of steps) {
          if (typeof each === 'object') run.scan(each.scan)
          else await does[each]()
        }
        await retry()
        run.writeAll()
        const { counts } = run.journal
        const scans = run.written().map(({ at }) => at)
        expect(scans).toHaveLength(run.sent - counts.lost)
        expect(new Set(scans).size).toBe(scans.length)
        expect(new Set(run.written().map(({ counter }) => counter)).size).toBe(scans.length)
        expect(run.answers).toHaveLength(run.sent)
        expect(new Set(run.answers).size).toBe(run.sent)
        expect(counts.written).toBe(scans.length)
        expect(run.journal.isLate).toBe(false)
        expect(await run.journal.flush(0)).toBe(true)
      },
    )
    await fc.assert(property, { seed, numRuns: times(60, 3_000) })
  })
})

test('a write that ended counts, even if this thread was busy for longer than a redirect waits', async () => {
  const bench = new Bench()
  const { port1, port2 } = new MessageChannel()
  port1.once('message', () => bench.disk.succeed())
  bench.scan()
  await new Promise((resolve) => setImmediate(resolve))
  port2.postMessage('written')
  // Blocks this thread for longer than the patience.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120)
  await vi.waitFor(() => expect(bench.answers).toHaveLength(1))
  port1.close()
  expect(bench.journal.counts.answeredEarly).toBe(0)
})

test('a write that ended while its message is still to come is not a slow one', async () => {
  vi.useFakeTimers()
  const bench = new Bench()
  bench.scan()
  await turn()
  bench.disk.hasEnded = true
  await patience()
  expect(bench.answers).toEqual([])
  bench.disk.succeed()
  expect(bench.journal.counts.answeredEarly).toBe(0)
  vi.useRealTimers()
})
