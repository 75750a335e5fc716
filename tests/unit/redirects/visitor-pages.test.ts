import { expect, test } from 'vitest'
import frames from '../../../src/server/http/page-frames.json' with { type: 'json' }
import { plainPage } from '../../../src/server/http/plain-page.ts'
import { type VisitorPage, visitorPage } from '../../../src/server/redirects/visitor-pages.ts'
import table from '../../../src/server/redirects/visitor-texts.json' with { type: 'json' }
import { wordsFor } from '../../../src/server/redirects/visitor-words.ts'

const textOf = (html: string) =>
  html.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, ' ')

const english = wordsFor('en')

test.each([
  ['an expired', { kind: 'expired' }],
  ['a paused', { kind: 'paused' }],
] as const)(
  'the page of %s code shows what its owner wrote, and nothing of a plan',
  (_case, page) => {
    const plain = visitorPage(english, page)
    expect(textOf(plain)).toContain('This link isn’t active')
    expect(textOf(plain)).not.toMatch(/owner|plan\b|pay|paid|upgrad|subscri/i)
    const contact = { name: '<b>Café Luna</b>', contact: 'hello@luna.example, +49 30 1234' }
    const html = visitorPage(english, page, contact)
    expect(html).toContain('<bdi>&lt;b&gt;Café Luna&lt;/b&gt;</bdi><br><bdi>hello@luna.example')
    expect(html.match(/<a /g)).toEqual(plain.match(/<a /g))
    expect(textOf(visitorPage(english, page, { name: null, contact: '030 1234' }))).toContain(
      '030 1234',
    )
  },
)

const owner = { name: '<i>Luna</i>', contact: '"030" & more' }
const startsAt = Date.parse('2026-12-01T09:30Z')

const pages: [string, VisitorPage, typeof owner?][] = [
  ['an unknown code', { kind: 'unknown' }],
  ['an unknown name', { kind: 'unknown' }, owner],
  ['a paused code', { kind: 'paused' }, owner],
  ['a code before its start', { kind: 'early', startsAt }, owner],
  ['a code after its end', { kind: 'over' }, owner],
  ['an expired code', { kind: 'expired' }, owner],
  ['an expired code that leads on', { kind: 'expired', url: 'https://a.example' }, owner],
  ['a code that could not be looked up', { kind: 'unavailable' }],
  ['a preview', { kind: 'shown', url: 'https://a.eu/<i>', hasRules: true }],
  ['a preview with a password', { kind: 'shown', hasRules: false }],
  ['a password', { kind: 'locked', status: 200 }],
  ['a wrong password', { kind: 'locked', status: 403 }],
  ['too many passwords', { kind: 'locked', status: 429, retryAfterS: 300 }],
]

test.each(pages)(
  'the page of %s is in the reader’s language and direction',
  (_case, page, contact) => {
    const titles = Object.keys(table).map((language) => {
      const html = visitorPage(wordsFor(language), page, contact)
      const direction = language === 'ar' ? 'rtl' : 'ltr'
      expect(html).toContain(`<html lang="${language}" dir="${direction}">`)
      expect(html).not.toMatch(/undefined|<i>|"030"|\{(host|start|minutes)\}/)
      return html.match(/<h1>.+<\/h1>/)?.[0]
    })
    expect(new Set(titles).size).toBe(12)
  },
)

test('each language has every text, with the same values, and none that HTML has to escape', () => {
  const shapeOf = (texts: object): unknown =>
    Object.entries(texts).map(([key, text]) =>
      typeof text === 'string' ? [key, text.match(/\{\w+\}/g)] : [key, shapeOf(text)],
    )
  const languages = Object.keys(table) as (keyof typeof table)[]
  expect(Object.keys(frames)).toEqual(languages)
  for (const language of languages) {
    const texts = { ...table[language], ...frames[language] }
    expect([language, shapeOf(texts)]).toEqual([language, shapeOf({ ...table.en, ...frames.en })])
    expect(JSON.stringify(Object.values(texts))).not.toMatch(/[<>&']|""|\\"/)
  }
  expect(visitorPage(english, { kind: 'unknown' })).toContain(
    plainPage('', '').match(/<footer>.*/s)?.[0],
  )
})

test.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['fi, pt-BR;q=0.9', 'pt'],
  ['DE-at,de;q=0.9,en;q=0.8', 'de'],
  ['zh-Hant;q=0.4, tr;q=0.3', 'zh-Hans'],
  ['en;q=0.2, fi, pl ; q=0.8, it;q=0.8', 'pl'],
  ['ja;q=0, *;q=0.1', 'en'],
  [',;q=1, constructor, es;q=x, fr;q=0.001', 'fr'],
  [`${'fi,'.repeat(70)}es`, 'en'],
])('a reader whose browser sends "%s" reads %s', (header, language) => {
  expect(wordsFor(header).language).toBe(language)
})

test.each([
  ['en', 'It starts on December 1, 2026 at 9:30 AM UTC.', 'Try again in 5 minutes.', '1 minute.'],
  ['de', 'ab dem 1. Dezember 2026 um 09:30 UTC aktiv', 'in 5 Minuten noch', '1 Minute noch'],
  ['pl', '1 grudnia 2026 09:30 UTC.', 'próby: 5 minut.', '1 minuta.'],
])('a page in "%s" writes days and minutes as its readers do', (language, day, five, one) => {
  const words = wordsFor(language)
  const afterTries = (retryAfterS: number) =>
    visitorPage(words, { kind: 'locked', status: 429, retryAfterS })
  expect(visitorPage(words, { kind: 'early', startsAt })).toContain(day)
  expect(afterTries(300)).toContain(five)
  expect(afterTries(1)).toContain(one)
})
