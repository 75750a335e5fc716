import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readingOf } from '../../../src/server/codes/try-scan.ts'
import type { Target } from '../../../src/server/codes/types.ts'
import type { WorkspaceId } from '../../../src/server/database/ids.ts'
import {
  type Asked,
  decide,
  nameAsked,
  type Visitor,
} from '../../../src/server/redirects/decide.ts'
import { targetTo } from '../../support/target.ts'

const NOW = 1_000
const URL = 'https://example.com/?a=1&b#top'
const MENU = targetTo(URL)
const APPLE = 'https://apps.apple.com/'
const DOMAIN = { id: 'd', workspaceId: 'ada' as WorkspaceId, homeUrl: null }
const HOME = { ...DOMAIN, homeUrl: 'https://cafe-luna.com/' }
const asked: Asked = { key: 'menu', isPreview: false, query: '' }
const PREVIEW = { isPreview: true }

const RULED = { ...MENU, rules: [{ variants: [{ id: 'apples00', url: APPLE, share: 100 }] }] }
const ELSE = { fallback: 'https://example.com/else' }
const LOCKED = { ...RULED, passwordHash: 'salt:key', isCounted: true }
const ENTERED = { hasPassword: true }
const LATE = { ordinal: 'over' } as const
const LIMITED = { ...MENU, isCounted: true }

const home = { kind: 'home', url: HOME.homeUrl }
const main = { kind: 'url', url: URL }
const ruled = { kind: 'url', url: APPLE, branch: 'apples00' }
const fallback = { kind: 'fallback', url: ELSE.fallback }
const rescued = { kind: 'url', url: ELSE.fallback, branch: 'fallback' }
const paused = { kind: 'paused', status: 410 }
const expired = { kind: 'expired', status: 410 }
const early = { kind: 'early', status: 404, startsAt: NOW + 1 }
const over = { kind: 'over', status: 410 }
const shown = { kind: 'shown', status: 200, url: URL, hasRules: false }

type Case = [line: number, Target | undefined, Partial<Asked & Visitor>, object]
const cases: Record<string, Case> = {
  'no code on a domain with a home': [1, undefined, { domain: HOME }, home],
  'no code': [2, undefined, {}, { kind: 'unknown', status: 404 }],
  'no code on a domain': [2, undefined, { domain: DOMAIN }, { kind: 'unknown', status: 404 }],
  'a paused code': [3, { ...MENU, paused: true, expiresAt: 1 }, {}, paused],
  'a paused code with a +': [3, { ...MENU, paused: true }, PREVIEW, paused],
  'a paused code with a fallback': [3, { ...MENU, ...ELSE, paused: true }, {}, fallback],
  'a free code after its end': [4, { ...MENU, ...ELSE, expiresAt: NOW - 1 }, {}, expired],
  'a code before its start': [5, { ...MENU, startsAt: NOW + 1 }, {}, early],
  'the same with a fallback': [5, { ...MENU, ...ELSE, startsAt: NOW + 1 }, {}, fallback],
  'a code at its end': [6, { ...MENU, endsAt: NOW }, {}, over],
  'one with a fallback': [6, { ...MENU, ...ELSE, endsAt: NOW }, PREVIEW, fallback],
  'a code with a password': [7, LOCKED, LATE, { kind: 'locked', status: 200 }],
  'its preview': [7, LOCKED, PREVIEW, { kind: 'shown', hasRules: true }],
  'the same after its end': [6, { ...LOCKED, ...ELSE, endsAt: NOW }, {}, fallback],
  'the same while it is paused': [3, { ...LOCKED, paused: true }, {}, paused],
  'the right password': [10, LOCKED, { ...ENTERED, ordinal: 1 }, ruled],
  'one after the last scan': [8, LOCKED, { ...ENTERED, ...LATE }, over],
  'a code whose scans are used up': [8, LIMITED, LATE, over],
  'one with a fallback and a +': [8, { ...LIMITED, ...ELSE }, { ...LATE, ...PREVIEW }, fallback],
  'a code with a +': [9, MENU, PREVIEW, shown],
  'a code with rules and a +': [9, RULED, PREVIEW, { ...shown, hasRules: true }],
  'a rule that fits': [10, RULED, {}, ruled],
  'a rule for the first scan': [10, firstOnly(RULED), { ordinal: 1 }, ruled],
  'a rule before a dead destination': [10, { ...RULED, ...ELSE, isDead: true }, {}, ruled],
  'a dead destination': [11, { ...MENU, ...ELSE, isDead: true }, {}, rescued],
  'a dead one with a +': [9, { ...MENU, ...ELSE, isDead: true }, PREVIEW, shown],
  'a dead one without a fallback': [12, { ...MENU, isDead: true }, {}, main],
  'the second scan': [12, firstOnly(RULED), { ordinal: 2 }, main],
  'a working code': [12, MENU, { domain: HOME, query: 'table=7' }, main],
  'a free code at its last moment': [12, { ...MENU, expiresAt: NOW }, {}, main],
  'a code at its start': [12, { ...MENU, startsAt: NOW, endsAt: NOW + 1 }, {}, main],
  'the last scan of a limit': [12, LIMITED, { ordinal: 7 }, main],
}
function firstOnly(target: Target): Target {
  const rules = target.rules.map((rule) => ({ ...rule, scans: { until: 1 } }))
  return { ...target, rules, isCounted: true }
}
const visitor: Visitor = { reading: readingOf({}), languages: undefined }

describe('the table of docs/rules.md', () => {
  /** The words of a line's third cell, by the kind that `decide` returns */
  const called: Record<string, RegExp> = {
    home: /^the home page$/,
    unknown: /^a page: not found$/,
    paused: /a page: paused$/,
    expired: /^a page: expired$/,
    early: /a page: from when$/,
    over: /a page: over$/,
    fallback: /^the fallback, or/,
    shown: /^a page: where it leads$|with a \+/,
    locked: /^a page: password/,
    url: /destination$/,
  }
  const lines = new Map(
    [
      ...readFileSync('docs/rules.md', 'utf8').matchAll(/^\| (\d+) \|.*\| (.+) \| (yes|no) \|$/gm),
    ].map(([, line, gets = '', counts]) => [Number(line), { gets, counts }]),
  )

  test('has cases for each line', () => {
    const known = new Set(Object.values(cases).map(([line]) => line))
    expect([...lines.keys()]).toEqual([...known].toSorted((one, other) => one - other))
  })

  test.each(Object.entries(cases))('%s', (_case, [line, target, own, answer]) => {
    const decision = decide(target, { ...asked, ...own }, { ...visitor, ...own }, NOW)
    expect(decision).toMatchObject(answer)
    expect(lines.get(line)?.gets).toMatch(called[decision.kind] ?? '')
    expect(lines.get(line)?.counts).toBe(decision.kind === 'url' ? 'yes' : 'no')
  })
})

test.each([
  ['person', {}, true],
  ['bot', {}, false],
  ['person', PREVIEW, false],
] as const)(
  'a scan by a %s of a code with a limit has to be counted first',
  (kind, own, isPerson) => {
    const reading = readingOf({ class: kind })
    const decision = decide(LIMITED, { ...asked, ...own }, { ...visitor, reading }, NOW)
    expect(decision).toEqual({ kind: 'uncounted', isPerson })
  },
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
  expect(decide(passing, { ...asked, query }, visitor)).toMatchObject({ kind: 'url', url })
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
