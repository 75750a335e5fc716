import QRCode, { type QRCodeSegment } from 'qrcode'
import type { Ecc } from '#qr/symbol/look.ts'
import type { Matrix } from '../../src/qr/symbol/matrix.ts'

/** The one mode that holds all of the text in the fewest bits (ISO/IEC 18004:2024 §7.4). */
function segmentOf(text: string): QRCodeSegment {
  if (/^[0-9]*$/.test(text)) return { data: text, mode: 'numeric' }
  if (/^[0-9A-Z $%*+\-./:]*$/.test(text)) return { data: text, mode: 'alphanumeric' }
  return { data: new TextEncoder().encode(text), mode: 'byte' }
}

/** The smallest symbol as the package `qrcode` makes it, with a mask of our choice. */
export function otherEncoder(text: string, ecc: Ecc, mask: number): Matrix {
  const { modules } = QRCode.create([segmentOf(text)], {
    errorCorrectionLevel: ecc,
    maskPattern: mask as 0,
  })
  return { size: modules.size, modules: Uint8Array.from(modules.data, Number) }
}
