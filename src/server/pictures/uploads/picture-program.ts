import { setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'

/*
 * The program of the process that reads strangers' pictures. It has no environment, no database and
 * no secret, and the server kills it when it takes too long.
 */

const NICE = 10
/** A portrait's edge in pixels */
const PORTRAIT = 256
const QUALITY = 85
/** Longer edge in pixels that a logo is kept with: in print, 300 dots an inch on 43 mm */
const LOGO = 512
/** Pixels an inch at which an SVG has the size that it names */
const SVG_DPI = 72

const MEMORY_MAX = 256 * 1024 * 1024
const MEMORY_CHECK_MS = 20

/** How a picture is read: cut to a square, or whole and with what is transparent. */
export type PictureUse = 'portrait' | 'logo'
export type PictureTask = { use: PictureUse; bytes: Uint8Array; maxPixels: number }

/** Red, green, blue, alpha of each pixel; `reach` as LogoPicture has it. */
export type ReadLogo = { width: number; height: number; reach: number; data: Uint8Array }

export type PictureReply =
  | { portrait: Uint8Array }
  | { logo: ReadLogo }
  | { refused: 'unreadable' | 'too-many-pixels'; why: string }

// Only what our formats need can be called at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    ...['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
    'VipsForeignLoadSvgBuffer',
  ],
})
setPriority(NICE)
sharp.concurrency(1)
sharp.cache(false)
// The decoders work beside this thread: one that takes too much memory ends here.
setInterval(() => process.memoryUsage.rss() > MEMORY_MAX && process.exit(1), MEMORY_CHECK_MS)

async function read({ use, bytes, maxPixels }: PictureTask): Promise<PictureReply> {
  try {
    // Before anything is decoded: a picture of a few kilobytes can unfold to gigabytes.
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const isVector = format === 'svg'
    if (!isVector && width * height > maxPixels) {
      return { refused: 'too-many-pixels', why: `${width} × ${height}` }
    }
    // An SVG is drawn in the size in which it is kept, however large it says it is.
    const density = isVector ? Math.max(1, (SVG_DPI * LOGO) / Math.max(width, height)) : undefined
    const options = { limitInputPixels: maxPixels, failOn: 'error' as const }
    // The first frame, upright, in sRGB; what else the file carries is left behind.
    const picture = sharp(bytes, density ? { ...options, density } : options).autoOrient()
    return use === 'portrait'
      ? { portrait: await portraitOf(picture) }
      : { logo: await logoOf(picture) }
  } catch (error) {
    return { refused: 'unreadable', why: String(error) }
  }
}

const portraitOf = (picture: Sharp) =>
  picture.resize(PORTRAIT, PORTRAIT, { fit: 'cover' }).webp({ quality: QUALITY }).toBuffer()

async function logoOf(picture: Sharp): Promise<ReadLogo> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(LOGO, LOGO, { fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { width, height, data, reach: reachOf(data, width, height) }
}

/** Alpha below this is not seen. */
const VISIBLE = 16

/** How far from its middle the picture is visible, in halves of its longer edge. */
function reachOf(data: Uint8Array, width: number, height: number): number {
  let farthest = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[4 * (y * width + x) + 3] as number) < VISIBLE) continue
      const across = Math.abs(x + 0.5 - width / 2) + 0.5
      const down = Math.abs(y + 0.5 - height / 2) + 0.5
      farthest = Math.max(farthest, across * across + down * down)
    }
  }
  return Math.sqrt(farthest) / (Math.max(width, height) / 2)
}

process.on('message', async (task: PictureTask) => process.send?.(await read(task)))
// The server is gone.
process.on('disconnect', () => process.exit())
process.send?.('ready')
