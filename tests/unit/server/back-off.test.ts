import { expect, test } from 'vitest'
import { askedPause, nextTry, restAfter } from '../../../src/server/webhooks/back-off.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

test.each([
  ['seconds', 429, '90', 90_000],
  ['a date', 503, 'Mon, 23 Nov 2026 12:05:00 GMT', 300_000],
  ['more than an hour', 503, '86400', 3_600_000],
  ['a date that has passed', 503, 'Mon, 23 Nov 2026 11:00:00 GMT', 0],
  ['what is neither', 503, 'soon', 0],
  ['a negative number', 429, '-5', 0],
  ['nothing', 503, undefined, 0],
  ['a pause for an error of its own', 500, '90', 0],
])('a receiver asks for %s', (_case, status, retryAfter, ms) => {
  expect(askedPause({ status, retryAfter }, NOW)).toBe(ms)
})

test('a pause that a receiver asks for makes no pause of ours shorter', () => {
  expect(nextTry(1, NOW, 90_000)).toBe(NOW.getTime() + 90_000)
  expect(nextTry(4, NOW, 90_000)).toBe(NOW.getTime() + 15 * 60_000)
  expect(nextTry(10, NOW, 90_000)).toBeUndefined()
  expect(restAfter(0, NOW, 0)).toBeNull()
  expect(restAfter(0, NOW, 90_000)).toBe(NOW.getTime() + 90_000)
  expect(restAfter(2, NOW, 0)).toBeNull()
  expect(restAfter(3, NOW, 0)).toBe(NOW.getTime() + 5_000)
  expect(restAfter(4, NOW, 0)).toBe(NOW.getTime() + 10_000)
  expect(restAfter(20, NOW, 90_000)).toBe(NOW.getTime() + 10 * 60_000)
})
