import { expect, test } from 'vitest'
import { expiredCodePage, pausedCodePage } from '../../../src/server/redirects/visitor-pages.ts'

test.each([
  ['an expired', expiredCodePage()],
  ['a paused', pausedCodePage()],
])('the page of %s code says nothing of its owner or a plan', (_case, html) => {
  const text = html.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, ' ')
  expect(text).toContain('This link isn’t active')
  expect(text).not.toMatch(/owner|plan\b|pay|paid|upgrad|subscri/i)
})
