import { expect, test } from 'vitest'
import { figuresLetter } from '../../../src/server/analytics/mails/figures-letter.ts'
import type { MailFigures } from '../../../src/server/analytics/mails/mail-figures.ts'
import { writeLetter } from '../../../src/server/mail/mail-template.ts'

const publicUrl = 'https://qr.example.com'
const unsubscribe = `${publicUrl}/api/unsubscribe?token=x`
const week = { first: '2026-11-16', last: '2026-11-22' }
const month = { first: '2026-10-01', last: '2026-10-31' }
const hours = (day: number, hour: number, scans: number) =>
  Array.from({ length: 7 }, (_, row) =>
    Array.from({ length: 24 }, (_, column) => (row === day && column === hour ? scans : 0)),
  )

const some: MailFigures = {
  scans: 1_234,
  visitors: 987,
  before: { scans: 1_100, visitors: 987 },
  bestDay: { date: '2026-11-21', scans: 400 },
  codes: [
    { name: 'Menu', scans: 1_000, before: 50 },
    { name: 'Poster', scans: 233, before: 500 },
    { name: 'Flyer', scans: 1, before: 0 },
  ],
  countries: [
    { value: 'DE', scans: 1_230 },
    { value: 'FR', scans: 4 },
  ],
  devices: [{ value: 'Mobile', scans: 1_200 }],
  week: hours(5, 18, 300),
}
const none: MailFigures = {
  scans: 0,
  visitors: 0,
  before: { scans: 0, visitors: 0 },
  bestDay: undefined,
  codes: [],
  countries: [],
  devices: [],
  week: hours(0, 0, 0),
}
const one: MailFigures = {
  ...none,
  scans: 1,
  visitors: 1,
  bestDay: { date: '2026-11-16', scans: 1 },
  codes: [{ name: 'Menu', scans: 1, before: 0 }],
  week: hours(0, 11, 1),
}

const letter = (figures: MailFigures, every: 'weekly' | 'monthly' = 'weekly') =>
  figuresLetter(figures, {
    every,
    days: every === 'weekly' ? week : month,
    zone: 'America/New_York',
    publicUrl,
    unsubscribe,
  })
const sentence = (figures: MailFigures, every?: 'weekly' | 'monthly') =>
  letter(figures, every).paragraphs.join('\n')

test('a mail says in its subject how many scans there were', () => {
  expect(letter(some).subject).toBe('Your QR codes last week: 1,234 scans')
  expect(letter(some, 'monthly').subject).toBe('Your QR codes in October: 1,234 scans')
  expect(letter(one).subject).toBe('Your QR codes last week: 1 scan')
  expect(letter(none).subject).toBe('Your QR codes last week: no scans')
})

test('a mail compares its period with as many days before', () => {
  const period = 'From Monday, November 16 to Sunday, November 22'
  expect(sentence(some)).toBe(
    `${period}, your QR codes had 1,234 scans. That is 12% more than in the week before.`,
  )
  const since = (scans: number) => ({ ...some, before: { scans, visitors: 1 } })
  expect(sentence(since(2_468))).toContain('That is 50% fewer than in the week before.')
  expect(sentence(since(1_234))).toContain('That is about as many as in the week before.')
  expect(sentence(since(50))).toContain('That is 25 times as many as in the week before.')
  expect(sentence(since(0))).toContain('In the week before there were none.')
  expect(sentence({ ...some, before: null })).toBe(`${period}, your QR codes had 1,234 scans.`)
  expect(sentence(some, 'monthly')).toBe(
    'From Thursday, October 1 to Saturday, October 31, your QR codes had 1,234 scans. That is 12% more than in the 31 days before.',
  )
})

test('one scan is one scan', () => {
  expect(sentence(one)).toContain('your QR codes had 1 scan. In the week before')
  expect(letter(one).facts).toEqual([
    ['Visitors', '1 (none before)'],
    ['Best day', 'Mon, Nov 16 (1 scan)'],
    ['Best hour', '11 AM – 12 PM (1 scan)'],
  ])
  expect(letter(one).tables).toEqual([{ title: 'Top code', rows: [['Menu', '1 (none before)']] }])
})

test('a period without scans is told in a sentence', () => {
  const period = 'From Monday, November 16 to Sunday, November 22'
  expect(sentence(none)).toBe(`${period}, your QR codes had no scans.`)
  const before = (scans: number) => ({ ...none, before: { scans, visitors: scans } })
  expect(sentence(before(1))).toContain('no scans. In the week before there was 1 scan.')
  expect(sentence(before(12))).toContain('no scans. In the week before there were 12 scans.')
  expect(letter(none)).not.toHaveProperty('facts')
  expect(letter(none).tables).toEqual([])
})

test('the figures stand in lists: codes with their change, countries and devices with their share', () => {
  expect(letter(some).facts).toEqual([
    ['Visitors', '987'],
    ['Best day', 'Sat, Nov 21 (400 scans)'],
    ['Best hour', '6 – 7 PM (300 scans)'],
  ])
  expect(letter(some).tables).toEqual([
    {
      title: 'Top codes',
      rows: [
        ['Menu', '1,000 (20 times as many)'],
        ['Poster', '233 (53% fewer)'],
        ['Flyer', '1 (none before)'],
      ],
    },
    {
      title: 'Countries',
      rows: [
        ['Germany', '1,230 (>99%)'],
        ['France', '4 (<1%)'],
      ],
    },
    { title: 'Devices', rows: [['Mobile', '1,200 (97%)']] },
  ])
})

test('lists that were too long to count are left out', () => {
  const rest = { countries: undefined, devices: undefined, week: undefined }
  const { facts, tables } = letter({ ...some, ...rest })
  expect(facts?.map(([name]) => name)).toEqual(['Visitors', 'Best day'])
  expect(tables?.map(({ title }) => title)).toEqual(['Top codes'])
})

test('the button opens the same days in the drawer, signed in or not', () => {
  const { origin, pathname, searchParams } = new URL(letter(some).button?.url ?? '')
  expect([origin, pathname]).toEqual([publicUrl, '/api/login'])
  const wanted = '/dashboard?stats&range=free&from=2026-11-16&to=2026-11-22'
  expect(searchParams.get('returnTo')).toBe(wanted)
})

test('names that people gave are text in the mail, and long ones are cut', () => {
  const names = ['<img src=x onerror="alert(1)">', `"&'`, 'x'.repeat(200)]
  const codes = names.map((name) => ({ name, scans: 2, before: 2 }))
  const { html, text } = writeLetter(letter({ ...some, codes }), publicUrl)
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
  expect(text).toContain('<img src=x onerror="alert(1)">: 2')
  expect(text).toContain(`${'x'.repeat(59)}…: 2`)
  expect(text).not.toContain('x'.repeat(60))
})

test('both forms of the mail say everything, and how to stop it', () => {
  const { html, text } = writeLetter(letter(some), publicUrl)
  for (const words of ['Menu', 'Germany', 'Mobile', '987', 'America/New York', unsubscribe]) {
    expect([words, text.includes(words)]).toEqual([words, true])
    expect([words, html.includes(words)]).toEqual([words, true])
  }
})
