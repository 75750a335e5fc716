import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeReturnTo } from '../../../src/contract/accounts/return-to.ts'
import { seed, times } from '../../support/soak.ts'

const HERE = 'https://qr.example.com'

describe('where to go after signing in', () => {
  test.each([
    '/',
    '/profile',
    '/subscription?tier=starter&billing=annual',
    '/dashboard?qr=1#top',
    '/profile#plan',
    '/a%2Fb',
    '/a%ff',
    '/qrs',
    '/api/checkout/1',
  ])('%s stays as it is', (path) => {
    expect(safeReturnTo(path)).toBe(path)
  })

  test.each([
    ['/a/../profile', '/profile'],
    ['/menü', '/men%C3%BC'],
    ['/a\r\nSet-Cookie: x', '/aSet-Cookie:%20x'],
  ])('%j is resolved as browsers do', (path, resolved) => {
    expect(safeReturnTo(path)).toBe(resolved)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/oauth/authorize?client_id=x',
    '/qr/menu',
    '/QR/menu?x=1',
    '/%71r/menu',
    '/qr%2Fmenu',
    '/a/../qr/menu',
    '/api/logout',
    '/%61pi/logout',
    '/api/auth/provider?returnTo=/',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil.example',
    'dashboard',
    '',
    undefined,
    null,
    7,
    ['/profile'],
    { path: '/profile' },
  ])('%j leads to the start page', (path) => {
    expect(safeReturnTo(path)).toBe('/')
  })

  test('a browser stays on this site for any text', () => {
    const signs = ['/', '\\', '.', '..', '\t', '\n', '\r', ' ', ':', '@', '%2e', '?', '#', '\0']
    const words = ['http:', 'evil.example', 'a', '\u202e', '\ud800']
    const parts = fc.constantFrom(...signs, ...words)
    const path = fc.array(parts, { maxLength: 8 }).map((pieces) => pieces.join(''))
    const fromRoot = path.map((text) => `/${text}`)
    const anyAddress = fc.oneof(path, fromRoot, fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(anyAddress, (asked) => {
        const target = safeReturnTo(asked)
        expect(target).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
        expect(new URL(target, HERE).origin).toBe(HERE)
      }),
      { seed, numRuns: times(2_000, 100_000) },
    )
  })
})
