import { describe, expect, it } from 'vitest'
import {
  DEFAULT_LIST,
  type ListState,
  listStateOf,
  needsScans,
  nextSort,
  placeOf,
  queryAfter,
  tagsIn,
  visibleCodes,
} from '../../../src/client/codes/list/code-list.ts'
import { PAGE_SIZE } from '../../../src/contract/codes/code-values.ts'
import type { QrCode } from '../../../src/contract/codes/codes.ts'
import { DAY_MS } from '../../../src/contract/time.ts'
import { sampleCode } from '../../support/sample-code.ts'

const now = new Date('2026-11-20T12:00:00.000Z')

const code = (name: string, day: number, change: Partial<QrCode> = {}): QrCode => ({
  ...sampleCode,
  id: name,
  name,
  url: `https://example.com/${name}`,
  vanityUrl: null,
  shortCode: `k7m2xq${day}`,
  createdAt: `2026-11-0${day}T12:00:00.000Z`,
  ...change,
})

/** Newest first, as the server returns them. */
const codes = [
  code('Table 10', 4, { url: 'https://shop.example.xn--bcher-kva.de/menu' }),
  code('Poster', 3, { id: 'a12121a3-1', isActive: false }),
  code('Table 9', 2, { vanityUrl: 'summer-fair' }),
  code('Flyer', 1, { expiresAt: '2026-11-10T12:00:00.000Z' }),
]

const since = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()

/** The poster has none, and the table cards have as many. */
const scans = new Map([
  ['Table 10', { totalScans: 3, lastScannedAt: since(1) }],
  ['Table 9', { totalScans: 3, lastScannedAt: since(31) }],
  ['Flyer', { totalScans: 40, lastScannedAt: since(29) }],
])

const list = (asked: Partial<ListState>, of = codes) =>
  visibleCodes(of, { ...DEFAULT_LIST, ...asked }, { now, scans })
const names = (asked: Partial<ListState>) => list(asked).rows.map(({ name }) => name)

describe('the list of codes', () => {
  it('shows all of them, newest first, by default', () => {
    expect(names({})).toEqual(['Table 10', 'Poster', 'Table 9', 'Flyer'])
  })

  it.each([
    ['a name', 'pOST', 'Poster'],
    ['a destination', 'SHOP.example', 'Table 10'],
    ['a custom path', 'Summer', 'Table 9'],
    ['a link', 'qr.example.com/qr/SUMMER-fair', 'Table 9'],
    ['an id', '#A12121a3', 'Poster'],
    ['a part of a host in its own letters', 'büch', 'Table 10'],
    ['a short code', 'K7M2XQ1', 'Flyer'],
    ['spaces around', '  flyer ', 'Flyer'],
  ])('is searched by %s', (_what, q, found) => {
    expect(names({ q })).toEqual([found])
  })

  it.each([
    ['active', ['Table 10', 'Table 9']],
    ['inactive', ['Poster']],
    ['expired', ['Flyer']],
  ] as const)('filters codes that are %s', (status, found) => {
    expect(names({ status })).toEqual(found)
  })

  it.each([
    ['name', ['Flyer', 'Poster', 'Table 9', 'Table 10']],
    ['-name', ['Table 10', 'Table 9', 'Poster', 'Flyer']],
    ['url', ['Flyer', 'Poster', 'Table 9', 'Table 10']],
    ['created', ['Flyer', 'Table 9', 'Poster', 'Table 10']],
    ['status', ['Table 10', 'Table 9', 'Poster', 'Flyer']],
    ['-status', ['Flyer', 'Poster', 'Table 10', 'Table 9']],
    ['-scans', ['Flyer', 'Table 10', 'Table 9', 'Poster']],
    ['scans', ['Poster', 'Table 10', 'Table 9', 'Flyer']],
  ] as const)('is sorted by %s', (sort, sorted) => {
    expect(names({ sort })).toEqual(sorted)
  })

  it('filters codes without a scan for 30 days, and leaves out newer codes', () => {
    const old = codes.map((each) => ({ ...each, createdAt: since(31) }))
    const found = (of: QrCode[]) => list({ status: 'unscanned' }, of).rows.map(({ name }) => name)
    expect(found(old)).toEqual(['Poster', 'Table 9'])
    expect(found(codes)).toEqual([])
  })

  it('has the codes of an import, once they are known', () => {
    const found = (imported?: Set<string>) =>
      visibleCodes(codes, { ...DEFAULT_LIST, importId: 'x' }, { now, imported }).found
    expect(found(new Set(['Flyer', 'Table 9'])).map(({ name }) => name)).toEqual([
      'Table 9',
      'Flyer',
    ])
    expect(found()).toEqual([])
  })

  it('needs the scans of all codes only if it is sorted or filtered by them', () => {
    const asks: Partial<ListState>[] = [{ sort: 'scans' }, { sort: '-scans' }]
    for (const asked of [...asks, { status: 'unscanned' as const }]) {
      expect(needsScans({ ...DEFAULT_LIST, ...asked })).toBe(true)
    }
    expect(needsScans({ ...DEFAULT_LIST, sort: 'name', status: 'expired' })).toBe(false)
  })

  it('comes in pages, and a page beyond the last shows the last', () => {
    const many = Array.from({ length: PAGE_SIZE + 2 }, (_, index) => code(`${index}`, 1))
    expect(list({ page: 1 }, many).rows).toHaveLength(PAGE_SIZE)
    const last = list({ page: 9 }, many)
    expect(last).toMatchObject({ page: 2, pages: 2 })
    expect(last.found).toHaveLength(PAGE_SIZE + 2)
    expect(last.rows.map(({ name }) => name)).toEqual(['25', '26'])
  })

  it('has one empty page if nothing matches', () => {
    expect(list({ q: 'nowhere', page: 3 })).toEqual({ rows: [], found: [], page: 1, pages: 1 })
  })

  it('does not change the codes it was given', () => {
    const before = [...codes]
    names({ sort: 'name' })
    expect(codes).toEqual(before)
  })
})

