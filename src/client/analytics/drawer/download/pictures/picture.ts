import type { About, Drawn, Kept } from '../kept.ts'
import { barsPicture } from './bars-picture.ts'
import { linePicture } from './line-picture.ts'
import { hoursPicture, mapPicture } from './shaded-pictures.ts'
import { type Body, escapeXml, PAPER, QUIET, TEXT, textAt, WIDTH, wrapped } from './svg.ts'

const MARGIN = 32
const LINES_MAX = 3

/** Fonts of which each system has one. */
const FONTS = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans', sans-serif"

/** A card as a picture in SVG 1.1, which needs nothing from outside. */
export function pictureOf({ title, definition, drawn }: Kept, { said, foot }: About): string {
  const body = bodyOf(drawn)
  let y = MARGIN
  const texts: string[] = []
  const write = (text: string, size: number, fill: string, bold = false) => {
    for (const line of wrapped(text, size, WIDTH, LINES_MAX)) {
      y += Math.round(1.4 * size)
      texts.push(textAt(0, y - 0.35 * size, line, { size, fill, bold }))
    }
  }
  write(title, 22, TEXT, true)
  for (const line of said) write(line, 15, TEXT)
  y += 20
  const top = y
  y += body.height + 16
  for (const line of [definition, ...foot]) write(line, 12, QUIET)
  const [width, height] = [WIDTH + 2 * MARGIN, y + MARGIN]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}">`,
    `<title>${escapeXml([title, ...said].join('. '))}</title>`,
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>`,
    `<g transform="translate(${MARGIN} 0)">${texts.join('')}`,
    `<g transform="translate(0 ${top})">${body.drawing}</g></g>`,
    '</svg>',
    '',
  ].join('\n')
}

function bodyOf(drawn: Drawn): Body {
  switch (drawn.kind) {
    case 'line':
      return linePicture(drawn)
    case 'bars':
      return barsPicture(drawn)
    case 'map':
      return mapPicture(drawn.countries, drawn.noun, barsPicture(drawn))
    case 'hours':
      return hoursPicture(drawn.rows, drawn.noun)
  }
}

/** Pixels for one of the picture's own: sharp on paper and on fine screens. */
const SCALE = 2

/** A picture in SVG as PNG. @throws if the browser cannot draw it */
export async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const [width, height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight]
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(address)
  }
}
