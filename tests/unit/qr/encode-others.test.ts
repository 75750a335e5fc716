import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode } from '#qr/symbol/encode.ts'
import { eccLevels } from '#qr/symbol/look.ts'
import { anyText } from '../../support/any-text.ts'
import { otherEncoder } from '../../support/other-encoder.ts'
import { seed, times } from '../../support/soak.ts'
import { maskOf, textPicture } from '../../support/symbol.ts'
import { candidate } from '../../support/symbol-masks.ts'
import { penalty } from '../../support/symbol-penalty.ts'

const MASKS = [0, 1, 2, 3, 4, 5, 6, 7]

const anySymbol = fc
  .constantFrom(...eccLevels)
  .chain((ecc) => fc.record({ ecc: fc.constant(ecc), text: anyText(ecc) }))

test('another encoder makes the same symbol of any text, module by module', () => {
  fc.assert(
    fc.property(anySymbol, ({ text, ecc }) => {
      const symbol = encode(text, { ecc })
      const other = otherEncoder(text, ecc, maskOf(symbol))
      expect(textPicture(symbol)).toBe(textPicture(other))
    }),
    { seed, numRuns: times(70, 2_000) },
  )
})

test('of the eight masks a symbol has the first with the least penalty', () => {
  fc.assert(
    fc.property(anySymbol, ({ text, ecc }) => {
      const symbol = encode(text, { ecc })
      const penalties = MASKS.map((mask) => penalty(candidate(symbol, mask)))
      expect(maskOf(symbol)).toBe(penalties.indexOf(Math.min(...penalties)))
    }),
    { seed, numRuns: times(15, 500) },
  )
})
