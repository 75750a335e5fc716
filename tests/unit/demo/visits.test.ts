import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/contract/time.ts'
import { visitsOf } from '../../../src/server/demo/visits.ts'

const MONDAY = Date.UTC(2026, 4, 4)
const menu = {
  name: 'Menu',
  from: MONDAY,
  to: MONDAY + 28 * DAY_MS,
  scanned: { when: 'meals', perDay: [40, 40] },
} as const

/** How many visits fall on each hour of the day, or day of the week from Sunday. */
function countsBy(unit: 'getUTCHours' | 'getUTCDay', life: Parameters<typeof visitsOf>[0]) {
  const counts: number[] = Array.from({ length: 24 }, () => 0)
  for (const { at } of visitsOf(life)) {
    const slot = new Date(at)[unit]()
    counts[slot] = (counts[slot] ?? 0) + 1
  }
  return (slot: number) => counts[slot] ?? 0
}

test('the same code has the same visits each time, and another code has others', () => {
  expect(visitsOf(menu)).toEqual(visitsOf(menu))
  expect(visitsOf({ ...menu, name: 'Other' })).not.toEqual(visitsOf(menu))
})

test('a code is scanned about as often as planned', () => {
  const count = visitsOf(menu).length
  expect(count).toBeGreaterThan(28 * 40 * 0.8)
  expect(count).toBeLessThan(28 * 40 * 1.2)
})

test('a menu is looked at over lunch and dinner', () => {
  const atHour = countsBy('getUTCHours', menu)
  expect(atHour(12)).toBeGreaterThan(3 * atHour(16))
  expect(atHour(19)).toBeGreaterThan(3 * atHour(16))
  expect(atHour(4)).toBe(0)
})

test('brunch is for the weekend', () => {
  const onDay = countsBy('getUTCDay', { ...menu, scanned: { ...menu.scanned, when: 'weekends' } })
  expect(onDay(0) + onDay(6)).toBeGreaterThan(4 * (onDay(1) + onDay(2) + onDay(3) + onDay(4)))
})
