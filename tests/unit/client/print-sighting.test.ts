import { describe, expect, test } from 'vitest'
import { printAddress } from '../../../src/client/codes/addresses.ts'
import { PHOTO_MAX_MB, refusalOf, scaled } from '../../../src/client/codes/prints/photo-sizes.ts'
import { proofText, verdictText } from '../../../src/client/codes/prints/print-proofs.tsx'
import { knownBetter, pathIn, sightingOf } from '../../../src/client/codes/prints/sighting.ts'
import { queryWithValue } from '../../../src/client/ui/dialog/address-steps.ts'
import { proofVerdict } from '../../../src/contract/pictures/scan-checks.ts'

const HOST = 'https://codes.example.com'
const made = (id: string, shortCode: string, vanityUrl: string | null = null) => ({
  id,
  name: `Code ${id}`,
  url: `https://example.com/${id}`,
  shortCode,
  domain: null,
  vanityUrl,
})
const menu = made('menu', 'aBcDeFgH', 'our-menu')
const poster = made('poster', 'pPpPpPpP')
const about = { code: menu, codes: [menu, poster], hostUrl: HOST }
const link = (path: string) => `${HOST}/qr/${path}`
const seen = (...texts: string[]) => sightingOf(texts, about)?.sighting

describe('what a photo says', () => {
  test.each([
    [link('our-menu'), 'our-menu'],
    ['HTTPS://CODES.EXAMPLE.COM/QR/OUR-MENU', 'OUR-MENU'],
    [`${link('our-menu')}/`, 'our-menu'],
    ['https://other.example.com/qr/our-menu', null],
    [`${HOST}/dashboard`, null],
    [link('a/b'), null],
    [link('x'.repeat(51)), null],
    ['WIFI:T:WPA;S:Guests;P:secret;;', null],
    ['', null],
  ])('%s has the path %s', (text, path) => {
    expect(pathIn(text, HOST)).toBe(path)
  })

  test('is this code by its short code, its custom URL, or either in capitals', () => {
    for (const text of [menu.shortCode, 'our-menu'].map(link)) {
      expect([seen(text), seen(text.toUpperCase())]).toEqual([{ kind: 'this' }, { kind: 'this' }])
    }
  })

  test('is another of the user’s codes, another address, or a link that the server knows', () => {
    expect(seen(link('pPpPpPpP'))).toEqual({
      kind: 'own',
      name: 'Code poster',
      url: poster.url,
      isInBin: false,
    })
    expect(seen('https://evil.example.com/')).toEqual({
      kind: 'elsewhere',
      text: 'https://evil.example.com/',
    })
    expect(seen(link('former'))).toEqual({ kind: 'ours' })
  })

  test('is about the asked code if several are in the photo, else about one of the user’s', () => {
    expect(seen('https://example.org', link('pPpPpPpP'), link('our-menu'))).toEqual({
      kind: 'this',
    })
    expect(seen('https://example.org', link('pPpPpPpP'))?.kind).toBe('own')
    expect(sightingOf([], about)).toBeNull()
  })

  test('is sent to the server only as a path of this service', () => {
    expect(sightingOf(['secret of others'], about)?.reading).toEqual({ found: 'other-address' })
    expect(sightingOf([link('former')], about)?.reading).toEqual({ found: 'link', path: 'former' })
  })

  test('is corrected by the server: a former custom URL, a code in the bin, an unknown link', () => {
    const proof = { verdict: 'reads', checkedAt: '2026-11-23T12:00:00.000Z' } as const
    const former = { kind: 'ours' } as const
    const known = (shown: Parameters<typeof knownBetter>[2]) => knownBetter(former, menu, shown)
    expect(known({ proof, shown: { ...menu, isInBin: false } })).toEqual({ kind: 'this' })
    expect(known({ proof, shown: { ...poster, isInBin: true } })).toMatchObject({ isInBin: true })
    expect(known({ proof, shown: null })).toEqual(former)
    expect(known(undefined)).toEqual(former)
  })
})

describe('a photo', () => {
  test('of 48 megapixels is drawn smaller, and a small one as it is', () => {
    const part = { share: 1, longest: 2_000 }
    expect(scaled({ width: 8_000, height: 6_000 }, part)).toMatchObject({
      left: 0,
      top: 0,
      right: 8_000,
      width: 2_000,
      height: 1_500,
    })
    expect(scaled({ width: 300, height: 200 }, part)).toMatchObject({ width: 300, height: 200 })
    expect(scaled({ width: 9_000, height: 1 }, part)).toMatchObject({ width: 2_000, height: 1 })
  })

  test('is read again in its middle, for a small code in a large one', () => {
    expect(scaled({ width: 8_000, height: 6_000 }, { share: 0.5, longest: 2_000 })).toEqual({
      left: 2_000,
      top: 1_500,
      right: 6_000,
      bottom: 4_500,
      width: 2_000,
      height: 1_500,
    })
  })

  test('that cannot be opened is refused for what it is', () => {
    const start = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const size = 1_000
    expect(refusalOf({ size: PHOTO_MAX_MB * 2 ** 20 + 1 })).toBe('too-large')
    expect(refusalOf({ size })).toBeUndefined()
    expect(refusalOf({ size }, start('\0\0\0\x18ftypheic\0\0\0\0'))).toBe('heic')
    expect(refusalOf({ size }, start('\xff\xd8\xff\xe0'))).toBe('broken')
    expect(refusalOf({ size }, start('%PDF-1.7'))).toBe('not-a-picture')
    expect(refusalOf({ size: 0 }, start(''))).toBe('not-a-picture')
  })
})

test('the last check is described in one sentence, for each verdict', () => {
  const checkedAt = '2026-11-23T12:00:00.000Z'
  const wanted = 'Print checked on Nov 23, 2026: it scans and leads to https://example.com/menu'
  expect(proofText({ verdict: 'reads', checkedAt }, menu.url)).toBe(wanted)
  expect(proofText({ verdict: 'glare', checkedAt }, menu.url)).toBe(
    'Print checked on Nov 23, 2026: light hid a part of the code',
  )
  for (const verdict of proofVerdict.options) expect(verdictText(verdict)).toMatch(/^[A-Z]/)
})

test('the dialog’s address stands beside what else the page’s address asks for', () => {
  expect(queryWithValue('?edit=a&q=menu', 'print', 'b c')).toBe('?edit=a&q=menu&print=b%20c')
  expect(printAddress.asked('?edit=a&print=b%20c')).toBe('b c')
  expect(queryWithValue('?edit=a&print=b', 'print', null)).toBe('?edit=a')
  expect(queryWithValue('?print=b', 'print', null)).toBe('')
})
