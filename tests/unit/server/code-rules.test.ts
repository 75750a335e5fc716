import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { plans } from '../../../src/contract/billing/plans.ts'
import { entitlements } from '../../../src/server/billing/entitlements.ts'
import {
  expiryOf,
  hasFreeSlot,
  refuseOwnLinks,
  wantedPath,
} from '../../../src/server/codes/rules.ts'
import { newShortCode } from '../../../src/server/codes/short-codes.ts'
import { seed, times } from '../../support/soak.ts'

const free = entitlements(undefined, true)
const professional = entitlements({ tier: 'professional', status: 'active' }, true)
const unlimited = entitlements({ tier: 'unlimited', status: 'active' }, true)

describe('the rules of codes', () => {
  test('a slot is free below the limit, and always without one', () => {
    expect([2, 3, 4].map((used) => hasFreeSlot(free, used))).toEqual([true, false, false])
    expect(hasFreeSlot(unlimited, 1_000_000)).toBe(true)
  })

  test('only codes of the free plan expire', () => {
    const now = new Date('2026-02-20T12:00:00Z')
    expect(expiryOf(free, now)).toBe(now.getTime() + 14 * DAY_MS)
    expect(expiryOf(professional, now)).toBeNull()
    for (const { tier, expiryDays } of Object.values(plans)) {
      expect([tier, expiryDays]).toEqual([tier, tier === 'free' ? 14 : null])
    }
  })

  test('a plan without custom paths keeps an existing one', () => {
    const menu = { vanity_url: 'menu', domain: null }
    expect(wantedPath({}, menu, free)).toBe('menu')
    expect(wantedPath({ vanityUrl: 'menu' }, menu, free)).toBe('menu')
    expect(wantedPath({ vanityUrl: null }, menu, free)).toBe('menu')
    expect(() => wantedPath({ vanityUrl: 'other' }, menu, free)).toThrow(/Upgrade/)
    expect(wantedPath({ vanityUrl: null }, menu, professional)).toBeNull()
    expect(wantedPath({ vanityUrl: 'other' }, menu, professional)).toBe('other')
  })

  test('a path that an import brought stays on its domain, and only there', () => {
    const imported = { vanity_url: 'Menu/2', domain: 'go.cafe-luna.com' }
    for (const vanityUrl of [undefined, 'Menu/2', 'menu/2']) {
      expect(wantedPath({ vanityUrl }, imported, professional)).toBe('Menu/2')
    }
    const elsewhere = { vanity_url: 'Menu/2', domain: null }
    expect(() => wantedPath({}, elsewhere, professional)).toThrow(/can only/)
    expect(() => wantedPath({ vanityUrl: 'Menu/3' }, imported, professional)).toThrow(/can only/)
  })

  const site = 'https://qr.example.com'
  test.each([
    'https://qr.example.com/qr/abc',
    'https://qr.example.com:443/qr/abc',
    'https://QR.EXAMPLE.COM./Qr/ABC',
    'https://qr.example.com/%51R/abc',
    'https://qr.example.com/qr%2fabc',
    'https://qr.example.com/qr/%zz',
    'https://qr.example.com/qr/',
  ])('%s is one of our own links', (url) => {
    expect(() => refuseOwnLinks({ url: new URL(url).href }, site)).toThrow(/our own short links/)
  })

  test.each(['http://localhost', 'http://LOCALHOST.', 'http://127.0.0.1', 'http://[::1]'])(
    '%s is another name of this computer',
    (host) => {
      const refuse = () => refuseOwnLinks({ url: `${host}:5000/qr/abc` }, 'http://localhost:5000')
      expect(refuse).toThrow(/our own short links/)
    },
  )

  test.each([
    'https://qr.example.com/',
    'https://qr.example.com/qrs/abc',
    'https://qr.example.com/menu/qr/abc',
    'https://example.com/qr/abc',
    'https://qr.example.com.evil.example/qr/abc',
    'https://qr.example.com:8443/qr/abc',
    'http://localhost/qr/abc',
  ])('%s is a destination', (url) => {
    expect(() => refuseOwnLinks({ url: new URL(url).href }, site)).not.toThrow()
  })

  test('short codes are seven unambiguous characters and do not repeat', () => {
    const codes = Array.from({ length: times(2_000, 100_000) }, newShortCode)
    for (const code of codes) expect(code).toMatch(/^[bcdfghjkmnpqrstvwxz23456789]{7}$/)
    expect(codes.length - new Set(codes).size).toBeLessThanOrEqual(times(1, 5))
  })

  test('every spelling of our address is recognized', () => {
    const scheme = fc.constantFrom('http', 'https', 'HTTP')
    const hosts = ['qr.example.com', 'QR.example.COM', 'qr.example.com.', 'qr%2Eexample.com']
    const host = fc.constantFrom(...hosts)
    const port = fc.constantFrom('', ':443', ':80')
    const paths = ['/qr/', '/QR/', '/q%72/', '/./qr/', '/x/..//qr/', '//qr//', '\\qr\\']
    const path = fc.constantFrom(...paths)
    // A name of dots resolves to a path outside /qr/.
    const name = fc.string().filter((text) => !/^\.{1,2}$/.test(text))
    fc.assert(
      fc.property(scheme, host, port, path, name, (...[a, b, c, d, e]) => {
        const url = URL.parse(`${a}://${b}${c}${d}${encodeURIComponent(e.toWellFormed())}`)
        expect(() => refuseOwnLinks({ url: url?.href }, site)).toThrow(/our own short links/)
      }),
      { seed, numRuns: times(300, 10_000) },
    )
  })
})
