import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Left to itself the package fetches its decoder from a public network.
const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } })

/**
 * The text of the one QR code in a PNG or JPEG, or null if none can be read. Light codes on dark
 * are read too unless `inverted` is false: not every scanner in the field reads those.
 */
export async function decodePicture(
  bytes: Uint8Array,
  { inverted = true }: { inverted?: boolean } = {},
): Promise<string | null> {
  const found = await readBarcodes(bytes, { formats: ['QRCode'], tryInvert: inverted })
  return found.length === 1 && found[0]?.isValid ? found[0].text : null
}
