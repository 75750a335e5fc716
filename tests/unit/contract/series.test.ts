import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SERIES_MAX } from '#contract/codes/code-values.ts'
import { problemsOf } from '#contract/series/series.ts'
import { expandSeries, type SeriesValues } from '#contract/series/series-rows.ts'
import { seed, times } from '../../support/soak.ts'

const RUNS = { seed, numRuns: times(200, 20_000) }

const numbers = (from: number, to: number, leadingZeros = false): SeriesValues => ({
  kind: 'numbers',
  from,
  to,
  leadingZeros,
})
const lines = (text: string): SeriesValues => ({ kind: 'lines', text })
const named = (name: string, url: string, values: SeriesValues) =>
  expandSeries({ name, url, values }).rows.map((row) => `${row.name} → ${row.url}`)
const MENU = 'https://cafe.example/menu'

test('a number takes the place of {n} in the name and the destination', () => {
  expect(named('Table {n}', `${MENU}?table={n}`, numbers(9, 11))).toEqual([
    `Table 9 → ${MENU}?table=9`,
    `Table 10 → ${MENU}?table=10`,
    `Table 11 → ${MENU}?table=11`,
  ])
})

test('numbers have leading zeros if that is asked for', () => {
  expect(named('{N}', MENU, numbers(9, 10, true))).toEqual([`09 → ${MENU}`, `10 → ${MENU}`])
})

test('a name without a gap gets the value at its end', () => {
  expect(named('Table', MENU, numbers(1, 2))).toEqual([`Table 1 → ${MENU}`, `Table 2 → ${MENU}`])
})

test('each line is a value, and one with a tab or a comma may bring its destination', () => {
  const text =
    'Terrace\r\n\n Bar \t https://cafe.example/bar\nHall, https://cafe.example/hall\nSmith, John\n'
  expect(named('{value}', `${MENU}/{value}`, lines(text))).toEqual([
    `Terrace → ${MENU}/Terrace`,
    'Bar → https://cafe.example/bar',
    'Hall → https://cafe.example/hall',
    `Smith, John → ${MENU}/Smith%2C%20John`,
  ])
})

test('a value is encoded in a destination, and never read as a pattern', () => {
  expect(named('{value}', `${MENU}?for={value}`, lines('A&B {n} $&'))).toEqual([
    `A&B {n} $& → ${MENU}?for=A%26B%20%7Bn%7D%20%24%26`,
  ])
})

test('a destination without https:// gets it', () => {
  expect(named('{n}', 'cafe.example/{n}', numbers(1, 1))).toEqual(['1 → https://cafe.example/1'])
})

test.each([
  ['the last number before the first', numbers(5, 4), 'The last number is smaller'],
  ['half a number', numbers(1, 2.5), 'two whole numbers'],
  ['a negative number', numbers(-1, 2), 'two whole numbers'],
  ['no number', numbers(Number.NaN, 2), 'two whole numbers'],
  ['a number without end', numbers(999_999, 1_000_000), '999,999'],
  ['too many numbers', numbers(1, SERIES_MAX + 1), '1,000'],
  ['no line', lines(' \n\t\n'), 'one line for each'],
  ['too many lines', lines('a\n'.repeat(SERIES_MAX + 1)), '1,000'],
])('%s is a problem of the whole series', (_case, values, words) => {
  const { rows, problem } = expandSeries({ name: 'Table {n}', url: MENU, values })
  expect(rows).toEqual([])
  expect(problem).toContain(words)
})

test('n numbers make n rows with n names, none of which is refused', () => {
  const range = fc.tuple(fc.nat(900_000), fc.integer({ min: 1, max: 60 }), fc.boolean())
  const name = fc.constantFrom('Table {n}', 'Table', '{n}', 'No. {n} of {n}', 'ملصق {n}', '')
  fc.assert(
    fc.property(range, name, ([from, count, leadingZeros], pattern) => {
      const values = numbers(from, from + count - 1, leadingZeros)
      const { rows, problem } = expandSeries({ name: pattern, url: `${MENU}?t={n}`, values })
      expect(problem).toBeNull()
      expect(rows).toHaveLength(count)
      expect(new Set(rows.map((row) => row.name)).size).toBe(count)
      expect(new Set(rows.map((row) => row.url)).size).toBe(count)
      expect(problemsOf(rows)).toEqual(new Map())
    }),
    RUNS,
  )
})

test('any lines make as many rows as have something in them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (texts) => {
      const { rows } = expandSeries({
        name: 'A {value}',
        url: MENU,
        values: lines(texts.join('\n')),
      })
      const wanted = texts.flatMap((text) => text.split(/[\r\n]+/)).filter((text) => text.trim())
      expect(rows).toHaveLength(wanted.length)
    }),
    RUNS,
  )
})

test('what is wrong is said at its row, in the words of the form', () => {
  const rows = [
    { name: 'Table 1', url: MENU },
    { name: '', url: MENU },
    { name: 'Table 2', url: 'no address' },
    { name: 'x'.repeat(201), url: MENU },
    { name: 'Table 1', url: MENU },
  ]
  expect(Object.fromEntries(problemsOf(rows))).toEqual({
    1: 'Name is required',
    2: 'Must be a valid URL',
    3: 'Name must be at most 200 characters',
    4: 'Row 1 has the same name',
  })
})
