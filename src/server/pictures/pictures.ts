import { deflateSync } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import type { PictureFormat } from '#contract/pictures.ts'
import { scenePdf } from '#qr/artwork/artwork-pdf.ts'
import { sceneSvg } from '#qr/artwork/artwork-svg.ts'
import { compose } from '#qr/artwork/composition.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import type { Deflate } from '#qr/formats/bytes.ts'
import { jpeg, pixelsJpeg } from '#qr/formats/jpeg.ts'
import { pdf } from '#qr/formats/pdf.ts'
import type { Pixels } from '#qr/formats/pixels.ts'
import { pixelsPng } from '#qr/formats/pixels-png.ts'
import { png } from '#qr/formats/png.ts'
import { raster } from '#qr/formats/raster.ts'
import { svg } from '#qr/formats/svg.ts'
import { loadLetters } from '#qr/lettering/text-figures.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design, Style } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'

/** A design in one format and size: all that decides the bytes of a file. */
export interface Picture extends Design {
  readonly format: PictureFormat
  /** Edge in pixels; a PDF has none */
  readonly size: number
  /** Edge in print in millimetres; a PDF needs one */
  readonly printSize?: number | undefined
}

const contentTypes = {
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
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
      return pdf(matrix, forPrint(picture))
    case 'jpg':
      return jpeg(raster(matrix, picture), picture)
    case 'png':
      return png(raster(matrix, picture), { ...picture, deflate: deflateFor(picture.style) })
  }
}

async function drawArtwork(matrix: Matrix, picture: Picture): Promise<Uint8Array> {
  const { size, printSize, logo, background, artwork } = picture
  if (artwork?.frame) await loadLetters()
  const scene = sceneOf(matrix, picture)
  switch (picture.format) {
    case 'svg':
      return Buffer.from(
        sceneSvg(scene, { size, printSize, logo: logo && (await addressOf(logo)) }),
      )
    case 'pdf':
      return scenePdf(scene, { ...forPrint(picture), logo })
    case 'jpg':
      return pixelsJpeg(compose(scene, size, logo), { background, printSize })
    case 'png':
      return pixelsPng(compose(scene, size, logo), { deflate: quickly, printSize })
  }
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
  if (printSize === undefined) throw new TypeError('A PDF needs a size in print')
  return { ...picture, printSize, deflate: deflateSync }
}

/** Pictures in different formats, and the name of their files without its extension. */
export type Archive = { pictures: Picture[]; stem: string }

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The earliest date that a ZIP can have, in local time as ZIP has it: the same files give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)

/** The pictures in one ZIP. @throws as drawPicture does */
export async function drawArchive({ pictures, stem }: Archive) {
  const files: ZipEntry[] = []
  for (const picture of pictures) {
    const { bytes } = await drawPicture(picture)
    files.push({ name: `${stem}.${picture.format}`, bytes })
  }
  return { bytes: zipOfPictures(files) }
}

/** Exactly these files, in this order. Only SVG is compressed here: PNG and JPEG already are. */
export function zipOfPictures(files: readonly ZipEntry[]): Buffer {
  const entries: Zippable = {}
  for (const { name, bytes } of files) {
    if (Object.hasOwn(entries, name)) throw new Error(`Two files of one ZIP are named ${name}`)
    entries[name] = [bytes, { level: name.endsWith('.svg') ? 9 : 0, mtime: ZIP_TIME }]
  }
  return Buffer.from(zipSync(entries))
}
