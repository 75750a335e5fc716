import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode } from '#qr/symbol/encode.ts'
import { eccLevels } from '#qr/symbol/look.ts'
import { anyText } from '../../support/any-text.ts'
import { otherEncoder } from '../../support/other-encoder.ts'
import { seed, times } from '../../support/soak.ts'
import { maskOf, textPicture } from '../../support/symbol.ts'

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
