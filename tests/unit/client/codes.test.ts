import { describe, expect, it } from 'vitest'
import { reachOf } from '#contract/links.ts'
import { ApiError } from '../../../src/client/api.ts'
import { codeAskedBy, NEW, queryWith } from '../../../src/client/codes/addresses.ts'
import { isDrawable } from '../../../src/client/codes/editor/artwork/artwork-form.ts'
import { sixDigits } from '../../../src/client/codes/editor/design-fields.tsx'
import { codeFields } from '../../../src/client/codes/editor/editor.ts'
import { printSizeOf } from '../../../src/client/codes/editor/printing/file-sizes.tsx'
import {
  compactText,
  sizesOf,
} from '../../../src/client/codes/editor/printing/printing-options.tsx'
import { changeOf, valuesOf } from '../../../src/client/codes/editor/values.ts'
import { endIfSaved, endingSoon, endOf } from '../../../src/client/codes/ending.tsx'
import { imageAddress, legibilityAddress, zipAddress } from '../../../src/client/codes/files.ts'
import { foldPath, hostOf, linkOf, pathOf } from '../../../src/client/codes/links.ts'
import { copyName, copyOf } from '../../../src/client/codes/queries.ts'
import { fieldErrors } from '../../../src/client/ui/field-errors.ts'
import { codeChange } from '../../../src/contract/codes/codes.ts'
import { PLAIN_ARTWORK } from '../../../src/qr/artwork/artwork.ts'
import { encode } from '../../../src/qr/symbol/encode.ts'
import { sampleCode as code } from '../../support/sample-code.ts'

describe('a link', () => {
  it('carries the custom path, else the short code', () => {
    expect(linkOf('http://localhost:3000', code)).toBe('http://localhost:3000/qr/menu')
    const onDomain = { ...code, domain: 'qr.example.com' }
    expect(linkOf('https://tessera.example', onDomain)).toBe('https://qr.example.com/qr/menu')
    expect(pathOf({ ...code, vanityUrl: null })).toBe('k7m2xqp')
    expect(hostOf('https://tessera.example')).toBe('tessera.example')
  })

  it('is folded while its path is typed', () => {
    expect(foldPath('My Wi-Fi_2!')).toBe('mywi-fi_2')
    expect(foldPath('Caffè/ß')).toBe('caff')
  })
})

describe('the address of a form', () => {
  it.each([
    ['?edit=c0de', 'c0de'],
    ['?q=menu&edit=c0de&page=2', 'c0de'],
    ['?new', NEW],
    ['?q=menu&new=', NEW],
    ['?edit=', null],
    ['?q=edit', null],
  ])('%s asks for %j', (query, code) => {
    expect(codeAskedBy(query)).toBe(code)
  })

  it('keeps the list’s part of the query', () => {
    expect(queryWith('?q=a%26b&page=2', 'c0de')).toBe('?q=a%26b&page=2&edit=c0de')
    expect(queryWith('?q=a%26b&edit=c0de', NEW)).toBe('?q=a%26b&new')
    expect(queryWith('?q=a%26b&new', null)).toBe('?q=a%26b')
    expect(queryWith('?edit=c0de', null)).toBe('')
  })
})

it.each([
  ['http://localhost:3000', 'device'],
  ['http://127.1.2.3:80', 'device'],
  ['http://[::1]:3000', 'device'],
  ['http://10.0.0.4', 'network'],
  ['http://192.168.1.20:3000', 'network'],
  ['http://172.16.0.1', 'network'],
  ['http://172.31.255.1', 'network'],
  ['http://printer.local', 'network'],
  ['http://[fd00::1]', 'network'],
  ['https://tessera.example', 'anyone'],
  ['http://172.32.0.1', 'anyone'],
  ['http://11.0.0.1', 'anyone'],
  ['https://10.example.com', 'anyone'],
  ['https://localhost.example', 'anyone'],
])('the host %s is reached from this place: %s', (host, reach) => {
  expect(reachOf(host)).toBe(reach)
})

