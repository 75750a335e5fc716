import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Gathering } from '../../../src/server/analytics/record/folding/gathering.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
