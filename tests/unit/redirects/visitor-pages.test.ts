import { expect, test } from 'vitest'
import { plainPage } from '../../../src/server/http/plain-page.ts'
import {
  destinationPage,
  earlyCodePage,
  expiredCodePage,
  overCodePage,
  passwordPage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
  unknownNamePage,
} from '../../../src/server/redirects/visitor-pages.ts'
import table from '../../../src/server/redirects/visitor-texts.json' with { type: 'json' }
import { type Words, wordsFor } from '../../../src/server/redirects/visitor-words.ts'

const textOf = (html: string) =>
  html.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, ' ')

const english = wordsFor('en')

test.each([
  ['an expired', expiredCodePage],
  ['a paused', pausedCodePage],
])('the page of %s code shows what its owner wrote, and nothing of a plan', (_case, page) => {
  const plain = page(english)
  expect(textOf(plain)).toContain('This link isn’t active')
  expect(textOf(plain)).not.toMatch(/owner|plan\b|pay|paid|upgrad|subscri/i)
  const contact = { name: '<b>Café Luna</b>', contact: 'hello@luna.example, +49 30 1234' }
  const html = page(english, contact)
  expect(html).toContain('<bdi>&lt;b&gt;Café Luna&lt;/b&gt;</bdi><br><bdi>hello@luna.example')
  expect(html.match(/<a /g)).toEqual(plain.match(/<a /g))
  expect(textOf(page(english, { name: null, contact: '030 1234' }))).toContain('030 1234')
})

const owner = { name: '<i>Luna</i>', contact: '"030" & more' }
const start = new Date('2026-12-01T09:30Z')

const pages: [string, (words: Words) => string][] = [
  ['an unknown code', unknownCodePage],
  ['an unknown name', (words) => unknownNamePage(words, owner)],
  ['a paused code', (words) => pausedCodePage(words, owner)],
  ['a code before its start', (words) => earlyCodePage(words, start, owner)],
  ['a code after its end', (words) => overCodePage(words, owner)],
  ['an expired code', (words) => expiredCodePage(words, owner)],
  ['an expired code that leads on', (words) => expiredCodePage(words, owner, 'https://a.example')],
  ['a code that could not be looked up', unavailablePage],
  ['a preview', (words) => destinationPage(words, { url: 'https://a.eu/<i>', hasRules: true })],
  ['a preview with a password', (words) => destinationPage(words, {})],
  ['a password', passwordPage],
  ['a wrong password', (words) => passwordPage(words, { problem: 'wrong' })],
  ['too many passwords', (words) => passwordPage(words, { problem: { minutes: 5 } })],
]

test.each(pages)('the page of %s is in the reader’s language and direction', (_case, page) => {
  const titles = Object.keys(table).map((language) => {
    const html = page(wordsFor(language))
    const direction = language === 'ar' ? 'rtl' : 'ltr'
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(html).not.toMatch(/undefined|<i>|"030"|\{(host|start|minutes)\}/)
    return html.match(/<h1>.+<\/h1>/)?.[0]
  })
  expect(new Set(titles).size).toBe(12)
})

test('each language has every text, with the same values, and none that HTML has to escape', () => {
  const shapeOf = (texts: object): unknown =>
    Object.entries(texts).map(([key, text]) =>
      typeof text === 'string' ? [key, text.match(/\{\w+\}/g)] : [key, shapeOf(text)],
    )
  for (const [language, texts] of Object.entries(table)) {
    expect([language, shapeOf(texts)]).toEqual([language, shapeOf(table.en)])
    expect(JSON.stringify(Object.values(texts))).not.toMatch(/[<>&']|""|\\"/)
  }
  expect(unknownCodePage(english)).toContain(plainPage('', '').match(/<footer>.*/s)?.[0])
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
  expect(earlyCodePage(words, start)).toContain(day)
  expect(passwordPage(words, { problem: { minutes: 5 } })).toContain(five)
  expect(passwordPage(words, { problem: { minutes: 1 } })).toContain(one)
})
