import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { type PictureFormat, PRINT_SIZE } from '#contract/codes.ts'
import { encode } from '#qr/encode.ts'
import { pdf } from '#qr/pdf.ts'
import { png } from '#qr/png.ts'
import { raster } from '#qr/raster.ts'
import { svg } from '#qr/svg.ts'
import { type Look, pictureVersion } from './looks.ts'

/** A look in one format and size: all that decides the bytes. */
export interface Picture extends Look {
  readonly format: PictureFormat
  /** Edge in pixels; a PDF has none */
  readonly size: number
  /** Edge in print in millimetres; undefined where none was asked for */
  readonly printSize?: number | undefined
}

/** At 98 without chroma subsampling no pixel is off by more than 12 of 255: no halo round a module. */
const JPEG = { quality: 98, chromaSubsampling: '4:4:4' } as const

const contentTypes = {
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
} as const satisfies Record<PictureFormat, string>

/** In the thread pool: a redirect never waits for somebody's 4,096 pixels. */
const deflated = promisify<Uint8Array, Buffer>(deflate)

/**
 * The same options give the same bytes.
 *
 * @throws NotAColour, TextTooLong, PictureTooSmall as the engine does
 */
export async function drawPicture(picture: Picture) {
  return { bytes: await draw(picture), contentType: contentTypes[picture.format] }
}

async function draw(picture: Picture): Promise<Buffer> {
  const matrix = encode(picture.text, picture)
  if (picture.format === 'svg') return Buffer.from(svg(matrix, picture))
  if (picture.format === 'pdf') {
    const printSize = picture.printSize ?? PRINT_SIZE.default
    return Buffer.from(await pdf(matrix, { ...picture, printSize, deflate: deflated }))
  }
  const bytes = await png(raster(matrix, picture), { ...picture, deflate: deflated })
  return picture.format === 'png' ? Buffer.from(bytes) : jpeg(bytes)
}

/**
 * Encoded from our PNG: the outcome is that of raw pixels, which at 4,096 would take 50 MB.
 * sharp holds tens of megabytes itself, so it is loaded when the first JPEG is asked for.
 */
async function jpeg(bytes: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes).jpeg(JPEG).toBuffer()
}

/** A strong entity tag (RFC 9110 §8.8.3), quotes included, known without drawing. */
export function pictureETag(picture: Picture) {
  const { format, size, printSize } = picture
  const decisive = JSON.stringify([pictureVersion(picture), format, size, printSize])
  return `"${hash('sha256', decisive, 'base64url')}"`
}
