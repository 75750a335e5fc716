import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { read } from '../../../src/client/analytics/live/live-part.ts'
import {
  isTouched,
  type News,
  REFRESH_EVERY_MS,
  Refreshing,
  together,
} from '../../../src/client/analytics/live/refreshing.ts'
import { queryClient } from '../../../src/client/query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['/api/analytics/user?tz=UTC', true],
  ['/api/analytics/daily-breakdown?tz=UTC', true],
  ['/api/analytics/qr-codes', true],
  ['/api/analytics/qr-code/menu?tz=UTC', true],
  ['/api/analytics/qr-code/menu/latest?after=2026-03-05T10:00:00Z/1', true],
  ['/api/analytics/figures?range=30d&qr=menu', true],
  ['/api/analytics/figures?range=30d', true],
  ['/api/analytics/qr-code/poster?tz=UTC', false],
  ['/api/analytics/breakdown?qr=poster&facet=city', false],
  ['/api/qr-codes', false],
])('a scan of the code menu touches %s: %s', (path, touched) => {
  expect(isTouched(path, ['menu'])).toBe(touched)
})

test('news of unknown codes touch all figures, but not those of codes that are being deleted', () => {
  const poster = '/api/analytics/qr-code/poster?tz=UTC'
  expect(isTouched(poster, null)).toBe(true)
  expect(isTouched('/api/user/subscription', null)).toBe(false)
  expect(isTouched(poster, null, new Set(['poster']))).toBe(false)
})

test('news add up, and unknown codes make all unknown', () => {
  expect(together(undefined, ['a'])).toEqual(['a'])
  expect(together(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  expect([together(['a'], null), together(null, ['a'])]).toEqual([null, null])
})

function reading(worksAt = (_times: number) => true) {
  const read: News[] = []
  const page = { isSeen: true }
  const refreshing = new Refreshing({
    read: async (news) => worksAt(read.push(news)),
    isSeen: () => page.isSeen,
  })
  return { read, refreshing, page }
}

test('the first scan is read at once, and those of the next second together after it', async () => {
  const { read, refreshing } = reading()
  refreshing.add(['a'])
  expect(read).toEqual([['a']])
  for (const code of ['b', 'c', 'b']) refreshing.add([code])
  await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS - 1)
  expect(read).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(read).toEqual([['a'], ['b', 'c']])
  await vi.advanceTimersByTimeAsync(10 * REFRESH_EVERY_MS)
  expect(read).toHaveLength(2)
})

test('a hidden page reads nothing, and all of it when it is visible', async () => {
  const { read, refreshing, page } = reading()
  page.isSeen = false
  refreshing.add(['a'])
  refreshing.add(['b'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toEqual([])
  page.isSeen = true
  void refreshing.go()
  expect(read).toEqual([['a', 'b']])
})

test.each([
  ['once', (times: number) => times === 2, 2],
  ['each time', () => false, 5],
])('a reading that fails %s is tried again, a few times', async (_name, worksAt, times) => {
  const { read, refreshing } = reading(worksAt)
  refreshing.add(['a'])
  for (let beat = 0; beat < 20; beat++) {
    await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS)
    void refreshing.go()
  }
  expect(read).toEqual(Array.from({ length: times }, () => ['a']))
})

test('a first reading that was under way when a scan came is followed by another one', async () => {
  const answers = [0, 1].map(() => Promise.withResolvers<number>())
  const queryFn = vi.fn(() => answers[queryFn.mock.calls.length - 1]?.promise)
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/api/analytics/qr-code', 'menu', 'latest'],
    queryFn,
  })
  const stop = observer.subscribe(() => {})
  const reading = read(['menu'])
  answers[0]?.resolve(0)
  answers[1]?.resolve(1)
  expect(await reading).toBe(true)
  expect(observer.getCurrentResult().data).toBe(1)
  stop()
})
