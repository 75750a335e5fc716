import { describe, expect, test } from 'vitest'
import { seenText } from '../../../src/client/analytics/seen-scan.ts'
import { queryWith, queryWithReady, readyIn } from '../../../src/client/codes/addresses.ts'
import { distanceOf, printSizeText } from '../../../src/client/codes/editor/printing/print-size.ts'

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
  test('is written in mm and inches, with the distance of a reader', () => {
    expect(printSizeText(50)).toBe(
      '50 mm (1.97 in) can be scanned from up to about 50 cm (20 in) away.',
    )
    expect(printSizeText(25.4)).toContain('25.4 mm (1 in)')
  })

  test('has its distance in metres and feet for a large print', () => {
    expect(distanceOf(99)).toBe('99 cm (39 in)')
    expect(distanceOf(100)).toBe('1 m (3 ft)')
    expect(distanceOf(2_000)).toBe('20 m (66 ft)')
  })
})

test('a code that is ready is part of the address, in place of its form', () => {
  expect(queryWithReady('?sort=name&new', 'abc')).toBe('?sort=name&ready=abc')
  expect(readyIn('?sort=name&ready=abc')).toBe('abc')
  expect(readyIn('?new')).toBeNull()
  expect(queryWith('?sort=name&ready=abc', null)).toBe('?sort=name')
})
