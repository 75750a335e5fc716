import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventIds, RecentCodes } from '../../../src/server/analytics/live/recent-codes.ts'
import { Gathering } from '../../../src/server/analytics/record/folding/gathering.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')
const MINUTE_MS = 60_000

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

test('the codes after an instant are known, each once and by its last scan', () => {
  const recent = new RecentCodes(NOW)
  recent.note(['a', 'b'], NOW + 1)
  recent.note(['a'], NOW + 2)
  expect(recent.since(NOW)).toEqual(['b', 'a'])
  expect(recent.since(NOW + 1)).toEqual(['a'])
  expect(recent.since(NOW + 2)).toEqual([])
  expect(recent.since(NOW - 1)).toBeUndefined()
})

test('codes are forgotten after five minutes, and then it is not known what was before', () => {
  const recent = new RecentCodes(NOW)
  recent.note(['a'], NOW + 1)
  recent.note(['b'], NOW + MINUTE_MS)
  recent.note(['c'], NOW + 5.5 * MINUTE_MS)
  expect(recent.since(NOW)).toBeUndefined()
  expect(recent.since(NOW + 1)).toEqual(['b', 'c'])
})

test('ten thousand codes are remembered, and none of them after some were missed', () => {
  const recent = new RecentCodes(NOW)
  for (let number = 1; number <= 10_001; number++) recent.note([`code ${number}`], NOW + number)
  expect(recent.since(NOW)).toBeUndefined()
  expect(recent.since(NOW + 1)).toHaveLength(10_000)
  recent.forget(NOW + 20_000)
  expect(recent.since(NOW + 10_001)).toBeUndefined()
  expect(recent.since(NOW + 20_000)).toEqual([])
})

test('ids only grow, also when the clock goes back; those of another process begin some seconds earlier', () => {
  const [ids, others] = [new EventIds(), new EventIds()]
  const first = ids.tick()
  vi.setSystemTime(NOW - MINUTE_MS)
  const second = ids.tick()
  expect(second).toBeGreaterThan(first)
  expect(ids.instantOf(ids.of(second))).toBe(second)
  expect(others.tick()).toBe(NOW - MINUTE_MS)
  vi.setSystemTime(NOW)
  expect(others.instantOf(ids.of(first))).toBe(first - 10_000)
  expect(ids.instantOf(ids.of(second + 1_000))).toBeUndefined()
  expect(ids.instantOf('')).toBeUndefined()
})

function gathering() {
  const told: (string[] | 'many')[] = []
  const deps = { everyMs: 250, codesMax: 3 }
  return { told, news: new Gathering({ ...deps, tell: (scanned) => told.push(scanned) }) }
}

test('the first codes are told of at once, the next ones together when their time has come', () => {
  const { told, news } = gathering()
  news.add([])
  news.add(['a'])
  expect(told).toEqual([['a']])
  for (const code of ['b', 'a', 'b']) news.add([code])
  vi.advanceTimersByTime(249)
  expect(told).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(told).toEqual([['a'], ['b', 'a']])
  news.add(['c'])
  news.flush()
  expect(told.at(-1)).toEqual(['c'])
  vi.advanceTimersByTime(1_000)
  expect(told).toHaveLength(3)
})

test('more codes than can be named are many', () => {
  const { told, news } = gathering()
  news.add(['a', 'b', 'c'])
  news.add(['a', 'b', 'c', 'd'])
  vi.advanceTimersByTime(250)
  news.add('many')
  news.add(['a'])
  vi.advanceTimersByTime(250)
  expect(told).toEqual([['a', 'b', 'c'], 'many', 'many'])
})
