import { expect, test } from 'vitest'
import { linkPlaceholders, ORIGIN_PLACEHOLDER } from '#contract/placeholders.ts'
import { fillPlaces } from '../../../src/server/pages/pages.ts'

const nobody = { supportEmail: undefined, privacyUrl: undefined, termsUrl: undefined }
const site = { publicUrl: 'https://qr.example.com', ...nobody }

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

test('links without an address stay in the footer', () => {
  const html = Object.values(linkPlaceholders).join(' ')
  expect(fillPlaces(html, site)).toBe('#footer #footer #footer')
})

test('the page has its own address everywhere', () => {
  expect(fillPlaces(`${ORIGIN_PLACEHOLDER}/ ${ORIGIN_PLACEHOLDER}/social.png`, site)).toBe(
    'https://qr.example.com/ https://qr.example.com/social.png',
  )
})
