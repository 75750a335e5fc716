import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { ENGINE_VERSION } from '../../../src/server/pictures/picture-versions.ts'
import { drawPicture, type Picture } from '../../../src/server/pictures/pictures.ts'

/** The pictures of the engine of this version, the same on each machine: see `essence`. */
const PINNED = {
  version: 3,
  png: 'cSJWcOoHXbLwMOY0',
  svg: 'Jt-NdK6WT4mt-uSB',
  jpg: 'DeqMRiXk69HbvITR',
  pdf: 'x6CHxQGaRdytR3NK',
  eps: 'UhHIKiEMPicnHmUp',
}

const WHAT_TO_DO =
  'The engine draws other bytes than it did. Browsers keep pictures for ever by their version: raise ENGINE_VERSION in src/server/pictures/picture-versions.ts, and pin the new version and digests here.'

const looks: Omit<Picture, 'format'>[] = (['classic', 'rounded'] as const).flatMap((style) => [
  {
    ...DEFAULT_LOOK,
    text: 'https://tessera.example/qr/k7m2xq9',
    style,
    foreground: '#000',
    background: '#fff',
    size: 256,
    printSize: 50,
  },
  {
    ...DEFAULT_LOOK,
    text: 'HTTPS://TESSERA.EXAMPLE/QR/A-LONGER-CUSTOM-PATH',
    ecc: 'H',
    style,
    foreground: '#1E40AF',
    background: '#f0f9ff',
    size: 399,
    printSize: 12.5,
  },
])

/** Deflate is left out: zlib compresses to other bytes on other processors. So is WebP, which sharp writes. */
const formats = ['png', 'svg', 'jpg', 'pdf', 'eps'] as const
type Ours = (typeof formats)[number]
const essence: Record<Ours, (bytes: Buffer) => (string | Buffer)[]> = {
  png: (bytes) => chunks(bytes).map(([type, data]) => (type === 'IDAT' ? inflateSync(data) : data)),
  svg: (bytes) => [bytes],
  jpg: (bytes) => [bytes],
  eps: (bytes) => [bytes],
  pdf: (bytes) => {
    const text = bytes.toString('latin1')
    const start = text.indexOf('stream\n') + 'stream\n'.length
    const end = text.indexOf('\nendstream')
    const head = text.slice(0, start).replace(/Length \d+/, '')
    return [head, inflateSync(bytes.subarray(start, end))]
  },
}

/** W3C PNG §5.3: length, type, data and checksum, after eight bytes of signature. */
function chunks(png: Buffer): [type: string, data: Buffer][] {
  const found: [string, Buffer][] = []
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    found.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)])
    at = end + 4
  }
  return found
}

async function digestOf(format: Ours): Promise<string> {
  const hash = createHash('sha256')
  for (const look of looks) {
    const { bytes } = await drawPicture({ ...look, format })
    for (const part of essence[format](Buffer.from(bytes))) hash.update(part)
  }
  return hash.digest('base64url').slice(0, 16)
}

test('a change of what the engine draws raises its version', async () => {
  const digests = await Promise.all(
    formats.map(async (format) => [format, await digestOf(format)] as const),
  )
  const drawn = { version: ENGINE_VERSION, ...Object.fromEntries(digests) }
  expect(drawn, WHAT_TO_DO).toEqual(PINNED)
})
