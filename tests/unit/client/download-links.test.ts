import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { filesIn } from '../../../src/client/accounts/settings/leave/download-links.ts'

const text = (words: string) => new TextEncoder().encode(words)

it('counts the files that begin in a piece of a zip', () => {
  const zip = zipSync({
    'links.csv': text('a'),
    Caddyfile: text('PK, and more'),
    'a.svg': text(''),
  })
  expect(filesIn(zip)).toBe(3)
  expect(filesIn(zip.subarray(1))).toBe(2)
  expect(filesIn(text('PK'))).toBe(0)
})
