import { expect, test } from 'vitest'
import * as formats from '../../../src/server/formats.ts'

test.each([
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['pt-BR;q=0.9', 'pt-BR'],
  // Another calendar or script is not taken: the number of locales stays bounded.
  ['de-u-ca-buddhist', 'de'],
])('a browser that asks for "%s" has the formats of %s', (header, locale) => {
  expect(formats.localeOf(header)).toBe(locale)
})

test.each([undefined, '', '*', 'tlh', 'english please', 'x'.repeat(40), ',de', '../../etc'])(
  '"%s" names no locale',
  (header) => {
    expect(formats.localeOf(header)).toBeUndefined()
  },
)

const AT = Date.UTC(2026, 10, 25, 14, 5)

test.each([
  [undefined, '1,204 scans', '20%', 'November 25, 2026', 'Nov 25, 2026, 2:05 PM'],
  ['de-DE', '1.204 scans', '20 %', '25. November 2026', '25.11.2026, 14:05'],
  ['en-GB', '1,204 scans', '20%', '25 November 2026', '25 Nov 2026, 14:05'],
])('the locale %s writes counts, percents, days and moments its own way', (locale, ...texts) => {
  const written = [
    formats.counted(1204, 'scan', { locale }),
    formats.formatPercent(0.2, { locale }),
    formats.formatDay(AT, { locale }),
    formats.formatMoment(AT, { locale }),
  ]
  expect(written.map((text) => text.replace(/\s/g, ' '))).toEqual(texts)
})

test('a day is that of the reader’s zone', () => {
  const reader = { locale: 'en-GB', zone: 'Asia/Tokyo' }
  expect(formats.formatWeekday(Date.UTC(2026, 10, 25, 20), reader)).toBe('Thursday 26 November')
})
