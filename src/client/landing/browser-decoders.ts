import jsQR from 'jsqr'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import zxingFile from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { Decoders } from '#qr/scan-check/legibility.ts'

let loaded: Promise<unknown> | undefined

/** The two decoders of the scan check, set as the server sets them. */
export async function loadDecoders(): Promise<Decoders> {
  // Left to itself the package fetches its decoder from a public network.
  loaded ??= prepareZXingModule({
    overrides: { locateFile: () => zxingFile },
    fireImmediately: true,
  })
  await loaded
  return { zxing, jsqr }
}

const zxing: Decoders['zxing'] = async (picture, { tryInvert }) => {
  const options = { formats: ['QRCode' as const], textMode: 'Plain' as const, tryInvert }
  const image =
    picture instanceof Uint8Array ? picture : { ...picture, colorSpace: 'srgb' as const }
  const found = await readBarcodes(image, options)
  return found.length === 1 && found[0]?.isValid ? found[0].text : null
}

const jsqr: Decoders['jsqr'] = async ({ data, width, height }) =>
  jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
