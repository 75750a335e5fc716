import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  isTouched,
  type News,
  REFRESH_EVERY_MS,
  Refreshing,
  together,
} from '../../../src/client/analytics/live/refreshing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a scan touches the sums of all codes, and of the single ones only its own', () => {
  const touched = (path: string) => isTouched(path, ['menu'])
  expect(touched('/api/analytics/user?tz=UTC')).toBe(true)
  expect(touched('/api/analytics/daily-breakdown?tz=UTC')).toBe(true)
  expect(touched('/api/analytics/qr-codes')).toBe(true)
  expect(touched('/api/analytics/qr-code/menu?tz=UTC')).toBe(true)
  expect(touched('/api/analytics/qr-code/menu/latest?after=2026-03-05T10:00:00Z/1')).toBe(true)
  expect(touched('/api/analytics/figures?range=30d&qr=menu')).toBe(true)
  expect(touched('/api/analytics/figures?range=30d')).toBe(true)
  expect(touched('/api/analytics/qr-code/poster?tz=UTC')).toBe(false)
  expect(touched('/api/analytics/breakdown?qr=poster&facet=city')).toBe(false)
  expect(touched('/api/qr-codes')).toBe(false)
  expect(isTouched('/api/analytics/qr-code/poster?tz=UTC', null)).toBe(true)
  expect(isTouched('/api/user/subscription', null)).toBe(false)
  const leaving = new Set(['poster'])
  expect(isTouched('/api/analytics/qr-code/poster?tz=UTC', null, leaving)).toBe(false)
})

test('news add up, and what is not known makes all unknown', () => {
  expect(together(undefined, ['a'])).toEqual(['a'])
  expect(together(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(together(['a'], null)).toBeNull()
  expect(together(null, ['a'])).toBeNull()
})

function reading(worksAt = (_times: number) => true) {
  const read: News[] = []
  let isSeen = true
  const refreshing = new Refreshing({
    read: async (news) => worksAt(read.push(news)),
    isSeen: () => isSeen,
  })
  const see = (next: boolean) => {
    isSeen = next
    void refreshing.go()
  }
  return { read, refreshing, see }
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

test('nothing is read while nobody sees the page, and all of it when somebody does', async () => {
  const { read, refreshing, see } = reading()
  see(false)
  refreshing.add(['a'])
  refreshing.add(['b'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toEqual([])
  see(true)
  expect(read).toEqual([['a', 'b']])
})

test('what could not be read is read again, a few times', async () => {
  const { read, refreshing } = reading((times) => times === 2)
  refreshing.add(['a'])
  await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS)
  void refreshing.go()
  await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS)
  void refreshing.go()
  await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS)
  expect(read).toEqual([['a'], ['a']])
  const never = reading(() => false)
  never.refreshing.add(['a'])
  for (let beat = 0; beat < 20; beat++) {
    await vi.advanceTimersByTimeAsync(REFRESH_EVERY_MS)
    void never.refreshing.go()
  }
  expect(never.read).toHaveLength(5)
})
