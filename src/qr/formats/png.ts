import type { Colours } from '../symbol/look.ts'
import { concat, type Deflate, uint32 } from './bytes.ts'
import { shades } from './colour.ts'
import type { Raster } from './raster.ts'

export interface PngOptions extends Colours {
  readonly deflate: Deflate
  /** Width in print in millimetres, written into the file for layout programs; without it 300 dots an inch */
  readonly printSize?: number | undefined
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** The color type of pictures with a palette */
export const PALETTE = 3
const PER_METRE = 1

const PRINT_DPI = 300
const METRES_PER_INCH = 0.0254

/**
 * A palette PNG: 1 bit a pixel if there are two shades, 4 bits if there are 16. Section
 * numbers are those of the W3C's PNG specification, third edition.
 *
 * @throws NotAColour if a color is not hexadecimal
 */
export async function png(raster: Raster, options: PngOptions): Promise<Uint8Array> {
  const { foreground, background, deflate, printSize } = options
  const { size, shades: count } = raster
  const palette = chunk('PLTE', shades(background, foreground, count))
  const depth = count === 2 ? 1 : 4
  const shape = { width: size, height: size, printSize, depth, type: PALETTE }
  return pngOf(shape, [palette], await deflate(scanlines(raster, depth)))
}

interface Shape {
  readonly width: number
  readonly height: number
  readonly printSize?: number | undefined
  /** Bits of a pixel's number, or of a channel */
  readonly depth: number
  readonly type: number
}

/** All of a file: its header (§11.2.1: the only compression, filter set; no interlace), palette and pixels. */
export function pngOf(shape: Shape, palette: Uint8Array[], pixels: Uint8Array): Uint8Array {
  const { width, height, printSize, depth, type } = shape
  const kind = Uint8Array.of(depth, type, 0, 0, 0)
  return concat([
    SIGNATURE,
    chunk('IHDR', concat([uint32(width), uint32(height), kind])),
    ...palette,
    chunk('pHYs', density(width, printSize)),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array()),
  ])
}

/** §11.3.4.3: pixels a metre, both ways. */
function density(pixels: number, printSize: number | undefined): Uint8Array {
  const perMetre = printSize ? (pixels * 1000) / printSize : PRINT_DPI / METRES_PER_INCH
  const bytes = uint32(Math.round(perMetre))
  return concat([bytes, bytes, Uint8Array.of(PER_METRE)])
}

/** §7.2: each row after a filter byte of 0. */
function scanlines({ rows, size }: Raster, depth: 1 | 4): Uint8Array {
  const stride = strideOf(size, depth)
  const bytes = new Uint8Array(stride * rows.length)
  rows.forEach((row, y) => {
    const at = y * stride
    if (row === rows[y - 1]) bytes.copyWithin(at, at - stride, at)
    else packRow(row, depth, bytes, at + 1)
  })
  return bytes
}

/** Bytes of a row with its filter byte */
export const strideOf = (width: number, depth: number) => 1 + Math.ceil((width * depth) / 8)

/** §7.2: pixels of less than a byte, the leftmost in the highest bits. */
export function packRow(row: Uint8Array, depth: 1 | 2 | 4, into: Uint8Array, to: number) {
  const { length } = row
  for (let x = 0, at = to; x < length; at++) {
    let byte = 0
    for (let shift = 8 - depth; shift >= 0 && x < length; shift -= depth) {
      byte |= (row[x++] as number) << shift
    }
    into[at] = byte
  }
}

/** §5.3: length, type, data, and the checksum of type and data. */
export function chunk(type: string, data: Uint8Array): Uint8Array {
  const typed = concat([new TextEncoder().encode(type), data])
  return concat([uint32(data.length), typed, uint32(crc32(typed))])
}

/** One entry a byte value: the polynomial 0xEDB88320 (PNG, third edition, annex D). */
const table = Int32Array.from({ length: 256 }, (_, byte) => afterZeros(byte, 8))

/** Checksums of a byte followed by one, two and three bytes of zeros, so that four bytes are one step. */
const [table1, table2, table3] = [16, 24, 32].map((bits) =>
  Int32Array.from({ length: 256 }, (_, byte) => afterZeros(byte, bits)),
) as [Int32Array, Int32Array, Int32Array]

function afterZeros(byte: number, bits: number): number {
  let value = byte
  for (let bit = 0; bit < bits; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
}

/** CRC-32 of the bytes, 0 to 2³² - 1, as PNG and ZIP use it. */
function crc32(bytes: Uint8Array): number {
  let crc = -1
  let at = 0
  for (; at + 4 <= bytes.length; at += 4) {
    crc =
      (table3[(crc ^ (bytes[at] as number)) & 255] as number) ^
      (table2[((crc >>> 8) ^ (bytes[at + 1] as number)) & 255] as number) ^
      (table1[((crc >>> 16) ^ (bytes[at + 2] as number)) & 255] as number) ^
      (table[((crc >>> 24) ^ (bytes[at + 3] as number)) & 255] as number)
  }
  for (; at < bytes.length; at++) {
    crc = (table[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8)
  }
  return ~crc >>> 0
}
