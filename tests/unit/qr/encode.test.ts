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

/** ISO/IEC 18004:2024 table 7: most digits, capitals and bytes that the versions 1 and 40 hold. */
const capacities = [
  ['L', 21, 41, 25, 17],
  ['M', 21, 34, 20, 14],
  ['Q', 21, 27, 16, 11],
  ['H', 21, 17, 10, 7],
  ['L', 177, 7089, 4296, BYTES_MAX.L],
  ['M', 177, 5596, 3391, BYTES_MAX.M],
  ['Q', 177, 3993, 2420, BYTES_MAX.Q],
  ['H', 177, 3057, 1852, BYTES_MAX.H],
] as const

test.each(capacities)(
  'at level %s %i modules hold %i digits, %i capitals or %i bytes, and no more',
  (...row) => {
    const [ecc, size, ...lengths] = row
    ;['1', 'A', 'a'].forEach((character, mode) => {
      const most = character.repeat(lengths[mode] as number)
      expect(encode(most, { ecc }).size).toBe(size)
      if (size < 177) expect(encode(most + character, { ecc }).size).toBe(size + 4)
      else expect(() => encode(most + character, { ecc })).toThrow(TextTooLong)
    })
  },
)

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
