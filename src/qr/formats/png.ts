import type { Colours } from '../symbol/look.ts'
import { concat, type Deflate, uint32 } from './bytes.ts'
import { shades } from './colour.ts'
import type { Raster } from './raster.ts'

export interface PngOptions extends Colours {
  readonly deflate: Deflate
  /** Width in print in millimetres, written into the file for layout programs; without it 300 dots an inch */
  readonly printSize?: number | undefined
}

export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const PALETTE = 3
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
  const palette = shades(background, foreground, raster.shades)
  const pixels = await deflate(scanlines(raster))
  return concat([
    SIGNATURE,
    chunk('IHDR', header(raster)),
    chunk('PLTE', palette),
    chunk('pHYs', density(raster.size, printSize)),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array()),
  ])
}

function bitDepth(raster: Raster): 1 | 4 {
  return raster.shades === 2 ? 1 : 4
}

/** §11.2.1: width, height, bit depth, color type; the only compression, filter set; no interlace. */
function header(raster: Raster): Uint8Array {
  return concat([
    uint32(raster.size),
    uint32(raster.size),
    Uint8Array.of(bitDepth(raster), PALETTE, 0, 0, 0),
  ])
}

/** §11.3.4.3: pixels a metre, both ways. */
export function density(pixels: number, printSize: number | undefined): Uint8Array {
  const perMetre = printSize ? (pixels * 1000) / printSize : PRINT_DPI / METRES_PER_INCH
  const bytes = uint32(Math.round(perMetre))
  return concat([bytes, bytes, Uint8Array.of(PER_METRE)])
}

/** §7.2: each row after a filter byte of 0; the leftmost pixel in the highest bits. */
function scanlines({ rows, size, shades: count }: Raster): Uint8Array {
  const pack = count === 2 ? pack1 : pack4
  const stride = 1 + Math.ceil((size * (count === 2 ? 1 : 4)) / 8)
  const bytes = new Uint8Array(stride * rows.length)
  rows.forEach((row, y) => {
    const at = y * stride
    if (row === rows[y - 1]) bytes.copyWithin(at, at - stride, at)
    else pack(row, bytes, at + 1)
  })
  return bytes
}

function pack1(row: Uint8Array, into: Uint8Array, at: number) {
  let byte = 0
  for (let x = 0; x < row.length; x++) {
    byte = (byte << 1) | (row[x] as number)
    if ((x & 7) === 7) into[at + (x >> 3)] = byte
  }
  const spare = -row.length & 7
  if (spare) into[at + (row.length >> 3)] = byte << spare
}

function pack4(row: Uint8Array, into: Uint8Array, at: number) {
  const pairs = row.length >> 1
  for (let pair = 0; pair < pairs; pair++) {
    into[at + pair] = ((row[2 * pair] as number) << 4) | (row[2 * pair + 1] as number)
  }
  if (row.length & 1) into[at + pairs] = (row[row.length - 1] as number) << 4
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
