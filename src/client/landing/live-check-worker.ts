import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import { jpeg } from '#qr/formats/jpeg.ts'
import { png } from '#qr/formats/png.ts'
import { raster } from '#qr/formats/raster.ts'
import { checkLegibility, type ScanTools } from '#qr/scan-check/legibility.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'
import { jsqr, loadZXing, zxing } from '../drawing/decoders.ts'
import type { CheckReply, CheckRequest } from './live-check.tsx'

/* The server's scan check in a worker of the visitor's browser: what they type stays there. */

/** The last question. The page waits for no earlier answers. */
let latest = 0
let work = Promise.resolve()

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  latest = data.id
  work = work.then(() => (data.id === latest ? answer(data) : undefined))
})

async function answer({ id, code }: CheckRequest): Promise<void> {
  const reply: CheckReply = { id, legibility: await check(code).catch(() => null) }
  postMessage(reply)
}

async function check(code: Design) {
  await loadZXing()
  return checkLegibility(code, { zxing, jsqr, deliver: delivering(code) })
}

/** The files of a download, except that they may be compressed less. */
function delivering(code: Design): ScanTools['deliver'] {
  const picture = raster(encode(code.text, code), { ...code, size: IMAGE_SIZE.default })
  return async (format) =>
    format === 'jpg' ? jpeg(picture, code) : png(picture, { ...code, deflate })
}

/** `deflate` here is the zlib format (Compression Standard §4). */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
