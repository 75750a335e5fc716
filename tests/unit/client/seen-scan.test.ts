import { describe, expect, test } from 'vitest'
import { seenText } from '../../../src/client/analytics/seen-scan.ts'
import { queryWith, queryWithReady, readyAddress } from '../../../src/client/codes/addresses.ts'
import { printSizeText } from '../../../src/client/codes/editor/printing/file-sizes.tsx'
import { boughtText } from '../../../src/client/codes/labels/sheet-choice.ts'
import { inReadersUnit, lengthUnit, mmOf } from '../../../src/client/formats.ts'

const AT = '2026-03-05T10:00:00.000Z'

test.each([
  ['Germany', null, 'Mobile', 'iOS', 'Just scanned in Germany, on an iPhone.'],
  ['France', 'Lyon', 'Tablet', 'iOS', 'Just scanned in Lyon, France, on an iPad.'],
  [
    'United Kingdom',
    null,
    'Mobile',
    'Android',
    'Just scanned in the United Kingdom, on an Android phone.',
  ],
  ['Netherlands', null, 'Tablet', 'Other', 'Just scanned in the Netherlands, on a tablet.'],
  ['Czechia', null, 'Desktop', 'Windows', 'Just scanned in Czechia, on a Windows computer.'],
  [null, null, 'Desktop', 'Chrome OS', 'Just scanned on a Chromebook.'],
  [null, null, 'TV', 'Tizen', 'Just scanned on a TV.'],
  ['Japan', null, 'Other', 'Other', 'Just scanned in Japan.'],
  ['Japan', null, null, null, 'Just scanned in Japan.'],
  [null, null, null, null, 'Just scanned.'],
])('a scan in %s (%s) on %s with %s reads as a sentence', (country, city, device, os, text) => {
  expect(seenText({ at: AT, place: { city, country }, device, os })).toBe(text)
})

describe('a print size', () => {
  test.each([
    ['en-US', 50, '1.97 in', '20 in'],
    ['my', 25.4, '1 in', '10 in'],
    ['en-LR', 2_000, '78.74 in', '66 ft'],
    ['en-GB', 50, '50 mm', '50 cm'],
    ['de', 100, '100 mm', '1 m'],
  ])('has the units of %s, for its edge and its distance', (locale, mm, edge, distance) => {
    const says = `${edge} can be scanned from up to about ${distance} away.`
    expect(printSizeText(mm, lengthUnit(locale))).toBe(says)
  })

  test('of a sheet from a shop is in its buyer’s unit, and so are mistakes', () => {
    const [inch, mm] = ['es-US', 'en-CA'].map((locale) => lengthUnit(locale))
    expect(boughtText('5160', inch)).toContain('2.63 in × 1 in')
    expect(boughtText('L7160', mm)).toContain('63.5 mm × 38.1 mm')
    expect(inReadersUnit('From 10 to 420 mm', inch)).toBe('From 0.39 to 16.54 in')
    expect(inReadersUnit('They need 10 mm to scan', mm)).toBe('They need 10 mm to scan')
    expect([mmOf('2.5', lengthUnit('en')), mmOf('', lengthUnit('en'))]).toEqual([63.5, Number.NaN])
  })
})

test('a code that is ready is part of the address, in place of its form', () => {
  expect(queryWithReady('?sort=name&new', 'abc')).toBe('?sort=name&ready=abc')
  expect(readyAddress.asked('?sort=name&ready=abc')).toBe('abc')
  expect(readyAddress.asked('?new')).toBeNull()
  expect(queryWith('?sort=name&ready=abc', null)).toBe('?sort=name')
})
