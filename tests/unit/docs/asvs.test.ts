import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/*
 * docs/asvs.md goes through the OWASP ASVS 5.0.0. Each test that it names is there, and no row of
 * accounts is left out.
 */

const page = readFileSync('docs/asvs.md', 'utf8')

/** How many rows of levels 1 and 2 each section of a chapter has; they come first in each. */
const CHAPTERS: Record<string, Record<string, number>> = {
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
}
const VERDICTS = ['Met', 'Partly', 'Not met', 'Not here']

type Row = { number: string; level: string; here: string }

const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, number = '', level = '', here = '']) => ({ number, level, here }),
)

/** Each name of a test, with the file before it: `tests/…`: “name”, “name”. */
const named = [...page.matchAll(/`(tests\/[\w./-]+)`: (“[^”]+”(?:, “[^”]+”)*)/g)].flatMap(
  ([, file = '', names = '']) =>
    [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => [file, name] as const),
)

test('every row of accounts, sessions, tokens and providers is there, in order', () => {
  const wanted = Object.entries(CHAPTERS).flatMap(([chapter, sections]) =>
    Object.entries(sections).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, at) => `${chapter}.${section}.${at + 1}`),
    ),
  )
  const accounts = rows.map(({ number }) => number).filter((number) => /^([6-9]|10)\./.test(number))
  expect(accounts).toEqual(wanted)
})

test('every line of a table is a row of level 1 or 2 with a verdict', () => {
  const lines = page.split('\n').filter((line) => /^\| \d/.test(line))
  expect(lines.length).toBe(rows.length)
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
  for (const { number, level, here } of rows) {
    expect([number, ['1', '2'].includes(level)]).toEqual([number, true])
    expect([number, VERDICTS.some((verdict) => here.startsWith(verdict))]).toEqual([number, true])
  }
})

describe('a row that is met', () => {
  const own = rows.filter(({ number }) => /^([6-9]|10)\./.test(number))
  test.each(own.filter(({ here }) => here.startsWith('Met')))(
    '$number names its test, or where it is written',
    ({ here }) => {
      expect(here).toMatch(/`tests\/|Written/)
    },
  )
})

test.each(named)('%s has the test “%s”', (file, name) => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  expect(["'", '"', '`'].some((quote) => text.includes(quote + name + quote))).toBe(true)
})

test('the page names tests, and every file of tests with at least one', () => {
  expect(named.length).toBeGreaterThan(100)
  const files = new Set(named.map(([file]) => file))
  const mentioned = [...page.matchAll(/`(tests\/[\w./-]+\.tsx?)`/g)].map(([, file = '']) => file)
  expect(mentioned.filter((file) => !files.has(file))).toEqual([])
})
