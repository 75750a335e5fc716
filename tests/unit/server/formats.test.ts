import { expect, test } from 'vitest'
import { formatCount, formatDay, formatMoment, localeOf } from '../../../src/server/formats.ts'

test.each([
  [undefined, 'en-US'],
  ['', 'en-US'],
  ['*', 'en-US'],
  ['de', 'de'],
  ['xx-nowhere, pt-BR;q=0.7', 'pt-BR'],
  ['en;q=0.2, fr-CA;q=0.9, de;q=0', 'fr-CA'],
  ['de;q=0', 'en-US'],
  ['de;q=high', 'en-US'],
  ['\0, <script>, ../..', 'en-US'],
  [`${'x'.repeat(10_000)},de`, 'en-US'],
])('a reader who asks for %j reads formats of %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale)
})

test('counts, days and moments follow the locale', () => {
  const at = '2026-12-04T15:05:00Z'
  expect([formatCount(1204), formatCount(1204, 'de')]).toEqual(['1,204', '1.204'])
  expect([formatDay(at), formatDay(at, 'de')]).toEqual(['Dec 4, 2026', '04.12.2026'])
  expect(formatMoment(at, 'en-GB', 'Europe/Berlin')).toBe('4 Dec 2026, 16:05')
})
