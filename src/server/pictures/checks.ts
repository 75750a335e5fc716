import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { checkLegibility, type Decoders } from '#qr/scan-check/legibility.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import { drawPicture } from './pictures.ts'

/** A design, and the edge in pixels of the files that the decoders read as users download them. */
export type Check = { design: Design; size: number }

/** How well scanners read a design's pictures. @throws NotAColour, TextTooLong, PictureTooSmall */
export async function checkLook({ design, size }: Check): Promise<Legibility> {
  const deliver = async (format: 'png' | 'jpg') =>
    (await drawPicture({ ...design, format, size })).bytes
  return checkLegibility(design, { ...(await loadDecoders()), deliver })
}

let loaded: Promise<Decoders> | undefined

/** The two decoders of the scan check. The first check loads them, and they stay loaded. */
export function loadDecoders(): Promise<Decoders> {
  loaded ??= load().catch((error) => {
    // The next check tries again.
    loaded = undefined
    throw error
  })
  return loaded
}

async function load(): Promise<Decoders> {
  const [zxing, jsqr] = await Promise.all([loadZXing(), loadJsQR()])
  return { zxing, jsqr }
}

async function loadZXing(): Promise<Decoders['zxing']> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader')
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  // By default the package fetches its decoder from a public network.
  const wasmBinary = Uint8Array.from(await readFile(file)).buffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  return async (picture, { tryInvert }) => {
    const options = { formats: ['QRCode' as const], textMode: 'Plain' as const, tryInvert }
    const image =
      picture instanceof Uint8Array ? picture : { ...picture, colorSpace: 'srgb' as const }
    const found = await readBarcodes(image, options)
    return found.length === 1 && found[0]?.isValid ? found[0].text : null
  }
}

async function loadJsQR(): Promise<Decoders['jsqr']> {
  const { default: jsQR } = await import('jsqr')
  return async ({ data, width, height }) =>
    jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
}
