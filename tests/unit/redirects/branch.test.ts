import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeRules, type Rule } from '../../../src/contract/codes/code-rules.ts'
import { readingOf } from '../../../src/server/codes/try-scan.ts'
import { branchOf, type RuledScan } from '../../../src/server/redirects/branch.ts'
import { seed } from '../../support/soak.ts'

const ID = 'main0000'
const ruleWith = (conditions: object): Rule =>
  codeRules.parse([
    { ...conditions, variants: [{ id: ID, url: 'https://example.com/', share: 100 }] },
  ])[0] as Rule

const NOON = Date.parse('2026-11-27T12:00:00Z') // A Friday
const scan = (own: Partial<RuledScan> = {}): RuledScan => ({
  ...readingOf({ country: 'PL', region: 'Mazovia', device: 'Mobile', os: 'iOS' }),
  languages: 'pl-PL,en;q=0.8',
  query: 'table=5',
  ordinal: 7,
  at: NOON,
  ...own,
})
const fits = (conditions: object, own?: Partial<RuledScan>) =>
  branchOf([ruleWith(conditions)], scan(own)) !== undefined

/** Conditions of each kind that hold for `scan()`, and ones that do not. */
const kinds: Record<string, [holds: object[], fails: object[]]> = {
  countries: [[{ countries: ['DE', 'pl'] }], [{ countries: ['DE'] }]],
  regions: [[{ regions: ['mazovia'] }], [{ regions: ['Bavaria'] }]],
  devices: [[{ devices: ['Mobile'] }], [{ devices: ['Tablet', 'TV'] }]],
  systems: [[{ systems: ['Android', 'iOS'] }], [{ systems: ['Android'] }]],
  languages: [
    [{ languages: ['pl'] }, { languages: ['PL-pl', 'fr'] }],
    [{ languages: ['en'] }, { languages: ['pl-AT'] }, { languages: ['pll'] }],
  ],
  weekdays: [[{ weekdays: [5] }], [{ weekdays: [6, 7] }]],
  hours: [
    [{ hours: { from: '12:00', until: '12:01' } }, { hours: { from: '22:00', until: '21:00' } }],
    [{ hours: { from: '11:00', until: '12:00' } }, { hours: { from: '22:00', until: '06:00' } }],
  ],
  dates: [
    [{ dates: { from: '2026-11-27' } }, { dates: { until: '2026-11-27' } }],
    [{ dates: { from: '2026-11-28' } }, { dates: { until: '2026-11-26' } }],
  ],
  timeZone: [
    [{ weekdays: [6], timeZone: 'Pacific/Auckland' }],
    [{ weekdays: [5], timeZone: 'Pacific/Auckland' }],
  ],
  parameter: [
    [{ parameter: { name: 'table', value: '5' } }, { parameter: { name: 'table' } }],
    [{ parameter: { name: 'table', value: '50' } }, { parameter: { name: 'seat' } }],
  ],
  scans: [
    [{ scans: { until: 7 } }, { scans: { from: 7, until: 9 } }],
    [{ scans: { until: 6 } }, { scans: { from: 8 } }],
  ],
}
const names = Object.keys(kinds)
/** A time zone is part of other conditions. */
const single = names.filter((name) => name !== 'timeZone')
const pairs = single.flatMap((one, at) =>
  single.slice(at + 1).map((other) => [one, other] as const),
)

