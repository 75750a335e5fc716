import jsQR from 'jsqr'
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import zxingFile from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { Pixels } from '#qr/formats/pixels.ts'
import type { Decoders } from '#qr/scan-check/legibility.ts'

/* The two decoders in a worker of the browser: what they read stays there. */

let zxingLoading: Promise<unknown> | undefined

export function loadZXing(): Promise<unknown> {
  // Without `locateFile` the package fetches its decoder from a public network.
  zxingLoading ??= prepareZXingModule({
    overrides: { locateFile: () => zxingFile },
    fireImmediately: true,
  })
  return zxingLoading
}

const QR_CODES = { formats: ['QRCode'], textMode: 'Plain' } satisfies ReaderOptions

const imageOf = (picture: Pixels) => ({ ...picture, colorSpace: 'srgb' as const })

/** With the server's settings. */
export const zxing: Decoders['zxing'] = async (picture, { tryInvert }) => {
  const image = picture instanceof Uint8Array ? picture : imageOf(picture)
  const found = await readBarcodes(image, { ...QR_CODES, tryInvert })
  return found.length === 1 && found[0]?.isValid ? found[0].text : null
}

/** With the server's settings. */
export const jsqr: Decoders['jsqr'] = async ({ data, width, height }) =>
  jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null

/** More codes than the photo of a print has. */
const CODES_MAX = 16

/** The texts of all codes in a photo, in any orientation. */
export async function textsIn(photo: Pixels): Promise<string[]> {
  const found = await readBarcodes(imageOf(photo), {
    ...QR_CODES,
    tryHarder: true,
    tryRotate: true,
    tryInvert: true,
    tryDownscale: true,
    maxNumberOfSymbols: CODES_MAX,
  })
  const texts = found.filter(({ isValid }) => isValid).map(({ text }) => text)
  if (texts.length > 0) return [...new Set(texts)]
  const other = jsQR(photo.data, photo.width, photo.height, { inversionAttempts: 'attemptBoth' })
  return other?.data ? [other.data] : []
}