describe('saving', () => {
  it('leaves out a custom path that was not touched', () => {
    expect(changeOf(valuesOf(code), code)).not.toHaveProperty('vanityUrl')
    const without = { ...code, vanityUrl: null }
    expect(changeOf(valuesOf(without), without)).not.toHaveProperty('vanityUrl')
  })

  it('sends a custom path that was changed, and null for one that was removed', () => {
    expect(changeOf({ ...valuesOf(code), vanityUrl: 'lunch' }, code).vanityUrl).toBe('lunch')
    expect(changeOf({ ...valuesOf(code), vanityUrl: '' }, code).vanityUrl).toBeNull()
  })

  it('puts a refusal of the custom path at its field', () => {
    const body = { message: 'Taken', code: 'custom_path_taken' }
    const error = new ApiError(409, 'Conflict', JSON.stringify(body))
    expect(fieldErrors(error, codeFields)).toEqual({ vanityUrl: 'Taken' })
  })
})

describe('the end of a code', () => {
  const now = new Date('2026-11-10T12:00:00Z')

  it('is said before and after it has come', () => {
    expect(endOf({ expiresAt: '2026-11-20T12:00:00Z' }, now)).toBe('Stops working on Nov 20, 2026')
    expect(endOf({ expiresAt: '2026-11-01T12:00:00Z' }, now)).toBe('Stopped working on Nov 1, 2026')
    expect(endOf({ expiresAt: null }, now)).toBeNull()
  })

  it('is said of a new code on the free plan, 14 days ahead', () => {
    const wanted = 'On the Free plan, this code stops working on Nov 24, 2026 if you save it today.'
    expect(endIfSaved('free', now)).toBe(wanted)
    expect(endIfSaved('starter', now)).toBeNull()
  })

  it('is announced three days before, for codes that work until then', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    const code = (name: string, expiresAt: string | null, isActive = true) => ({
      name,
      expiresAt,
      isActive,
    })
    const menu = code('Menu', '2026-11-23T12:00:00Z')
    const poster = code('Poster', '2026-11-21T12:00:00Z')
    const others = [
      code('Later', '2026-11-23T12:00:01Z'),
      code('Gone', '2026-11-20T11:59:59Z'),
      code('Paused', '2026-11-21T12:00:00Z', false),
      code('Paid', null),
    ]
    expect(endingSoon(others, now)).toBeNull()
    expect(endingSoon([menu, ...others], now)).toBe('“Menu” stops working on Nov 23, 2026.')
    expect(endingSoon([menu, ...others, poster], now)).toBe(
      '2 QR codes stop working in the next 3 days, “Poster” first on Nov 21, 2026.',
    )
  })
})

describe('a picture', () => {
  const look = {
    style: 'rounded',
    foreground: '#1e40af',
    background: '#fff',
    ecc: 'Q',
    compact: true,
  } as const
  const query = 'style=rounded&fg=%231e40af&bg=%23fff&ecc=Q&compact=true&artwork=none'

  it('is asked for with format and look', () => {
    expect(imageAddress('c0de', 'png', look, { t: '7' })).toBe(
      `/api/qr-codes/c0de/generate?format=png&${query}&t=7`,
    )
    expect(zipAddress('c0de')).toBe('/api/qr-codes/c0de/download-zip')
    expect(zipAddress('c0de', look, { mm: '30' })).toBe(
      `/api/qr-codes/c0de/download-zip?${query}&mm=30`,
    )
    expect(legibilityAddress('c0de', look)).toBe(`/api/qr-codes/c0de/legibility?${query}`)
  })

  it('waits while a colour is half typed', () => {
    expect(isDrawable(look)).toBe(true)
    expect(isDrawable({ ...look, foreground: '#1e40' })).toBe(false)
  })

  it('waits while a colour of the eyes or the text of a frame cannot be drawn', () => {
    const frame = { shape: 'line', text: 'Scan me', size: 'medium' } as const
    const colours = { color: '#000', textColor: '#000' }
    const framed = { ...PLAIN_ARTWORK, frame: { ...frame, ...colours } }
    expect(isDrawable({ ...look, artwork: framed })).toBe(true)
    const smiling = { ...framed, frame: { ...framed.frame, text: 'Scan me 😀' } }
    expect(isDrawable({ ...look, artwork: smiling })).toBe(false)
    expect(isDrawable({ ...look, artwork: { ...framed, eyeBallColor: '#12' } })).toBe(false)
  })

  it("gives the browser's colour picker six digits", () => {
    expect(sixDigits('#FFF')).toBe('#ffffff')
    expect(sixDigits('#1E40AF')).toBe('#1e40af')
    expect(sixDigits('#1e4')).toBe('#11ee44')
    expect(sixDigits('blue')).toBe('#000000')
  })
})

