import { IMAGE_SIZE } from '#contract/pictures.ts'
import { jpeg } from '#qr/formats/jpeg.ts'
import { png } from '#qr/formats/png.ts'
import { raster } from '#qr/formats/raster.ts'
import { checkLegibility, type ScanTools } from '#qr/scan-check/legibility.ts'
import { encode } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'
import { loadDecoders } from './browser-decoders.ts'
import type { CheckReply, CheckRequest } from './live-check.ts'

/* The server's scan check in a thread of the visitor's own: what they type stays with them. */

/** The last question: those before it no longer matter to anybody. */
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
  return checkLegibility(code, { ...(await loadDecoders()), deliver: delivering(code) })
}

/** The files that a download would hold, but for how tightly they are packed. */
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
