import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/client/api.ts'
import { sixDigits } from '../../../src/client/codes/colour-fields.tsx'
import { changeOf, fieldErrorsOf, valuesOf } from '../../../src/client/codes/editor.ts'
import { endOf, endOfNewCode } from '../../../src/client/codes/expiry.ts'
import { imageAddress, isDrawable, zipAddress } from '../../../src/client/codes/image-address.ts'
import { foldPath, hostOf, linkOf, pathOf } from '../../../src/client/codes/links.ts'
import { reachOf } from '../../../src/client/codes/reach.ts'
import type { QrCode } from '../../../src/contract/codes.ts'

const code: QrCode = {
  id: 'c0de',
  name: 'Menu',
  url: 'https://example.com/',
  vanityUrl: 'menu',
  style: 'classic',
  foregroundColor: '#000000',
  backgroundColor: '#FFFFFF',
  ecc: 'M',
  compact: false,
  pictureVersion: 'one',
  legibility: null,
  shortCode: 'k7m2xqp',
  isActive: true,
  expiresAt: null,
  createdAt: '2026-11-01T12:00:00.000Z',
}

describe('a link', () => {
  it('carries the custom path, else the short code', () => {
    expect(linkOf('http://localhost:3000', pathOf(code))).toBe('http://localhost:3000/qr/menu')
    expect(pathOf({ ...code, vanityUrl: null })).toBe('k7m2xqp')
    expect(hostOf('https://tessera.example')).toBe('tessera.example')
  })

  it('is folded while its path is typed', () => {
    expect(foldPath('My Wi-Fi_2!')).toBe('mywi-fi_2')
    expect(foldPath('Caffè/ß')).toBe('caff')
  })
})

describe('a host', () => {
  it.each([
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://127.1.2.3:80',
    'http://[::1]:3000',
  ])('%s is reached from this device only', (host) => {
    expect(reachOf(host)).toBe('device')
  })

  it.each([
    'http://10.0.0.4',
    'http://192.168.1.20:3000',
    'http://172.16.0.1',
    'http://172.31.255.1',
    'http://printer.local',
    'http://[fd00::1]',
  ])('%s is reached from this network only', (host) => {
    expect(reachOf(host)).toBe('network')
  })

  it.each([
    'https://tessera.example',
    'http://172.32.0.1',
    'http://11.0.0.1',
    'https://10.example.com',
    'https://localhost.example',
  ])('%s is reached by anyone', (host) => {
    expect(reachOf(host)).toBe('anyone')
  })
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
    expect(fieldErrorsOf(error)).toEqual({ vanityUrl: 'Taken' })
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
    expect(endOfNewCode('free', now)).toContain('14 days')
    expect(endOfNewCode('free', now)).toContain('Stops working on Nov 24, 2026')
    expect(endOfNewCode('starter', now)).toBeNull()
  })
})

describe('a picture', () => {
  const look = { style: 'rounded', foreground: '#1e40af', background: '#fff' } as const

  it('is asked for with format, style and colours', () => {
    expect(imageAddress('c0de', 'png', look, { t: '7' })).toBe(
      '/api/qr-codes/c0de/generate?format=png&style=rounded&fg=%231e40af&bg=%23fff&t=7',
    )
    expect(zipAddress('c0de')).toBe('/api/qr-codes/c0de/download-zip')
    expect(zipAddress('c0de', look)).toContain('?style=rounded&fg=%231e40af')
  })

  it('waits while a colour is half typed', () => {
    expect(isDrawable(look)).toBe(true)
    expect(isDrawable({ ...look, foreground: '#1e40' })).toBe(false)
  })

  it("gives the browser's colour picker six digits", () => {
    expect(sixDigits('#FFF')).toBe('#ffffff')
    expect(sixDigits('#1E40AF')).toBe('#1e40af')
    expect(sixDigits('#1e4')).toBe('#11ee44')
    expect(sixDigits('blue')).toBe('#000000')
  })
})
