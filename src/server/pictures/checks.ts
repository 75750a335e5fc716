import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { compose } from '#qr/artwork/composition.ts'
import { sceneOf } from '#qr/artwork/scene.ts'
import type { Pixels } from '#qr/formats/pixels.ts'
import { checkLegibility, type Decoders, type ScanTools } from '#qr/scan-check/legibility.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'
import { drawPicture, flatFile } from './pictures.ts'

/** A design, and the edge in pixels of the files that the decoders read as users download them. */
export type Check = { design: Design; size: number }

/** How well scanners read a design's pictures. @throws NotAColour, TextTooLong, PictureTooSmall */
export async function checkLook({ design, size }: Check): Promise<Legibility> {
  return checkLegibility(design, { ...(await loadDecoders()), deliver: delivering(design, size) })
}

/** The files that users download. Both have the same pixels, which take a fifth of the check to draw. */
function delivering(design: Design, size: number): ScanTools['deliver'] {
  if (!design.artwork) {
    return async (format) => (await drawPicture({ ...design, format, size })).bytes
  }
  let pixels: Pixels | undefined
  return async (format) => {
    pixels ??= compose(sceneOf(encode(design.text, design), design), size, design.logo)
    return flatFile(format, pixels, design)
  }
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
