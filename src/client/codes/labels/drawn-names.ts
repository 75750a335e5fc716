import type { Box } from '#contract/labels/label-layout.ts'
import type { DrawnName } from '#contract/labels/labels-asked.ts'
import { isWritable } from '#qr/formats/helvetica.ts'

/** Fine enough for any printer of an office; a thousand names stay below a megabyte. */
const DOTS_PER_MM = 300 / 25.4
/** Share of the name's line that its letters are high */
const LETTERS = 0.72
/** How far letters may shrink before the name is cut */
const LEAST = 0.55
/** Darker than half is ink. */
const INK = 127

type Named = { id: string; name: string }

/**
 * The names that a PDF's own fonts cannot write, drawn for a line of a label, in millimetres, with the
 * fonts of this device, which has those of its owner's languages.
 */
export async function drawNames(
  codes: readonly Named[],
  line: Box,
): Promise<Record<string, DrawnName>> {
  const drawn: Record<string, DrawnName> = {}
  for (const { id, name } of codes) {
    if (!isWritable(name)) drawn[id] = await drawName(name, line)
  }
  return drawn
}

async function drawName(name: string, line: Box): Promise<DrawnName> {
  const [longest, height] = [line.width, line.height].map((edge) =>
    Math.floor(edge * DOTS_PER_MM),
  ) as [number, number]
  const canvas = document.createElement('canvas')
  const size = (share: number) =>
    `600 ${LETTERS * share * height}px "Figtree Variable", system-ui, sans-serif`
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) throw new Error('This browser cannot draw')
  pen.font = size(1)
  const share = Math.max(LEAST, Math.min(1, longest / pen.measureText(name).width))
  pen.font = size(share)
  const text = cut(name, (part) => pen.measureText(part).width <= longest)
  const width = Math.max(1, Math.min(longest, Math.ceil(pen.measureText(text).width)))
  canvas.width = width
  canvas.height = height
  // A new width empties the canvas and forgets the font.
  pen.font = size(share)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, width / 2, height / 2)
  const { data } = pen.getImageData(0, 0, width, height)
  return { width, height, ink: await packed(bits(data, width, height)) }
}

/** As many whole letters as fit. */
function cut(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('')}…`
}

/** One bit a pixel, the first of a byte the highest, rows of whole bytes. */
function bits(rgba: Uint8ClampedArray, width: number, height: number): Uint8Array<ArrayBuffer> {
  const row = Math.ceil(width / 8)
  const packed = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((rgba[4 * (y * width + x) + 3] ?? 0) <= INK) continue
      const at = y * row + (x >> 3)
      packed[at] = (packed[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return packed
}

async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer())
  return btoa(Array.from(deflated, (byte) => String.fromCharCode(byte)).join(''))
}
