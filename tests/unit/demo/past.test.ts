import { expect, test } from 'vitest'
import { cafeCodes } from '../../../scripts/demo/cafe-codes.ts'
import { Calendar, instantOf, weekdayIndex } from '../../../scripts/demo/calendar.ts'
import { changing, event, mailing, steady } from '../../../scripts/demo/courses.ts'
import { type Life, type Scanned, visitsOn } from '../../../scripts/demo/past.ts'
import { rhythms } from '../../../scripts/demo/rhythms.ts'

const MONDAY = 20_577
const always: Life = { seed: 'menu', from: 0, to: Number.POSITIVE_INFINITY }
const menu: Scanned = { course: steady(40), rhythm: rhythms.mealtimes, by: 'neighbours' }
const days = (count: number) => Array.from({ length: count }, (_, index) => MONDAY + index)

const visits = (life: Life, scanned: Scanned, count = 28) =>
  days(count).flatMap((day) => visitsOn(day, life, scanned))

/** Visits at an hour of the day, all days together. */
const atHour = (hour: number) =>
  visits(always, menu).filter(({ at }) => new Date(at).getUTCHours() === hour).length

test('the same day brings the same visits each time it is asked', () => {
  expect(visitsOn(MONDAY, always, menu)).toEqual(visitsOn(MONDAY, always, menu))
  expect(visitsOn(MONDAY, always, menu)).not.toEqual(
    visitsOn(MONDAY, { ...always, seed: 'other' }, menu),
  )
})

test('a steady code has about as many visits as its course says', () => {
  // 28 days at 40, and each tenth a second time, and some programs
  expect(visits(always, menu).length).toBeGreaterThan(28 * 40)
  expect(visits(always, menu).length).toBeLessThan(28 * 40 * 1.35)
})

test('nobody follows a link before it is there or after it has stopped', () => {
  const life = { ...always, from: instantOf(MONDAY + 2, 13), to: instantOf(MONDAY + 5, 13) }
  const at = visits(life, menu).map((visit) => visit.at)
  expect(at.length).toBeGreaterThan(20)
  expect(Math.min(...at)).toBeGreaterThanOrEqual(life.from)
  expect(Math.max(...at)).toBeLessThan(life.to)
})

test('a menu is looked at over lunch and dinner', () => {
  expect(atHour(12)).toBeGreaterThan(3 * atHour(16))
  expect(atHour(19)).toBeGreaterThan(3 * atHour(16))
  expect(atHour(4)).toBeLessThan(10)
})

test('a stall on the Saturday market is scanned on no other day', () => {
  const stall = { ...menu, rhythm: rhythms.market }
  const seen = visits(always, stall).map(({ at }) => new Date(at).getUTCDay())
  expect(new Set(seen)).toEqual(new Set([6]))
})

test('courses go as their names say', () => {
  expect([0, 5, 10, 99].map(changing([0, 2], [10, 22]))).toEqual([2, 12, 22, 22])
  const poster = event(10, 80)
  expect(poster(10)).toBe(80)
  expect(poster(9)).toBeGreaterThan(poster(2))
  expect(poster(12)).toBeLessThan(poster(2) * 2)
  expect([9, 10, 12, 14].map(mailing([10], 40))).toEqual([0, 40, 20, 10])
})

test('weekdays are those of the calendar', () => {
  expect(weekdayIndex(MONDAY)).toBe(0)
  const calendar = new Calendar(new Date('2026-05-06T09:00:00Z'))
  const date = (day: number) => new Date(instantOf(day, 0)).toISOString().slice(0, 10)
  expect(date(calendar.lastly('Sat', 0))).toBe('2026-05-02')
  expect(date(calendar.lastly('Sat', 5))).toBe('2026-04-25')
  expect(date(calendar.lastly('Wed', 0))).toBe('2026-05-06')
  expect(date(calendar.lastly('Sat', -8))).toBe('2026-05-09')
})

test.each(days(7))('on UTC day %i every planned date is in its order and in the past', (today) => {
  const calendar = new Calendar(new Date(instantOf(today, 0.1)))
  const codes = cafeCodes(calendar)
  expect(new Set(codes.map(({ name }) => name)).size).toBe(codes.length)
  for (const { created, paused, ended, deleted } of codes) {
    expect(created).toBeLessThan(today)
    for (const end of [paused, ended, deleted]) {
      if (end === undefined) continue
      expect(end).toBeGreaterThanOrEqual(created)
      expect(end).toBeLessThan(today)
    }
  }
})
