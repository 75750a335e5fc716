import { encodeQR } from 'qr'
import type { Matrix } from './matrix.ts'

/**
 * Error correction levels: about 7, 15, 25 and 30 % of the codewords can be lost
 * (ISO/IEC 18004:2024 §7.5.1).
 */
const levels = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const
export type Ecc = keyof typeof levels

/** The text does not fit into the largest symbol (version 40) at the level asked for. */
export class TextTooLong extends RangeError {
  override name = 'TextTooLong'
}

/**
 * The smallest symbol that holds the text: numeric or alphanumeric mode where every character
 * allows it, else UTF-8 bytes. Mask by the lowest penalty (§7.8.3). No quiet zone.
 *
 * @throws TextTooLong above version 40 (2,331 bytes at level M)
 * @throws TypeError for text with a lone surrogate, which no UTF-8 can carry
 */
export function encode(text: string, { ecc = 'M' }: { ecc?: Ecc } = {}): Matrix {
  if (!text.isWellFormed()) throw new TypeError('The text holds half a surrogate pair')
  const rows = symbol(text, ecc)
  const size = rows.length - 2
  const modules = new Uint8Array(size * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) modules[y * size + x] = rows[y + 1]?.[x + 1] ? 1 : 0
  }
  return { size, modules }
}

/** The package insists on a border; one module is the least, and it is cut off above. */
function symbol(text: string, ecc: Ecc): boolean[][] {
  try {
    return encodeQR(text, 'raw', { ecc: levels[ecc], border: 1 })
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'Capacity overflow') throw error
    throw new TextTooLong(`${text.length} characters do not fit into a QR code at level ${ecc}`)
  }
}
