import type { Pixels } from '#qr/formats/pixels.ts'
import { troubleIn } from '#qr/photo/photo-trouble.ts'
import { loadZXing, textsIn } from '../../drawing/decoders.ts'
import { type Part, type PhotoResult, refusalOf, scaled, tries } from './photo-sizes.ts'

/* Reads photos of printed codes. They never leave the browser. */

let work = Promise.resolve()

addEventListener('message', ({ data, ports: [answer] }: MessageEvent<Blob>) => {
  const failed: PhotoResult = { kind: 'refused', why: 'failed' }
  work = work.then(async () => answer?.postMessage(await resultOf(data).catch(() => failed)))
})

async function resultOf(file: Blob): Promise<PhotoResult> {
  const refused = refusalOf(file)
  if (refused) return { kind: 'refused', why: refused }
  const photo = await createImageBitmap(file).catch(() => null)
  if (!photo) {
    const start = new Uint8Array(await file.slice(0, 16).arrayBuffer())
    return { kind: 'refused', why: refusalOf(file, start) ?? 'broken' }
  }
  try {
    await loadZXing()
    const preview = await previewOf(photo)
    const texts = await readIn(photo)
    if (texts.length > 0) return { kind: 'read', texts, preview }
    return { kind: 'unread', trouble: troubleIn(pixelsOf(photo, MEASURED)), preview }
  } finally {
    photo.close()
  }
}

async function readIn(photo: ImageBitmap): Promise<string[]> {
  for (const part of tries) {
    const texts = await textsIn(pixelsOf(photo, part))
    if (texts.length > 0) return texts
  }
  return []
}

/** The size at which `troubleIn` measures. */
const MEASURED: Part = { share: 1, longest: 800 }
const PREVIEW: Part = { share: 1, longest: 640 }

function pixelsOf(photo: ImageBitmap, part: Part): Pixels {
  const { width, height } = scaled(photo, part)
  const { data } = drawn(photo, part).getImageData(0, 0, width, height)
  return { width, height, data }
}

async function previewOf(photo: ImageBitmap): Promise<Blob> {
  return drawn(photo, PREVIEW).canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
}

/** The middle of a photo, a share of its edges, and no larger than asked. */
function drawn(photo: ImageBitmap, part: Part): OffscreenCanvasRenderingContext2D {
  const { left, top, right, bottom, width, height } = scaled(photo, part)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser draws nothing in a worker')
  context.imageSmoothingQuality = 'high'
  // Transparent parts of a picture count as paper.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.drawImage(photo, left, top, right - left, bottom - top, 0, 0, width, height)
  return context
}
