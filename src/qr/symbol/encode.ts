import { encodeQR } from 'qr'
import { DEFAULT_LOOK, type Ecc, type Look, symbolText } from './look.ts'
import type { Matrix } from './matrix.ts'

/** The package's names of the levels. */
const levels = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const satisfies Record<
  Ecc,
  string
>

/** The text does not fit into the largest symbol (version 40) at this level. */
export class TextTooLong extends RangeError {
  override name = 'TextTooLong'
}

/**
 * The smallest symbol that holds the text: numeric or alphanumeric mode where every character
 * allows it, else UTF-8 bytes. Mask by the lowest penalty (§7.8.3). No quiet zone.
 *
 * @param look its correction (M if absent) and whether it is compact (not if absent)
 * @throws TextTooLong above version 40 (2,331 bytes at level M)
 * @throws TypeError for text with a lone surrogate, which no UTF-8 can carry
 */
export function encode(text: string, look: Partial<Pick<Look, 'ecc' | 'compact'>> = {}): Matrix {
  const { ecc, compact } = { ...DEFAULT_LOOK, ...look }
  if (!text.isWellFormed()) throw new TypeError('The text holds half a surrogate pair')
  const rows = symbol(symbolText(text, compact), ecc)
  const size = rows.length - 2
  const modules = new Uint8Array(size * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) modules[y * size + x] = rows[y + 1]?.[x + 1] ? 1 : 0
  }
  return { size, modules }
}

/** The package always draws a border. One module is the least, and `encode` cuts it off. */
function symbol(text: string, ecc: Ecc): boolean[][] {
  try {
    return encodeQR(text, 'raw', { ecc: levels[ecc], border: 1 })
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'Capacity overflow') throw error
    throw new TextTooLong(
      `${text.length} characters don’t fit in a QR code with error correction ${ecc}.`,
    )
  }
}
