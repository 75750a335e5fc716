import type { Colours } from '../symbol/look.ts'
import { BitWriter } from './bit-writer.ts'
import { concat } from './bytes.ts'
import { parseColour, type Rgb } from './colour.ts'
import type { HuffmanCode } from './huffman.ts'
import { type Blocks, blocksOf } from './jpeg-blocks.ts'
import { type Codes, codesOf, type Plane, PlaneWriter, planeOf } from './jpeg-plane.ts'
import type { Raster } from './raster.ts'

export interface JpegOptions extends Colours {
  /** Edge in print in millimetres, written into the file for layout programs; without it 300 dots an inch */
  readonly printSize?: number | undefined
}

/*
 * A picture of two colours is one plane: how much of the foreground a pixel shows. Y, Cb and Cr are
 * multiples of it, so that one DCT serves all three, and blocks that are alike are coded once.
 * Clauses are those of ITU-T T.81 (ISO/IEC 10918-1).
 */

/**
 * Quantisation steps of the means and of all other coefficients: so small that no pixel at a module's
 * edge is off by a visible shade, and plain areas keep their colour.
 */
const STEPS = { dc: 2, ac: 3 } as const

const COEFFICIENTS = 64
const PRINT_DPI = 300
const MM_PER_INCH = 25.4

/**
 * A baseline JPEG (JFIF 1.02), without chroma subsampling (4:4:4). No channel of any pixel is off by
 * more than 17 of 255.
 *
 * @throws NotAColour where a colour is not hexadecimal
 */
export function jpeg(
  raster: Raster,
  { foreground, background, printSize }: JpegOptions,
): Uint8Array {
  const from = components(parseColour(background))
  const to = components(parseColour(foreground))
  const blocks = blocksOf(raster)
  const planes = from.map((value, index) => {
    return planeOf(blocks, value, (to[index] as number) - value, STEPS)
  })
  const luma = codesOf(blocks, planes.slice(0, 1))
  const chroma = codesOf(blocks, planes.slice(1))
  return concat([
    Uint8Array.of(0xff, 0xd8),
    segment(0xe0, jfif(raster.size, printSize)),
    segment(0xdb, quantisation()),
    segment(0xc0, frame(raster.size)),
    ...[luma, chroma].flatMap(({ dc, ac }, index) => [
      segment(0xc4, table(0x00 + index, dc)),
      segment(0xc4, table(0x10 + index, ac)),
    ]),
    segment(0xda, SCAN),
    entropyCoded(blocks, planes, [luma, chroma, chroma]),
    Uint8Array.of(0xff, 0xd9),
  ])
}

/** JFIF §"Conversion to and from RGB": Y, Cb, Cr around zero. */
function components([red, green, blue]: Rgb): number[] {
  return [
    0.299 * red + 0.587 * green + 0.114 * blue - 128,
    -0.168736 * red - 0.331264 * green + 0.5 * blue,
    0.5 * red - 0.418688 * green - 0.081312 * blue,
  ]
}

/** §A.2.3: of each block its Y, Cb and Cr. */
function entropyCoded({ kinds, lengths }: Blocks, planes: Plane[], codes: Codes[]): Uint8Array {
  const writer = new BitWriter(2 ** 16)
  const writers = planes.map(
    (plane, index) => new PlaneWriter(plane, codes[index] as Codes, writer),
  )
  kinds.forEach((kind, run) => {
    for (const plane of writers) plane.write(kind)
    const more = (lengths[run] as number) - 1
    if (more > 0) repeat(kind, more)
  })
  return writer.end()

  function repeat(kind: number, times: number) {
    const chunks = writers.map((plane) => plane.repetition(kind))
    for (let block = 0; block < times; block++) {
      chunks.forEach((chunk, index) => {
        if (chunk) writer.write(chunk.bits, chunk.size)
        else writers[index]?.write(kind)
      })
    }
  }
}

/** §B.1.1.4: a marker, and the length of what follows it, its own two bytes included. */
function segment(marker: number, data: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(0xff, marker), uint16(data.length + 2), data])
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 255)
}

/** JFIF 1.02, APP0: dots an inch, no thumbnail. */
function jfif(size: number, printSize: number | undefined): Uint8Array {
  const dpi = printSize ? Math.max(1, Math.round((size * MM_PER_INCH) / printSize)) : PRINT_DPI
  const name = Uint8Array.of(0x4a, 0x46, 0x49, 0x46, 0)
  return concat([name, Uint8Array.of(1, 2, 1), uint16(dpi), uint16(dpi), Uint8Array.of(0, 0)])
}

/** §B.2.4.1: one table of 8 bits for all components. */
function quantisation(): Uint8Array {
  return Uint8Array.of(0, STEPS.dc, ...new Array<number>(COEFFICIENTS - 1).fill(STEPS.ac))
}

/** §B.2.2: baseline, 8 bits, three components that are sampled alike. */
function frame(size: number): Uint8Array {
  const parts = [1, 2, 3].map((id) => Uint8Array.of(id, 0x11, 0))
  return concat([Uint8Array.of(8), uint16(size), uint16(size), Uint8Array.of(3), ...parts])
}

/** §B.2.4.2 */
function table(id: number, { lengths, symbols }: HuffmanCode): Uint8Array {
  return concat([Uint8Array.of(id), lengths, symbols])
}

/** §B.2.3: Y with the tables 0, Cb and Cr with the tables 1; all coefficients in one scan. */
const SCAN = Uint8Array.of(3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
