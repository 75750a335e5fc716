import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE_STYLE } from '../../../src/server/http/page-style.ts'

const brand = readFileSync('src/client/ui/theme/brand.css', 'utf8')
const [light = '', dark = ''] = PAGE_STYLE.split('@media (prefers-color-scheme:dark)')

test('the server’s pages have the brand’s colors, in light and dark', () => {
  for (const name of ['text', 'quiet', 'page', 'panel', 'line', 'edge', 'copper', 'accent-text']) {
    const [, day, night] = new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\)`).exec(brand) ?? []
    const own = name.replace('accent-text', 'accent')
    expect(light).toContain(`--${own}:${day}`)
    expect(dark).toContain(`--${own}:${night}`)
  }
})

test('a system font stands in for each font, in its size', () => {
  const faces = brand.match(/size-adjust: .*%|-override: .*%/g) ?? []
  expect(faces).toHaveLength(18)
  for (const face of faces) expect(PAGE_STYLE).toContain(face.replace(': ', ':'))
})
