import { describe, expect, test } from 'vitest'
import { expiredCodePage, pausedCodePage } from '../../../src/server/redirects/visitor-pages.ts'

const textOf = (html: string) =>
  html.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, ' ')

describe.each([
  ['an expired', expiredCodePage],
  ['a paused', pausedCodePage],
])('the page of %s code', (_case, page) => {
  test('says nothing of its owner or a plan', () => {
    const text = textOf(page())
    expect(text).toContain('This link isn’t active')
    expect(text).not.toMatch(/owner|plan\b|pay|paid|upgrad|subscri/i)
  })

  test('shows what its owner wrote as text, never as a link', () => {
    const html = page({ name: '<b>Café Luna</b>', contact: 'hello@luna.example, +49 30 1234' })
    expect(html).toContain('<bdi>&lt;b&gt;Café Luna&lt;/b&gt;</bdi><br><bdi>hello@luna.example')
    expect(html.match(/<a /g)).toEqual(page().match(/<a /g))
    expect(textOf(page({ name: null, contact: '030 1234' }))).toContain('030 1234')
  })
})
