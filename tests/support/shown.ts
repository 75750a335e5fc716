import { readBarcodes } from 'zxing-wasm/reader'
import { isForPress, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { drawPicture, type Picture } from '../../src/server/pictures/pictures.ts'
import './decode.ts'
import { epsPicture } from './eps-picture.ts'
import { pdfPage } from './pdf-page.ts'
import { asPng, type Pixels, pixelsOf } from './pixels.ts'

/** A small short link's picture; a test says what differs. */
export const somePicture: Picture = {
  ...DEFAULT_LOOK,
  text: 'https://tessera.example/qr/k7m2xq9',
  format: 'png',
  size: 256,
}

/** The file that is delivered; one for a press in the size it has unless another is asked for. */
async function delivered(picture: Picture): Promise<Uint8Array> {
  const usual = isForPress(picture.format) ? PRINT_SIZE.default : undefined
  const printSize = picture.printSize ?? usual
  return (await drawPicture({ ...picture, printSize })).bytes
}

/** Renders a delivered picture as people see it, in the pixels that it has or was asked to have. */
export async function shown(picture: Picture): Promise<Pixels> {
  const file = await delivered(picture)
  if (picture.format === 'pdf') return (await pdfPage(file, picture.size)).pixels
  return pixelsOf(picture.format === 'eps' ? await epsPicture(file, picture.size) : file)
}

/**
 * The text that zxing reads in a delivered picture: a PNG or JPEG as it is, an SVG or PDF rendered.
 * Null if it reads no code or more than one. `inverted` takes light codes on dark too.
 */
export async function scanned(picture: Picture, { inverted = false } = {}): Promise<string | null> {
  const isFlat = picture.format === 'png' || picture.format === 'jpg'
  const file = isFlat ? await delivered(picture) : await asPng(await shown(picture))
  // Plain: not with names in the place of control characters, as it would be for people to read.
  const found = await readBarcodes(file, {
    formats: ['QRCode'],
    tryInvert: inverted,
    textMode: 'Plain',
  })
  return found.length === 1 && found[0]?.isValid ? found[0].text : null
}
