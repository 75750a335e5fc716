import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { marksIn, ZIP_MARK } from '../../../src/client/files/arriving-file.ts'

const text = (words: string) => new TextEncoder().encode(words)

it('counts the files that begin in a piece of a zip', () => {
  const zip = zipSync({
    'links.csv': text('a'),
    Caddyfile: text('PK, and more'),
    'a.svg': text(''),
  })
  expect(marksIn(zip, ZIP_MARK)).toBe(3)
  expect(marksIn(zip.subarray(1), ZIP_MARK)).toBe(2)
  expect(marksIn(text('PK'), ZIP_MARK)).toBe(0)
})
