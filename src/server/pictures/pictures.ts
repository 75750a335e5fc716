import { deflateSync } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import type { PictureFormat } from '#contract/pictures/pictures.ts'
import { sceneEps } from '#qr/artwork/artwork-eps.ts'
import { scenePdf } from '#qr/artwork/artwork-pdf.ts'
import { scenePng } from '#qr/artwork/artwork-png.ts'
import { sceneSvg } from '#qr/artwork/artwork-svg.ts'
import { compose } from '#qr/artwork/composition.ts'
import { plainScene, sceneOf } from '#qr/artwork/scene.ts'
import { loadLetters } from '#qr/artwork/text-figures.ts'
import type { Deflate } from '#qr/formats/bytes.ts'
import type { InkSpace } from '#qr/formats/colour.ts'
import { jpeg, pixelsJpeg } from '#qr/formats/jpeg.ts'
import { pdf } from '#qr/formats/pdf.ts'
import type { Pixels } from '#qr/formats/pixels.ts'
import { pixelsPng } from '#qr/formats/pixels-png.ts'
import { png } from '#qr/formats/png.ts'
import { raster } from '#qr/formats/raster.ts'
import { svg } from '#qr/formats/svg.ts'
import { draw as drawPixels } from '#qr/scan-check/pixels.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design, Style } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'

/** A design in one format and size: all that decides the bytes of a file. */
export interface Picture extends Design {
  readonly format: PictureFormat
  /** Width in pixels; a PDF and an EPS have none */
  readonly size: number
  /** Width in print in millimetres; a PDF and an EPS need one */
  readonly printSize?: number | undefined
  /** Colours of a PDF or an EPS; RGB if absent */
  readonly space?: InkSpace | undefined
}

const contentTypes = {
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  eps: 'application/postscript',
  webp: 'image/webp',
} as const satisfies Record<PictureFormat, string>

/**
 * Draws a file. The same picture always has the same bytes. It takes up to a tenth of a second, so it
 * belongs in a drawing thread and never in the one that answers redirects.
 *
 * @throws NotAColour, TextTooLong, PictureTooSmall as the engine does
 */
export async function drawPicture(picture: Picture) {
  return { bytes: await draw(picture), contentType: contentTypes[picture.format] }
}

async function draw(picture: Picture): Promise<Uint8Array> {
  const matrix = encode(picture.text, picture)
  return picture.artwork ? drawArtwork(matrix, picture) : drawPlain(matrix, picture)
}

async function drawPlain(matrix: Matrix, picture: Picture): Promise<Uint8Array> {
  switch (picture.format) {
    case 'svg':
      return Buffer.from(svg(matrix, picture))
    case 'pdf':
      if (picture.space !== 'cmyk') return pdf(matrix, forPrint(picture))
      return scenePdf(plainScene(matrix, picture), forPrint(picture))
    case 'eps':
      return sceneEps(plainScene(matrix, picture), forPrint(picture))
    case 'jpg':
      return jpeg(raster(matrix, picture), picture)
    case 'png':
      return png(raster(matrix, picture), { ...picture, deflate: deflateFor(picture.style) })
    case 'webp':
      return webp(drawPixels(matrix, picture, picture.size))
  }
}

async function drawArtwork(matrix: Matrix, picture: Picture): Promise<Uint8Array> {
  const { size, printSize, logo, artwork } = picture
  if (artwork?.frame) await loadLetters()
  const scene = sceneOf(matrix, picture)
  switch (picture.format) {
    case 'svg':
      return Buffer.from(
        sceneSvg(scene, { size, printSize, logo: logo && (await addressOf(logo)) }),
      )
    case 'pdf':
      return scenePdf(scene, forPrint(picture))
    case 'eps':
      return sceneEps(scene, forPrint(picture))
    case 'jpg':
      return flatFile('jpg', compose(scene, size, logo), picture)
    case 'png':
      return scenePng(scene, { size, printSize, logo, deflate: quickly })
    case 'webp':
      return webp(compose(scene, size, logo))
  }
}

/** A file of a picture with artwork whose pixels are drawn already; `drawPicture` has the same pixels. */
export async function flatFile(
  format: 'png' | 'jpg',
  pixels: Pixels,
  { background, printSize }: Pick<Picture, 'background' | 'printSize'>,
): Promise<Uint8Array> {
  return format === 'jpg'
    ? pixelsJpeg(pixels, { background, printSize })
    : pixelsPng(pixels, { deflate: quickly, printSize })
}

/** Sharp is loaded with the first WebP; it takes tens of megabytes, and its time from one core. */
async function webp({ width, height, data }: Pixels): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  const picture = sharp(new Uint8Array(data.buffer), { raw: { width, height, channels: 4 } })
  return picture.webp({ lossless: true, effort: 1 }).toBuffer()
}

/** A picture as a data: address. */
async function addressOf(logo: Pixels): Promise<string> {
  const file = await pixelsPng(logo, { deflate: deflateSync })
  return `data:image/png;base64,${Buffer.from(file).toString('base64')}`
}

const quickly: Deflate = (bytes) => deflateSync(bytes, { level: 3 })

/**
 * Round edges are hard to compress: level 6 takes four times as long as level 3 and saves a fifth of
 * the bytes. Straight edges cost next to nothing at either level.
 */
function deflateFor(style: Style): Deflate {
  return style === 'rounded' ? quickly : (bytes) => deflateSync(bytes, { level: 6 })
}

function forPrint(picture: Picture) {
  const { printSize } = picture
  if (printSize === undefined) throw new TypeError('A picture for a press needs a size in print')
  return { ...picture, printSize, deflate: deflateSync }
}

/** Pictures in different formats, and the name of their files without its extension. */
export type Archive = { pictures: Picture[]; stem: string }

/** The earliest date that a ZIP can have, in local time as ZIP has it: the same files give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)

/** The pictures in one ZIP, in their order. Only SVG is compressed here. @throws as drawPicture does */
export async function drawArchive({ pictures, stem }: Archive) {
  const entries: Zippable = {}
  for (const picture of pictures) {
    const { bytes } = await drawPicture(picture)
    const level = picture.format === 'svg' ? 9 : 0
    entries[`${stem}.${picture.format}`] = [bytes, { level, mtime: ZIP_TIME }]
  }
  return { bytes: Buffer.from(zipSync(entries)) }
}
