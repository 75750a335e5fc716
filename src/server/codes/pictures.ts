import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { ImageFormat, Style } from '#contract/codes.ts'
import { normalColour } from '#qr/colour.ts'
import { encode } from '#qr/encode.ts'
import { png } from '#qr/png.ts'
import { raster } from '#qr/raster.ts'
import { svg } from '#qr/svg.ts'

/** What a picture shows and how; all of it decides the bytes. */
export interface Picture {
  /** What the code says: a short link */
  readonly text: string
  readonly format: ImageFormat
  readonly style: Style
  /** #rgb or #rrggbb */
  readonly foreground: string
  /** #rgb or #rrggbb */
  readonly background: string
  /** Edge in pixels */
  readonly size: number
}

/** Raise it with every change of the engine, of sharp or of a setting below that changes any byte. */
const ENGINE_VERSION = 1

/** At 98 without chroma subsampling no pixel is off by more than 12 of 255: no halo round a module. */
const JPEG = { quality: 98, chromaSubsampling: '4:4:4' } as const

const contentTypes = {
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
} as const satisfies Record<ImageFormat, string>

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
  const matrix = encode(picture.text)
  if (picture.format === 'svg') return Buffer.from(svg(matrix, picture))
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
export function pictureETag({ text, format, style, foreground, background, size }: Picture) {
  const colours = [normalColour(foreground), normalColour(background)]
  const decisive = JSON.stringify([ENGINE_VERSION, text, format, style, ...colours, size])
  return `"${createHash('sha256').update(decisive).digest('base64url')}"`
}
