import { expect, test } from 'vitest'
import { encode, TextTooLong } from '#qr/encode.ts'
import { isDark, type Matrix } from '#qr/matrix.ts'

function textPicture(matrix: Matrix): string {
  const row = (y: number) =>
    Array.from({ length: matrix.size }, (_, x) => (isDark(matrix, x, y) ? '██' : '  ')).join('')
  return Array.from({ length: matrix.size }, (_, y) => row(y).trimEnd()).join('\n')
}

/** Format information of level M with mask 000 and the masks' predicate i + j mod 2 (§7.8.2, §7.9). */
const M_MASK_0 = 0b101010000010010

function formatBits(matrix: Matrix): number {
  const alongRow = [0, 1, 2, 3, 4, 5, 7].map((x) => isDark(matrix, x, 8))
  const upColumn = [8, 7, 5, 4, 3, 2, 1, 0].map((y) => isDark(matrix, 8, y))
  return [...alongRow, ...upColumn].reduce((bits, dark) => bits * 2 + Number(dark), 0)
}

/** The codewords of a version 1 symbol in mask 000, read as §7.7.3 places them: up and down in pairs of columns. */
function codewords(matrix: Matrix): number[] {
  const bits: number[] = []
  const columns = [20, 18, 16, 14, 12, 10, 8, 5, 3, 1]
  columns.forEach((right, index) => {
    for (let step = 0; step < 21; step++) {
      const y = index % 2 ? step : 20 - step
      for (const x of [right, right - 1]) {
        const isFunction = y === 6 || (y < 9 && (x < 9 || x > 12)) || (y > 12 && x < 9)
        if (!isFunction) bits.push(Number(isDark(matrix, x, y) !== ((x + y) % 2 === 0)))
      }
    }
  })
  return Array.from({ length: 26 }, (_, word) =>
    bits.slice(8 * word, 8 * word + 8).reduce((value, bit) => value * 2 + bit, 0),
  )
}

test('the example of ISO/IEC 18004 annex I, 01234567 as 1-M, is this symbol', () => {
  expect(`\n${textPicture(encode('01234567'))}\n`).toBe(`
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

test('the example carries the data and error correction codewords that annex I works out', () => {
  const symbol = encode('01234567')
  expect(formatBits(symbol)).toBe(M_MASK_0)
  expect(codewords(symbol)).toEqual([
    0b00010000, 0b00100000, 0b00001100, 0b01010110, 0b01100001, 0b10000000, 0b11101100, 0b00010001,
    0b11101100, 0b00010001, 0b11101100, 0b00010001, 0b11101100, 0b00010001, 0b11101100, 0b00010001,
    0b10100101, 0b00100100, 0b11010100, 0b11000001, 0b11101101, 0b00110110, 0b11000111, 0b10000111,
    0b00101100, 0b01010101,
  ])
})

test('a short link at level M takes 29 modules, and more error correction takes more', () => {
  const link = 'https://tessera.example/qr/k7m2xq9'
  const sizes = (['L', 'M', 'Q', 'H'] as const).map((ecc) => encode(link, { ecc }).size)
  expect(encode(link).size).toBe(29)
  expect(sizes).toEqual([29, 29, 33, 33])
})

test('a text beyond version 40 is refused as too long', () => {
  expect(encode('x'.repeat(2331)).size).toBe(177)
  expect(() => encode('x'.repeat(2332))).toThrow(TextTooLong)
})

test('half a surrogate pair is refused: it would come back as another character', () => {
  expect(() => encode('a\ud83d')).toThrow(TypeError)
})