describe('conditions', () => {
  test.each(names)('a rule by %s', (name) => {
    const [holds = [], fails = []] = kinds[name] ?? []
    expect([...holds, ...fails].map((each) => fits(each))).toEqual([
      ...holds.map(() => true),
      ...fails.map(() => false),
    ])
  })

  test.each(pairs)('%s and %s both have to hold', (one, other) => {
    const answers = [...Array(4).keys()].map((at) =>
      fits({ ...kinds[one]?.[at & 1]?.[0], ...kinds[other]?.[at >> 1]?.[0] }),
    )
    expect(answers).toEqual([true, false, false, false])
  })

  test.each(names.filter((name) => !/weekdays|hours|dates|timeZone/.test(name)))(
    'a rule by %s does not fit what is not known',
    (name) => {
      const unknown = { ...readingOf({}), languages: undefined, query: '', ordinal: undefined }
      expect(fits(kinds[name]?.[0][0] ?? {}, unknown)).toBe(false)
    },
  )

  test('a visitor who takes any language first fits no rule by language', () => {
    expect(fits({ languages: ['pl'] }, { languages: '*, pl;q=0.5' })).toBe(false)
  })

  test('the first rule that fits counts', () => {
    const rules = [ruleWith({ countries: ['DE'] }), ruleWith({ devices: ['Mobile'] }), ruleWith({})]
    expect(branchOf(rules, scan())).toBe(rules[1]?.variants[0])
    expect(branchOf([], scan())).toBeUndefined()
  })
})

describe('hours and days', () => {
  const night = {
    weekdays: [5],
    hours: { from: '22:00', until: '06:00' },
    timeZone: 'Europe/Berlin',
  }
  test.each([
    ['2026-11-27T20:59Z', false],
    ['2026-11-27T21:00Z', true],
    ['2026-11-28T04:59Z', true],
    ['2026-11-28T05:00Z', false],
    ['2026-11-27T04:00Z', false],
    // The night in which the clocks go forward, and the one in which they go back
    ['2026-03-28T03:30Z', true],
    ['2026-10-24T03:59Z', true],
    ['2026-10-24T04:00Z', false],
  ])('the night of Friday in Berlin at %s', (at, holds) => {
    expect(fits(night, { at: Date.parse(at) })).toBe(holds)
  })

  test('are those of the zone’s clocks, as Intl knows them', () => {
    const zones = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia']
    const zone = fc.constantFrom(...zones)
    const at = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) })
    fc.assert(
      fc.property(zone, at, (timeZone, instant) => {
        const clock = new Intl.DateTimeFormat('sv', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'short',
        })
        const [date = '', time = ''] = clock.format(instant).split(' ')
        const next = clock.format(instant + 60_000).split(' ')[1] ?? ''
        const dates = { from: date, until: date }
        const hours = { from: time, until: next }
        // A last minute ends at midnight of the next day, or where clocks go back.
        return next <= time || fits({ dates, hours, timeZone }, { at: instant })
      }),
      { seed },
    )
  })
})

describe('several destinations of a rule', () => {
  const variants = [
    { id: 'aaaaaaaa', url: 'https://example.com/a', share: 50 },
    { id: 'bbbbbbbb', url: 'https://example.com/b', share: 30 },
    { id: 'cccccccc', url: 'https://example.com/c', share: 20 },
  ]
  const visitors = Array.from({ length: 100_000 }, (_, at) =>
    Uint32Array.from([at * 2_654_435_761, at ^ 0x5bd1e995, at, at * 7]),
  )
  const someone = scan()
  const branches = (all: typeof variants) =>
    visitors.map((visitor) => branchOf([{ variants: all }], { ...someone, visitor })?.id ?? '')
  const first = branches(variants)

  test('get their shares of 100,000 visitors within 1 %', () => {
    for (const { id, share } of variants) {
      const taken = first.filter((each) => each === id).length / 1_000
      expect(Math.abs(taken - share)).toBeLessThan(1)
    }
  })

  test('keep their visitors if addresses and their order change', () => {
    const moved = variants.map((each) => ({ ...each, url: `${each.url}/new` })).reverse()
    expect(branches(moved)).toEqual(first)
  })

  test('move only as many visitors as a new share needs', () => {
    const shifted = branches(
      variants.map((each, at) => ({ ...each, share: [60, 20, 20][at] ?? 0 })),
    )
    const moved = shifted.filter((id, at) => id !== first[at]).length / 1_000
    expect(moved).toBeGreaterThan(9)
    expect(moved).toBeLessThan(14)
  })

  test('lead a visitor that could not be read somewhere', () => {
    const none = branchOf([{ variants }], scan({ visitor: null }))
    expect(variants.map(({ id }) => id)).toContain(none?.id)
  })
})
