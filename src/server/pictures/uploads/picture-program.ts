import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { faultOfSvg, isSvgStart, loadableSvg } from './svg-faults.ts'

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

const MIB = 1024 * 1024
/** The most that a look at the process's memory may find: less than 256, because it grows between two looks. */
const MEMORY_MAX = 232 * MIB
const MEMORY_CHECK_MS = 1
/** The most that is allocated for a picture; the process itself takes some 80 more. */
const PICTURE_MEMORY_MAX = 155 * MIB

const PRLIMIT = '/usr/bin/prlimit'

/** How a picture is read: cut to a square, or whole and with what is transparent. */
export type PictureUse = 'portrait' | 'logo'
export type PictureTask = { use: PictureUse; bytes: Uint8Array; maxPixels: number }

/** Red, green, blue, alpha of each pixel; `reach` as LogoPicture has it. */
export type ReadLogo = { width: number; height: number; reach: number; data: Uint8Array }

export type PictureReply =
  | { portrait: Uint8Array }
  | { logo: ReadLogo }
  | { refused: RefusalReason; why: string }

export type RefusalReason =
  | 'unreadable'
  | 'too-many-pixels'
  | 'too-complex'
  | 'nothing-visible'
  | Exclude<ReturnType<typeof faultOfSvg>, null>

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
limitMemory()

/**
 * Linux itself refuses what a decoder allocates beyond its limit (setrlimit(2), RLIMIT_DATA). Elsewhere, or
 * without the program that sets it, the look at the memory each millisecond is all there is.
 */
function limitMemory() {
  if (process.platform !== 'linux' || !existsSync(PRLIMIT)) return
  const taken = Number(/^VmData:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  const data = taken * 1024 + PICTURE_MEMORY_MAX
  spawnSync(PRLIMIT, ['--pid', String(process.pid), `--data=${data}`])
}

async function read(task: PictureTask): Promise<PictureReply> {
  const { maxPixels } = task
  try {
    const isSvg = isSvgStart(task.bytes)
    const bytes = isSvg ? loadableSvg(task.bytes) : task.bytes
    const fault = isSvg ? faultOfSvg(bytes) : null
    if (fault) return { refused: fault, why: 'as its text says' }
    // Before anything is decoded: a picture of a few kilobytes can unfold to gigabytes.
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (format === 'svg') return await drawn({ ...task, bytes }, { width, height })
    if (width * height <= maxPixels) return await drawn(task)
    return { refused: 'too-many-pixels', why: `${width} × ${height}` }
  } catch (error) {
    return { refused: 'unreadable', why: String(error) }
  }
}

/** @param vector the size that an SVG says it has */
async function drawn(task: PictureTask, vector?: { width: number; height: number }) {
  const { use, bytes, maxPixels } = task
  // An SVG is drawn in the size in which it is kept, however large it says it is.
  const density = vector && Math.max(1, (SVG_DPI * LOGO) / Math.max(vector.width, vector.height))
  const options = { limitInputPixels: maxPixels, failOn: 'error' as const }
  // The first frame, upright, in sRGB; what else the file carries is left behind.
  const picture = sharp(bytes, density ? { ...options, density } : options).autoOrient()
  if (use === 'portrait') return { portrait: await portraitOf(picture) }
  try {
    const logo = await logoOf(picture)
    return logo.reach > 0 ? { logo } : ({ refused: 'nothing-visible', why: 'no pixel is' } as const)
  } catch (error) {
    if (!vector) throw error
    return { refused: 'too-complex', why: String(error) } as const
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

/** The decoders work beside this thread: with one that takes too much memory, the process ends here. */
const lookAtMemory = () => process.memoryUsage.rss() > MEMORY_MAX && process.exit(1)

process.on('message', async (task: PictureTask) => {
  const looking = setInterval(lookAtMemory, MEMORY_CHECK_MS)
  const reply = await read(task)
  clearInterval(looking)
  process.send?.(reply)
})
// The server is gone.
process.on('disconnect', () => process.exit())
process.send?.('ready')