describe('the page that shows a code', () => {
  const many = Array.from({ length: PAGE_SIZE + 2 }, (_, index) =>
    code(`Code ${index}`, 1, { createdAt: new Date(now.getTime() - index).toISOString() }),
  )
  const place = (index: number, asked: Partial<ListState>) =>
    placeOf(many, many[index] as QrCode, { ...DEFAULT_LIST, ...asked }, { now })

  it('is in the asked list', () => {
    expect(place(PAGE_SIZE, { page: 1 })).toEqual({ ...DEFAULT_LIST, page: 2 })
    expect(place(26, { sort: 'created', page: 2 })).toMatchObject({ sort: 'created', page: 1 })
    expect(place(3, { q: 'code', page: 2 })).toMatchObject({ q: 'code', page: 1 })
  })

  it('is in the whole list if the asked one leaves it out', () => {
    expect(place(26, { q: 'Code 1', sort: 'name' })).toEqual({ ...DEFAULT_LIST, page: 2 })
    expect(place(0, { status: 'inactive' })).toEqual(DEFAULT_LIST)
  })
})

describe('a column', () => {
  it('sorts ascending, then descending, then ascending again', () => {
    expect(nextSort('-created', 'name')).toBe('name')
    expect(nextSort('name', 'name')).toBe('-name')
    expect(nextSort('-name', 'name')).toBe('name')
  })

  it('of scans begins with the most', () => {
    expect(nextSort('-created', 'scans')).toBe('-scans')
    expect(nextSort('-scans', 'scans')).toBe('scans')
    expect(nextSort('scans', 'scans')).toBe('-scans')
  })
})

describe('the query of the page', () => {
  it('says what the list shows, without the defaults', () => {
    expect(queryAfter('', { q: 'a&b 100%', sort: 'name' })).toBe('?q=a%26b+100%25&sort=name')
    expect(queryAfter('?q=a&status=expired', { q: '', status: 'all' })).toBe('')
  })

  it('is read back as it was written', () => {
    const state: ListState = {
      q: 'a&b 100%',
      status: 'inactive',
      tag: 'Bar & Küche',
      importId: 'a12121a3',
      sort: '-url',
      page: 3,
    }
    expect(listStateOf(queryAfter('', state))).toEqual(state)
  })

  it('goes back to the first page for another list', () => {
    expect(queryAfter('?page=3', { sort: 'name' })).toBe('?sort=name')
    expect(queryAfter('?q=a', { page: 2 })).toBe('?q=a&page=2')
  })

  it('keeps other parameters', () => {
    expect(queryAfter('?ref=mail', { q: 'a' })).toBe('?ref=mail&q=a')
  })

  it.each(['?page=0', '?page=1.5', '?page=x', '?sort=--name', '?sort=stats', '?status=gone'])(
    'ignores %s',
    (query) => {
      expect(listStateOf(query)).toEqual(DEFAULT_LIST)
    },
  )
})

describe('the filter by a tag', () => {
  const tagged = [
    code('Menu', 1, { tags: ['Bar', 'Spring'] }),
    code('Poster', 2, { tags: ['Spring'] }),
    code('Flyer', 3),
  ]
  const found = (tag: string) =>
    visibleCodes(tagged, { ...DEFAULT_LIST, tag }, { now }).found.map(({ name }) => name)

  it('finds the codes that have it, in capitals or small letters', () => {
    expect(found('spring ')).toEqual(['Poster', 'Menu'])
    expect(found('BAR')).toEqual(['Menu'])
    expect(found('Hall')).toEqual([])
    expect(found('')).toHaveLength(3)
  })

  it('offers the tags that codes have', () => {
    expect(tagsIn(tagged)).toEqual(['Bar', 'Spring'])
  })
})
