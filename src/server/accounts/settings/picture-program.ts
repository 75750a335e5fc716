import { setPriority } from 'node:os'
import sharp from 'sharp'

/*
 * The program of the process that reads strangers' pictures. It has no environment, no database and
 * no secret, and the server kills it when it takes too long.
 */

const SIZE = 256
const QUALITY = 85

const NICE = 10

export type PictureTask = { bytes: Uint8Array; maxPixels: number }

export type PictureReply =
  | { picture: Uint8Array }
  | { refused: 'unreadable' | 'too-many-pixels'; why: string }

// Only what our three formats need can be called at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
setPriority(NICE)
sharp.concurrency(1)
sharp.cache(false)

async function draw({ bytes, maxPixels }: PictureTask): Promise<PictureReply> {
  try {
    // Before anything is decoded: a picture of a few kilobytes can unfold to gigabytes.
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > maxPixels) {
      return { refused: 'too-many-pixels', why: `${width} × ${height}` }
    }
    // The first frame, upright, in sRGB; what else the file carries is left behind.
    const picture = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize(SIZE, SIZE, { fit: 'cover' })
      .webp({ quality: QUALITY })
      .toBuffer()
    return { picture }
  } catch (error) {
    return { refused: 'unreadable', why: String(error) }
  }
}

process.on('message', async (task: PictureTask) => process.send?.(await draw(task)))
// The server is gone.
process.on('disconnect', () => process.exit())
process.send?.('ready')