describe('a compact code', () => {
  it('is smaller in capitals: 25 instead of 29 modules for 33 characters at M', () => {
    const link = 'https://tessera.example/qr/k7m2xqp'.slice(0, 33)
    const sizes = sizesOf(link, { encode })
    expect(sizes.M).toEqual({ plain: 29, compact: 25 })
    expect(compactText(sizes.M)).toBe(
      'Prints the link in capital letters, which makes the code smaller: 25 instead of 29 modules wide. It leads to the same page.',
    )
    expect(compactText(undefined)).not.toMatch(/\d/)
  })

  it('makes no difference if the link has an underscore, or both sizes are the same', () => {
    const { M } = sizesOf('https://tessera.example/qr/summer_menu', { encode })
    expect(M.compact).toBe(M.plain)
    expect(compactText(M)).toBe('Makes no difference for this link.')
    expect(compactText({ plain: 33, compact: 33 })).toBe('Makes no difference for this link.')
  })
})

describe('a print size', () => {
  it.each([10, 50, 62.5, 2000, '30'])('of %s mm is taken', (typed) => {
    expect(printSizeOf(typed)).toBe(Number(typed))
  })

  it.each(['', '-', 9.9, 0, 2000.1, Number.NaN])('of %s is refused', (typed) => {
    expect(printSizeOf(typed)).toBeUndefined()
  })
})

describe('a duplicate', () => {
  const nameOf = (name: string) => copyOf({ ...code, name }, []).name ?? ''

  it('says that it is a copy, and has all but the custom path', () => {
    expect(nameOf('Poster')).toBe('Poster (copy)')
    const { url, tags, style, ecc, compact, artwork, foregroundColor, backgroundColor } = code
    const look = { style, ecc, compact, artwork, foregroundColor, backgroundColor }
    expect(copyOf(code, [])).toEqual({ name: copyName(code.name, []), url, tags, ...look })
  })

  it.each([
    ['Poster', ['Poster'], 'Poster (copy)'],
    ['Poster', ['Poster', 'Poster (copy)'], 'Poster (copy 2)'],
    ['Poster (copy)', ['Poster', 'Poster (copy)'], 'Poster (copy 2)'],
    ['Poster (copy 2)', ['Poster', 'Poster (copy)', 'Poster (copy 2)'], 'Poster (copy 3)'],
    ['Poster (copy 2)', ['Poster (copy 2)'], 'Poster (copy)'],
    ['Hard (copyright)', [], 'Hard (copyright) (copy)'],
  ])('of “%s” beside %j is “%s”', (name, names, copy) => {
    expect(copyName(name, names)).toBe(copy)
  })

  it('of a copy with the longest name is another', () => {
    const long = 'w'.repeat(200)
    const [first, second] = [copyName(long, []), copyName(long, [copyName(long, [])])]
    expect(second).toBe(`${'w'.repeat(191)} (copy 2)`)
    expect(first).not.toBe(second)
  })

  it('has a name that can be saved, however long the original’s is', () => {
    expect(nameOf('w'.repeat(200))).toBe(`${'w'.repeat(193)} (copy)`)
    for (const name of ['w'.repeat(200), `${'w'.repeat(192)}😀${'w'.repeat(6)}`]) {
      expect(codeChange.safeParse({ name: nameOf(name) }).success).toBe(true)
      expect(nameOf(name)).toMatch(/w \(copy\)$/)
    }
  })
})
