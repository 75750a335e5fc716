import { expect, test } from 'vitest'
import { silentAfter } from '../../../src/server/analytics/query/silences.ts'
import { Dice } from '../../../src/server/demo/dice.ts'

const YEAR = 365
const isWeekend = (day: number) => day % 7 > 4

/** Scans a day of a busy day's, by the day of the year and a code's own chances by week */
type Rhythm = (day: number, luck: number[]) => number

/** Kinds of codes: between which two numbers are the scans of a busy day, and how the year goes */
const kinds: [name: string, low: number, high: number, rhythm: Rhythm][] = [
  ['café', 2, 30, (day) => (isWeekend(day) ? 1 : 0.6)],
  ['office, closed between the years', 1, 15, (day) => (isWeekend(day) || day > 356 ? 0 : 1)],
  ['shop with nine days of holidays', 2, 15, (day, [own = 0]) => +!(Math.abs(day - 300 * own) < 5)],
  ['market', 4, 30, (day, luck) => +(isWeekend(day) && (luck[Math.floor(day / 7)] ?? 0) > 0.05)],
  ['declining', 3, 30, (day, [own = 0]) => 0.5 ** (day / (30 + 90 * own))],
  ['seasonal', 2, 20, (day, [own = 0]) => Math.max(0, Math.cos(6.28 * (day / YEAR - own))) ** 1.5],
  ['campaign', 5, 60, (day, luck) => ((luck[Math.floor(day / 14)] ?? 0) < 0.3 ? 1 : 0.01)],
  ['rare', 0.05, 0.6, () => 1],
]

const codes = (dice: Dice) =>
  Array.from({ length: 100 }, (_, code) => {
    const [name, low, high, rhythm] = kinds[code % kinds.length] as (typeof kinds)[number]
    const luck = Array.from({ length: 53 }, () => dice.next())
    const most = dice.between(low, high)
    return { name, rate: (day: number) => most * rhythm(day, luck) }
  })

const exponential = (dice: Dice) => -Math.log(1 - dice.next())

function poisson(dice: Dice, mean: number): number {
  let [count, left] = [0, mean - exponential(dice)]
  for (; left > 0; left -= exponential(dice)) count++
  return count
}

/** The days of a year on which a code shows as silent. Good and bad days differ much. A sticker ends its scans. */
function toldOn(dice: Dice, rate: (day: number) => number, sticker: number): number[] {
  const scans = Array.from({ length: YEAR }, (_, day) =>
    day < sticker ? poisson(dice, (rate(day) * (exponential(dice) + exponential(dice))) / 2) : 0,
  )
  const sum = (end: number) => scans.slice(end - 7, end).reduce((all, each) => all + each, 0)
  return scans.flatMap((count, day) => {
    const monday = day - (day % 7)
    if (count === 0 || monday < 8 * 7) return []
    const weeks = Array.from({ length: 8 }, (_, week) => sum(monday - 7 * (7 - week)))
    const told = day + 1 + (silentAfter(weeks) ?? YEAR)
    return told < YEAR && scans.slice(day + 1, told).every((each) => each === 0) ? [told] : []
  })
}

test('of 100 codes hardly one shows as silent in a year without cause, and most stickers are within 16 days', () => {
  const dice = new Dice('silences')
  const falseAlarms = codes(dice).flatMap(({ name, rate }) =>
    toldOn(dice, rate, YEAR).map((day) => `${name} on day ${day}`),
  )
  expect(falseAlarms.length).toBeLessThanOrEqual(3)
  const steady = codes(dice).filter((_, code) => code % kinds.length < 3)
  const delays = steady.map(({ rate }, code) => {
    const sticker = 150 + 4 * code
    return (toldOn(dice, rate, sticker).find((day) => day > sticker) ?? YEAR) - sticker
  })
  const within = (days: number) => delays.filter((delay) => delay <= days).length / delays.length
  expect(within(16)).toBeGreaterThan(0.75)
  expect(within(28)).toBeGreaterThan(0.9)
})
