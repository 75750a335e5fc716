import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FAILURES,
  type FoldingNews,
  newFoldingCounts,
} from '../../../src/server/analytics/record/folding/folding-messages.ts'
import {
  nextScansMax,
  paceOf,
  pauseAfter,
  pauseForReader,
  Retries,
  retryAfter,
} from '../../../src/server/analytics/record/folding/pace.ts'

const done = fc.record({
  scans: fc.nat(20_000),
  ms: fc.double({ min: 0, max: 5_000, noNaN: true }),
})

test('a transaction that took long makes the next one smaller', () => {
  expect(nextScansMax({ scans: 8_000, ms: 480 })).toBe(1_000)
  expect(nextScansMax({ scans: 8_000, ms: 120 })).toBe(4_000)
  expect(nextScansMax({ scans: 2_000, ms: 20 })).toBe(6_000)
})

test('a small transaction says nothing about the next one', () => {
  expect(nextScansMax({ scans: 3, ms: 900 }, 5_000)).toBe(5_000)
})

test('there is always a pause for those who save, and a scan never waits for more than 150 ms', () => {
  const property = fc.property(done, fc.boolean(), (last, isBehind) => {
    const pause = pauseAfter(last, isBehind)
    expect(pause).toBeGreaterThanOrEqual(5)
    expect(pause).toBeLessThanOrEqual(150)
    if (isBehind) expect(pause).toBe(5)
  })
  fc.assert(property)
})

test('a reader waits for 50 ms at most, and the less the smaller the folds are', () => {
  expect(pauseForReader({ scans: 1, ms: 0.5 })).toBe(4.5)
  const property = fc.property(done, (last) => {
    expect(pauseForReader(last)).toBeLessThanOrEqual(50)
  })
  fc.assert(property)
})

test('a store to which a batch costs the same gets few and large ones, also if they take long', () => {
  const pace = paceOf({ scansMax: 100_000, pauseMs: 1_000, readerPauseMs: 100 })
  const property = fc.property(done, fc.boolean(), (last, isBehind) => {
    expect(pace.nextScansMax(last, 100_000)).toBe(100_000)
    expect([pace.pauseAfter(last, isBehind), pace.pauseInTakeOver(last.ms)]).toEqual([1_000, 1_000])
    expect(pace.pauseForReader(last)).toBe(100)
  })
  fc.assert(property)
})

test('what fails again and again is tried every 5 seconds', () => {
  expect([0, 1, 2, 3].map(retryAfter)).toEqual([10, 20, 40, 80])
  expect([9, 10, 1_000].map(retryAfter)).toEqual([5_000, 5_000, 5_000])
})

test('what fails is said once, tried later, and it is said when it works again', async () => {
  const counts = newFoldingCounts()
  const news: FoldingNews[] = []
  const retries = new Retries({ counts, tell: (one) => news.push(one) })
  let tries = 0
  const work = async () => {
    tries++
    if (tries < 3) throw new Error('away')
    return 7
  }
  for (let pause = 0; pause !== 7; ) {
    pause = await retries.attempt(work)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  expect(tries).toBe(3)
  expect(counts[FAILURES]).toBe(2)
  expect(news).toEqual([{ failed: 'away' }, { recovered: true }])
})
