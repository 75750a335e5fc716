import { expect, test } from 'vitest'
import { encode } from '#qr/symbol/encode.ts'
import { type Ecc, eccLevels } from '#qr/symbol/look.ts'
import { isDark, type Matrix } from '#qr/symbol/matrix.ts'
import { BYTES_MAX } from '../../support/any-text.ts'
import { bitsAt, formatPlaces, formats, maskOf, versionPlaces } from '../../support/symbol.ts'

/** A symbol of the level for each of the eight masks. */
function everyMask(ecc: Ecc): Matrix[] {
  const found = new Map<number, Matrix>()
  for (let number = 0; found.size < 8 && number < 5000; number++) {
    const symbol = encode(`https://tessera.example/qr/${number}`, { ecc })
    if (!found.has(maskOf(symbol))) found.set(maskOf(symbol), symbol)
  }
  return [...found.values()]
}

test.each(eccLevels)(
  'at level %s every symbol says level and mask twice, as table C.1 has it',
  (ecc) => {
    const symbols = everyMask(ecc)
    expect(symbols).toHaveLength(8)
    for (const symbol of symbols) {
      const expected = formats[ecc][maskOf(symbol)]
      for (const places of formatPlaces(symbol.size)) expect(bitsAt(symbol, places)).toBe(expected)
      expect(isDark(symbol, 8, symbol.size - 8)).toBe(true)
    }
  },
)

/** ISO/IEC 18004:2024 table D.1: the versions 7 to 40 with their error correction. */
const versions = [
  0x07c94, 0x085bc, 0x09a99, 0x0a4d3, 0x0bbf6, 0x0c762, 0x0d847, 0x0e60d, 0x0f928, 0x10b78, 0x1145d,
  0x12a17, 0x13532, 0x149a6, 0x15683, 0x168c9, 0x177ec, 0x18ec4, 0x191e1, 0x1afab, 0x1b08e, 0x1cc1a,
  0x1d33f, 0x1ed75, 0x1f250, 0x209d5, 0x216f0, 0x228ba, 0x2379f, 0x24b0b, 0x2542e, 0x26a64, 0x27541,
  0x28c69,
]

test('symbols of the versions 7 to 40 say their version twice, as table D.1 has it', () => {
  const seen = new Map<number, Matrix>()
  for (let length = 1; length <= BYTES_MAX.M; length += 10) {
    const symbol = encode('x'.repeat(length))
    seen.set((symbol.size - 17) / 4, symbol)
  }
  versions.forEach((bits, index) => {
    const symbol = seen.get(index + 7) as Matrix
    for (const places of versionPlaces(symbol.size)) expect(bitsAt(symbol, places)).toBe(bits)
  })
})
