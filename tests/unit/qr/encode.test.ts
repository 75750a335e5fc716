import { expect, test } from 'vitest'
import { encode, TextTooLong } from '#qr/symbol/encode.ts'
import { eccLevels } from '#qr/symbol/look.ts'
import { BYTES_MAX } from '../../support/any-text.ts'
import { textPicture } from '../../support/symbol.ts'

test('a short link at level M takes 29 modules, and more error correction takes more', () => {
  const link = 'https://tessera.example/qr/k7m2xq9'
  const sizes = eccLevels.map((ecc) => encode(link, { ecc }).size)
  expect(encode(link).size).toBe(29)
  expect(sizes).toEqual([29, 29, 33, 33])
})

test.each(eccLevels)('at level %s version 40 holds as many bytes as the standard says', (ecc) => {
  const most = 'a'.repeat(BYTES_MAX[ecc])
  expect(encode(most, { ecc }).size).toBe(177)
  expect(() => encode(`${most}a`, { ecc })).toThrow(TextTooLong)
})

test('half a surrogate pair is refused: it would come back as another character', () => {
  expect(() => encode('a\ud83d')).toThrow(TypeError)
})

/** The text of annex I, under the mask with the least penalty; the annex has another one. */
test('01234567 at level M is this symbol', () => {
  expect(textPicture(encode('01234567'))).toBe(`
██████████████      ██████  ██████████████
██          ██  ██████      ██          ██
██  ██████  ██    ████      ██  ██████  ██
██  ██████  ██    ██  ████  ██  ██████  ██
██  ██████  ██  ████  ████  ██  ██████  ██
██          ██        ██    ██          ██
██████████████  ██  ██  ██  ██████████████

██  ██  ██  ██      ██  ██      ██    ██
████  ██        ██  ████  ██  ██      ██
      ████  ██████  ████  ██████  ██████
████    ████  ██  ██  ██████  ████    ██
    ██    ██████  ██████  ██████        ██
                ██  ██      ██        ██
██████████████          ██      ██      ██
██          ██      ██      ██    ██  ████
██  ██████  ██  ██████  ██  ██  ██████  ██
██  ██████  ██    ██  ██  ██  ██  ██████
██  ██████  ██  ████  ██  ██████    ██  ██
██          ██        ██████  ██████
██████████████  ██    ██  ██████    ██  ██
`)
})
