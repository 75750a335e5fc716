import { describe, expect, test } from 'vitest'
import type { Target } from '../../../src/server/codes/types.ts'
import type { WorkspaceId } from '../../../src/server/database/ids.ts'
import { type Asked, decide, nameAsked } from '../../../src/server/redirects/decide.ts'
import { targetTo } from '../../support/target.ts'

const NOW = 1_000
const URL = 'https://example.com/?a=1&b#top'
const MENU = targetTo(URL)
const PAUSED = { ...MENU, paused: true }
const DOMAIN = { id: 'd', workspaceId: 'ada' as WorkspaceId, homeUrl: null }
const HOME = { ...DOMAIN, homeUrl: 'https://cafe-luna.com/' }
const asked: Asked = { key: 'menu', isPreview: false, query: '' }
const PREVIEW = { isPreview: true }

type Case = [string, Target | undefined, Partial<Asked>, object]
const cases: Case[] = [
  ['a working code', MENU, {}, { kind: 'url', url: URL }],
  ['one at its last moment', { ...MENU, expiresAt: NOW }, {}, { kind: 'url', url: URL }],
  ['one after it', { ...MENU, expiresAt: NOW - 1 }, {}, { kind: 'expired', status: 410 }],
  ['a paused code', PAUSED, {}, { kind: 'paused', status: 410 }],
  ['one that is over, too', { ...PAUSED, expiresAt: 1 }, {}, { kind: 'paused', status: 410 }],
  ['a code with a +', MENU, PREVIEW, { kind: 'shown', status: 200, url: URL }],
  ['a paused code with a +', PAUSED, PREVIEW, { kind: 'paused', status: 410 }],
  ['an unknown name', undefined, {}, { kind: 'unknown', status: 404 }],
  ['one on a domain', undefined, { domain: DOMAIN }, { kind: 'unknown', status: 404 }],
  ['with a home', undefined, { domain: HOME }, { kind: 'home', status: 302, url: HOME.homeUrl }],
  ['a code there', MENU, { domain: HOME }, { kind: 'url', url: URL }],
  ['parameters', MENU, { query: 'table=7' }, { kind: 'url', url: URL }],
]
test.each(cases)('%s', (_case, target, own, answer) =>
  expect(decide(target, { ...asked, ...own }, undefined, NOW)).toMatchObject(answer),
)

test.each([
  ['table=7&a=2&%62=3', '?a=1&b&table=7#top'],
  ['q=%0d%0aX:%20y&z="<', '?a=1&b&q=%0d%0aX:%20y&z=%22%3C#top'],
  ['&&', '?a=1&b#top'],
  [`long=${'x'.repeat(3_000)}`, `?a=1&b&long=${'x'.repeat(3_000)}#top`],
  [`long=${'x'.repeat(3_050)}`, '?a=1&b#top'],
])('a code that passes parameters on gets %.20s', (query, end) => {
  const passing: Target = { ...MENU, destination: { ...MENU.destination, passesQuery: true } }
  const url = `https://example.com/${end}`
  expect(decide(passing, { ...asked, query })).toMatchObject({ kind: 'url', url })
})

describe('the names that an address asks for', () => {
  /** The keys in the order in which they are looked up, a + behind previews; undefined if it has no place for names. */
  function keysOf(url: string, domain?: typeof DOMAIN): string[] | undefined {
    const keys = []
    const first = nameAsked(domain, url)
    for (let asked = first; asked; asked = asked.otherwise) {
      keys.push(asked.key + (asked.isPreview ? '+' : ''))
    }
    return first && keys
  }

  test.each([
    ['/qr/Menu-1', ['menu-1']],
    ['/QR/MENU', ['menu']],
    ['/%71r/menu', ['menu']],
    ['http://other.example/qr/menu', ['menu']],
    ['/qr/menu/', ['menu']],
    ['/qr/menu),%0a', ['menu']],
    ['/qr//%20menu&a=b', ['menu']],
    ['/qr/menu%2B?a', ['menu+']],
    ['/qr/', ['']],
    ['/qr/d%2Fmenu', ['']],
    ['/qr/menu%zz', ['']],
    ['/menu', undefined],
    ['/Qr/menu', undefined],
    ['/qr%2Fmenu', undefined],
    ['/%71r/menu%zz', undefined],
  ])('%s on our host', (url, keys) => expect(keysOf(url)).toEqual(keys))

  test.each([
    ['/Menu', ['d/Menu']],
    ['/qr/Menu?a', ['d/Menu']],
    ['/QR/MENU', ['d/menu']],
    ['/', ['']],
    ['/Menu/2/', ['d/Menu/2/', 'd/Menu/2']],
    ['/v1.', ['d/v1.', 'd/v1']],
    ['/x%zz', ['d/x%zz']],
  ])('%s on a domain', (url, keys) => expect(keysOf(url, DOMAIN)).toEqual(keys))

  test.each([
    ['/qr/menu?a=b&c', 'a=b&c'],
    ['/qr/menu&a=b?c', 'a=b?c'],
  ])('%s has its parameters', (url, query) => expect(nameAsked(undefined, url)?.query).toBe(query))
})
