import { describe, expect, it, test } from 'vitest'
import {
  callQuery,
  daysOf,
  nowQuery,
  queryWithoutStats,
  queryWithView,
  stepsFor,
  toggled,
  viewAfter,
  viewOf,
} from '../../../src/client/analytics/drawer/view/view.ts'
import { queryWithStats, statsAskedBy } from '../../../src/client/analytics/stats-address.ts'

const plain = {
  range: '30d',
  from: undefined,
  to: undefined,
  by: undefined,
  kind: 'people',
  form: 'bars',
}

describe('the address of the analytics', () => {
  test.each([
    ['?qr=c0de', 'c0de'],
    ['?q=menu&qr=c0de&range=7d', 'c0de'],
    ['?stats', ''],
    ['?q=menu&stats=', ''],
    ['?qr=&page=2', null],
    ['', null],
  ])('%s asks for %o', (query, asked) => {
    expect(statsAskedBy(query)).toBe(asked)
  })

  it('keeps the parameters of the list and of the open form', () => {
    expect(queryWithStats('?q=menu&page=2', '')).toBe('?q=menu&page=2&stats')
    expect(queryWithStats('?edit=c0de', 'c0de')).toBe('?edit=c0de&qr=c0de')
    const opened = '?q=menu&page=2&qr=c0de&range=7d&country=DE'
    expect(queryWithoutStats(opened)).toBe('?q=menu&page=2')
  })

  it('opens the same view again', () => {
    const view = viewAfter(viewOf(''), {
      range: '90d',
      by: 'week',
      kind: 'bots',
      form: 'line',
      filters: { country: 'DE', city: 'Köln & Bonn' },
    })
    const query = queryWithView('?sort=name', 'c0de', view)
    expect(query).toBe(
      '?sort=name&qr=c0de&range=90d&by=week&kind=bots&country=DE&city=K%C3%B6ln+%26+Bonn&as=line',
    )
    expect(viewOf(query)).toEqual(view)
  })

  it('leaves out the defaults', () => {
    expect(queryWithView('?stats', '', viewOf('?stats'))).toBe('?stats')
  })

  it('stands alone in the address of a shared page', () => {
    const view = viewAfter(viewOf(''), { filters: { country: 'DE' } })
    expect(queryWithView('', null, view)).toBe('?country=DE')
    expect(queryWithView('?country=DE', null, viewOf(''))).toBe('')
  })

  it.each([
    '?range=century&by=minute&kind=cats&country=',
    '?range=free',
    '?range=free&from=2026-11-07&to=2026-11-01',
    '?range=free&from=2026-11-31&to=soon',
    `?city=${'x'.repeat(201)}`,
  ])('takes %s for the usual view', (query) => {
    expect(viewOf(query)).toEqual({ ...plain, filters: {} })
  })
})

describe('a view', () => {
  it('forgets the days of a free range with it, and a step that does not suit another', () => {
    const free = viewOf('?range=free&from=2026-11-01&to=2026-11-07&by=hour')
    expect(free).toMatchObject({ from: '2026-11-01', to: '2026-11-07', by: 'hour' })
    expect(viewAfter(free, { range: '90d' })).toEqual({ ...plain, range: '90d', filters: {} })
  })

  it.each([
    ['24h', 1, 'hour'],
    ['30d', 30, 'hour day week'],
    ['free', 1, 'hour'],
    ['free', 31, 'hour day week'],
    ['all', 20, 'day week'],
    ['last-week', 7, 'hour day'],
    ['this-month', 1, 'hour'],
    ['this-month', 20, 'hour day week'],
    ['all', 2_000, 'week month'],
  ] as const)('of %s and %i days goes by %s', (range, days, steps) => {
    expect(stepsFor(range, days).join(' ')).toBe(steps)
  })

  it.each([
    ['2026-11-01', '2026-11-01', 1],
    ['2026-10-20', '2026-11-02', 14],
    ['2026-11-02', '2026-11-01', 0],
    ['0002-11-02', '2026-11-01', 0],
  ])('from %s to %s has %i days', (from, to, days) => {
    expect(daysOf(from, to)).toBe(days)
  })

  it('has one value of each filter, which a second click takes out', () => {
    const one = toggled({}, 'country', 'DE')
    expect(toggled(one, 'device', 'Mobile')).toEqual({ country: 'DE', device: 'Mobile' })
    expect(toggled(one, 'country', 'FR')).toEqual({ country: 'FR' })
    expect(toggled(one, 'country', 'DE')).toEqual({})
  })

  it('becomes the query of the calls', () => {
    const asked = new URLSearchParams(
      callQuery('c0de', viewOf('?range=7d&os=iOS&as=line'), { facet: 'city' }),
    )
    asked.delete('tz')
    expect(Object.fromEntries(asked)).toEqual({ qr: 'c0de', range: '7d', os: 'iOS', facet: 'city' })
    expect(nowQuery('c0de', viewOf('?range=7d&os=iOS&kind=bots'))).toBe('?kind=bots&os=iOS&qr=c0de')
    expect(nowQuery('', viewOf('?range=last-week'))).toBe('')
  })
})
