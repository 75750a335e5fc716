import { expect, test } from 'vitest'
import { DEMO_PLACEHOLDER, linkPlaceholders } from '#contract/codes/placeholders.ts'
import { fillPlaces } from '../../../src/server/pages/pages.ts'

const site = {
  publicUrl: 'https://qr.example.com',
  supportEmail: undefined,
  privacyUrl: undefined,
  termsUrl: undefined,
  blogUrl: undefined,
  careersUrl: undefined,
  demo: 'off' as const,
}

test('the operator’s links are filled in and encoded', () => {
  const html = `<a href="${linkPlaceholders.contact}"><a href="${linkPlaceholders.privacy}">`
  const filled = fillPlaces(html, {
    ...site,
    supportEmail: "o'neil&sons+qr@example.com",
    privacyUrl: 'https://example.com/?a="><script>&b=$&',
  })
  expect(filled).toBe(
    '<a href="mailto:o&#39;neil%26sons%2Bqr@example.com"><a href="https://example.com/?a=&quot;&gt;&lt;script&gt;&amp;b=$&amp;">',
  )
})

test('the way into the live demo is there where there is one', () => {
  const section = `<div>${DEMO_PLACEHOLDER}</div>`
  expect(fillPlaces(section, { ...site, demo: 'on' })).toContain('Open the live demo')
  for (const demo of ['off', 'data'] as const) {
    expect(fillPlaces(section, { ...site, demo })).toBe('<div></div>')
  }
})
