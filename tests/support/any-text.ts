import fc from 'fast-check'
import type { Ecc } from '#qr/symbol/look.ts'
import { symbolText } from '#qr/symbol/look.ts'

/** Most bytes that fit into a symbol, which is then version 40 (ISO/IEC 18004:2024 table 7). */
export const BYTES_MAX: Record<Ecc, number> = { L: 2953, M: 2331, Q: 1663, H: 1273 }

/** Characters of the alphanumeric mode. */
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'
const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PATH = `${LOWER}-_`

const textOf = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength, size: 'max' })

/** The link in a code: a public address, and a short code or a custom path. */
export const shortLink = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('https://tessera.example', 'http://localhost:3000', 'https://q.to'),
      fc.webAuthority({ withPort: true }).map((host) => `https://${host}`),
    ),
    fc.oneof(textOf(LOWER, 7, 7), textOf(PATH, 3, 50)),
  )
  .map(([address, path]) => `${address}/qr/${path}`)

/** Texts that fill symbols of every version up to 40 at the level. */
const longText = (ecc: Ecc) =>
  fc
    .integer({ min: 1, max: BYTES_MAX[ecc] })
    .chain((length) => fc.string({ unit: 'grapheme-ascii', minLength: length, maxLength: length }))

const manyDigits = (ecc: Ecc) => textOf('0123456789', 1, 2 * BYTES_MAX[ecc])
const manyCapitals = (ecc: Ecc) => textOf(ALPHANUMERIC, 1, Math.floor(1.4 * BYTES_MAX[ecc]))

/** Any text that fits into a symbol of the level: mostly links, in every mode and version. */
export function anyText(ecc: Ecc): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: shortLink },
    { weight: 2, arbitrary: shortLink.map((link) => symbolText(link, true)) },
    { weight: 2, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }) },
    { weight: 1, arbitrary: textOf('0123456789', 1, 60) },
    { weight: 1, arbitrary: textOf(ALPHANUMERIC, 1, 60) },
    { weight: 1, arbitrary: manyDigits(ecc) },
    { weight: 1, arbitrary: manyCapitals(ecc) },
    { weight: 2, arbitrary: longText(ecc) },
  )
}
