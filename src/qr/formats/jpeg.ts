import type { Colours } from '../symbol/look.ts'
import { BitWriter } from './bit-writer.ts'
import { concat } from './bytes.ts'
import { parseColour, type Rgb } from './colour.ts'
import type { HuffmanCode } from './huffman.ts'
import { type Blocks, blocksOf, colourBlocksOf, components } from './jpeg-blocks.ts'
import { type Codes, codesOf, type Plane, PlaneWriter, planeOf } from './jpeg-plane.ts'
import type { Pixels } from './pixels.ts'
import type { Raster } from './raster.ts'

export interface JpegOptions extends Colours {
  /** Edge in print in millimetres, written into the file for layout programs; without it 300 dots an inch */
  readonly printSize?: number | undefined
}

/*
 * A picture of two colors is one plane: how much of the foreground a pixel shows. Y, Cb and Cr are
 * multiples of it, so that one DCT serves all three, and blocks that are alike are coded once.
 * Clauses are those of ITU-T T.81 (ISO/IEC 10918-1).
 */

/**
 * Quantisation steps of the means and of all other coefficients: so small that no pixel at a module's
 * edge is off by a visible shade, and plain areas keep their color.
 */
const STEPS = { dc: 2, ac: 3 } as const

const COEFFICIENTS = 64
const PRINT_DPI = 300
const MM_PER_INCH = 25.4

/**
 * A baseline JPEG (JFIF 1.02), without chroma subsampling (4:4:4). No channel of any pixel is off by
 * more than 17 of 255.
 *
 * @throws NotAColour if a color is not hexadecimal
 */
export function jpeg(
  raster: Raster,
  { foreground, background, printSize }: JpegOptions,
): Uint8Array {
  const from = inYCbCr(parseColour(background))
  const to = inYCbCr(parseColour(foreground))
  const blocks = blocksOf(raster)
  const planes = from.map((value, index) => {
    return planeOf(spectrumOf(blocks, 0), value, (to[index] as number) - value, STEPS)
  })
  return fileOf(blocks, planes, { width: raster.size, height: raster.size, printSize })
}

/**
 * The same of a picture in colors; what is transparent is `background`.
 *
 * @throws NotAColour if that is not hexadecimal
 */
export function pixelsJpeg(
  pixels: Pixels,
  { background, printSize }: Omit<JpegOptions, 'foreground'>,
): Uint8Array {
  const blocks = colourBlocksOf(pixels, parseColour(background))
  const planes = components.map((_, index) => planeOf(spectrumOf(blocks, index), 0, 1, STEPS))
  return fileOf(blocks, planes, { ...pixels, printSize })
}

const spectrumOf = ({ spectra }: Blocks, index: number) => spectra[index] as Float32Array

type Shape = { width: number; height: number; printSize?: number | undefined }

function fileOf(blocks: Blocks, planes: Plane[], { width, height, printSize }: Shape): Uint8Array {
  const luma = codesOf(blocks, planes.slice(0, 1))
  const chroma = codesOf(blocks, planes.slice(1))
  return concat([
    Uint8Array.of(0xff, 0xd8),
    segment(0xe0, jfif(width, printSize)),
    segment(0xdb, quantisation()),
    segment(0xc0, frame(width, height)),
    ...[luma, chroma].flatMap(({ dc, ac }, index) => [
      segment(0xc4, table(0x00 + index, dc)),
      segment(0xc4, table(0x10 + index, ac)),
    ]),
    segment(0xda, SCAN),
    entropyCoded(blocks, planes, [luma, chroma, chroma]),
    Uint8Array.of(0xff, 0xd9),
  ])
}

function inYCbCr([red, green, blue]: Rgb): number[] {
  return components.map(([r, g, b, base]) => r * red + g * green + b * blue + base)
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
function jfif(width: number, printSize: number | undefined): Uint8Array {
  const dpi = printSize ? Math.max(1, Math.round((width * MM_PER_INCH) / printSize)) : PRINT_DPI
  const name = Uint8Array.of(0x4a, 0x46, 0x49, 0x46, 0)
  return concat([name, Uint8Array.of(1, 2, 1), uint16(dpi), uint16(dpi), Uint8Array.of(0, 0)])
}

/** §B.2.4.1: one table of 8 bits for all components. */
function quantisation(): Uint8Array {
  return Uint8Array.of(0, STEPS.dc, ...new Array<number>(COEFFICIENTS - 1).fill(STEPS.ac))
}

/** §B.2.2: baseline, 8 bits, three components that are sampled alike. */
function frame(width: number, height: number): Uint8Array {
  const parts = [1, 2, 3].map((id) => Uint8Array.of(id, 0x11, 0))
  return concat([Uint8Array.of(8), uint16(height), uint16(width), Uint8Array.of(3), ...parts])
}

/** §B.2.4.2 */
function table(id: number, { lengths, symbols }: HuffmanCode): Uint8Array {
  return concat([Uint8Array.of(id), lengths, symbols])
}

/** §B.2.3: Y with the tables 0, Cb and Cr with the tables 1; all coefficients in one scan. */
const SCAN = Uint8Array.of(3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
