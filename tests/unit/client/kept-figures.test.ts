import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  type About,
  aboutFigures,
  type Kept,
} from '../../../src/client/analytics/drawer/download/kept.ts'
import {
  keptHours,
  keptLine,
  keptList,
  keptQuietCodes,
  keptRanking,
  keptReasons,
} from '../../../src/client/analytics/drawer/download/kept-cards.ts'
import { pictureOf } from '../../../src/client/analytics/drawer/download/pictures/picture.ts'
import {
  fitted,
  textWidth,
  wrapped,
} from '../../../src/client/analytics/drawer/download/pictures/svg.ts'
import { viewOf } from '../../../src/client/analytics/drawer/view/view.ts'
import type { Figures } from '../../../src/contract/analytics/figures.ts'
import { figureFileName } from '../../../src/contract/file-names.ts'

const HOSTILE = '</text><script>alert("1")</script>&\u0000\u0008\ud800 ]]>'

const about: About = {
  name: HOSTILE,
  isOfBots: false,
  from: '2026-11-01',
  to: '2026-11-22',
  said: [HOSTILE, 'Only Country: Germany'],
  foot: ['Times are in Europe/Berlin.'],
}

const points = ['2026-11-20', '2026-11-21', '2026-11-22'].map((at, index) => ({
  at,
  scans: 10 * index,
  visitors: 4 * index,
  before: index === 0 ? null : 7,
}))
const list = {
  rows: [
    { value: 'DE', label: 'Germany', scans: 20 },
    { value: 'MT', label: HOSTILE, scans: 5 },
  ],
  unknown: 10,
  others: 5,
  scans: 40,
}
const hours = {
  rows: Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_, hour) => day * hour)),
  scans: 10,
}
const reasons = {
  rows: [
    { class: 'person' as const, reason: 'Opened in a browser', scans: 7 },
    { class: 'bot' as const, reason: HOSTILE, scans: 2 },
  ],
}
const ranking = {
  codes: [{ id: 'c0de', name: HOSTILE, scans: 3 }],
  tags: [{ name: HOSTILE, scannedCodes: 1, scans: 3 }],
  utm: [],
  others: 1,
  scans: 4,
}
const line = (form: 'bars' | 'line', kind: 'people' | 'bots' = 'people') =>
  keptLine({ points, by: 'day', kind, form, before: 'The 3 days before' })

const cards: [string, Kept][] = [
  ['bars over time', line('bars')],
  ['a line over time', line('line')],
  ['bots over time', line('bars', 'bots')],
  ['the countries', keptList('country', list, 'people')],
  ['a list', keptList('device', list, 'people')],
  ['an empty list', keptList('app', { rows: [], unknown: 0, others: 0, scans: 0 }, 'people')],
  ['weekdays and hours', keptHours(hours, 'people')],
  ['the reasons', keptReasons(reasons.rows)],
  ['the quiet codes', keptQuietCodes('', [{ name: HOSTILE, total: 3, lastScan: undefined }])],
  ['the top codes', keptRanking('code', ranking, 'people')],
  ['the tags', keptRanking('tag', ranking, 'people')],
]

test.each(cards)(
  'the picture of %s is well-formed, whole in itself, and runs nothing',
  async (_what, kept) => {
    const svg = pictureOf(kept, about)
    // The renderer's parser takes no XML that is broken.
    const { width, format } = await sharp(Buffer.from(svg)).metadata()
    expect([width, format]).toEqual([960, 'svg'])
    expect(svg).not.toMatch(/<script|href|url\(|<style|<image|foreignObject/)
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;')
    expect(svg).toContain(kept.title)
    expect(svg).toContain('Only Country: Germany')
    expect(svg).toContain('Europe/Berlin')
    expect(svg).not.toContain('NaN')
  },
)

test('a picture of scans over time names its colours', () => {
  const bars = pictureOf(line('bars'), about)
  for (const name of ['Scans', 'Visitors', 'The 3 days before'])
    expect(bars).toContain(`>${name}</text>`)
  expect(pictureOf(line('bars', 'bots'), about)).not.toContain('Visitors')
})

test('the numbers are kept as a table, as they are', () => {
  expect(line('bars').table).toEqual({
    head: ['Day', 'Scans', 'Visitors', 'The 3 days before'],
    rows: [
      ['2026-11-20', 0, 0, ''],
      ['2026-11-21', 10, 4, 7],
      ['2026-11-22', 20, 8, 7],
    ],
  })
  expect(keptList('country', list, 'people').table).toEqual({
    head: ['Country', 'Code', 'Scans', 'Percent'],
    rows: [
      ['Germany', 'DE', 20, 50],
      ['Unknown', '', 10, 25],
      [HOSTILE, 'MT', 5, 12.5],
      ['Other values', '', 5, 12.5],
    ],
  })
  expect(keptHours(hours, 'people').table.rows[18]).toEqual(['6 PM', 0, 18, 36, 54, 72, 90, 108])
  expect(keptRanking('code', ranking, 'people').table).toEqual({
    head: ['Code', 'Scans', 'Percent'],
    rows: [
      [HOSTILE, 3, 75],
      ['Other codes', 1, 25],
    ],
  })
  expect(keptReasons(reasons.rows).table.rows[0]).toEqual(['Person', 'Opened in a browser', 7])
})

test.each([
  ['Menu', 'Countries', 'menu-countries'],
  [undefined, 'Scans over time', 'scans-over-time'],
  ['../Käse & 料理 "x"', 'scans', 'käse-料理-x-scans'],
  ['🧀', 'scans', 'scans'],
  ['x'.repeat(300), 'scans', `${'x'.repeat(40)}-scans`],
])('a file of “%.40s” with %s is named after both and its days', (name, what, stem) => {
  const file = { name, what, from: '2026-11-01', to: '2026-11-22' }
  expect(figureFileName(file, 'csv')).toBe(`tessera-${stem}-2026-11-01-2026-11-22.csv`)
})

test('a picture names the code, the days and the filters of its figures', () => {
  const figures = {
    range: { from: '2026-11-01T00:00:00.000Z', to: '2026-11-08T00:00:00.000Z', snapped: true },
    scans: 1,
  } as Figures
  const view = viewOf('?range=7d&kind=bots&country=DE&city=-')
  expect(aboutFigures('Menu', view, figures)).toMatchObject({
    from: '2026-11-01',
    to: '2026-11-07',
    isOfBots: true,
    said: [
      'Menu',
      '1 visit by bots and link previews from Nov 1, 2026 to Nov 7, 2026',
      'Only Country: Germany, City: Unknown',
    ],
    foot: [expect.stringMatching(/^Days are in UTC\. Downloaded on /)],
  })
})

test('a long text is cut or wrapped to its room', () => {
  expect(fitted('Menu', 14, 100)).toBe('Menu')
  expect(fitted('料理'.repeat(50), 14, 100)).toMatch(/^料.*…$/)
  expect(textWidth(fitted('W'.repeat(500), 14, 100), 14)).toBeLessThanOrEqual(100)
  const lines = wrapped('of a name that goes on '.repeat(40), 14, 300, 3)
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatch(/…$/)
  for (const each of lines) expect(textWidth(each, 14)).toBeLessThanOrEqual(300)
})
