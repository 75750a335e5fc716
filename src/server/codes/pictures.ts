import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import type { ImageFormat, Style } from '#contract/codes.ts'
import { normalColour } from '#qr/colour.ts'
import { encode } from '#qr/encode.ts'
import { png } from '#qr/png.ts'
import { raster } from '#qr/raster.ts'
import { svg } from '#qr/svg.ts'

/** What a picture shows and how; all of it decides the bytes. */
export interface Picture {
  /** What the code says: a short link */
  readonly text: string
  readonly format: ImageFormat
  readonly style: Style
  /** #rgb or #rrggbb */
  readonly foreground: string
  /** #rgb or #rrggbb */
  readonly background: string
  /** Edge in pixels */
  readonly size: number
}

/** Raise it with every change of the engine, of sharp or of a setting below that changes any byte. */
const ENGINE_VERSION = 1

/** At 98 without chroma subsampling no pixel is off by more than 12 of 255: no halo round a module. */
const JPEG = { quality: 98, chromaSubsampling: '4:4:4' } as const

const contentTypes = {
  png: 'image/png',
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
} as const satisfies Record<ImageFormat, string>

/** In the thread pool: a redirect never waits for somebody's 4,096 pixels. */
const deflated = promisify<Uint8Array, Buffer>(deflate)

/**
 * The same options give the same bytes.
 *
 * @throws NotAColour, TextTooLong, PictureTooSmall as the engine does
 */
export async function drawPicture(picture: Picture) {
  return { bytes: await draw(picture), contentType: contentTypes[picture.format] }
}

async function draw(picture: Picture): Promise<Buffer> {
  const matrix = encode(picture.text)
  if (picture.format === 'svg') return Buffer.from(svg(matrix, picture))
  const bytes = await png(raster(matrix, picture), { ...picture, deflate: deflated })
  return picture.format === 'png' ? Buffer.from(bytes) : jpeg(bytes)
}

/**
 * Encoded from our PNG: the outcome is that of raw pixels, which at 4,096 would take 50 MB.
 * sharp holds tens of megabytes itself, so it is loaded when the first JPEG is asked for.
 */
async function jpeg(bytes: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes).jpeg(JPEG).toBuffer()
}

/** A strong entity tag (RFC 9110 §8.8.3), quotes included, known without drawing. */
export function pictureETag({ text, format, style, foreground, background, size }: Picture) {
  const colours = [normalColour(foreground), normalColour(background)]
  const decisive = JSON.stringify([ENGINE_VERSION, text, format, style, ...colours, size])
  return `"${createHash('sha256').update(decisive).digest('base64url')}"`
}

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The least date a ZIP can carry, in local time as ZIP has it: the same files give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)

/** Exactly these files, in this order. SVG is compressed; PNG and JPEG are already. */
export function zipOfPictures(files: readonly ZipEntry[]): Buffer {
  const entries: Zippable = {}
  for (const { name, bytes } of files) {
    if (Object.hasOwn(entries, name)) throw new Error(`Two files of one ZIP are named ${name}`)
    entries[name] = [bytes, { level: name.endsWith('.svg') ? 9 : 0, mtime: ZIP_TIME }]
  }
  return Buffer.from(zipSync(entries))
}

const STEM_MAX = 100
/** File systems count bytes: 255 a name, and ' (1).png' must still fit. */
const STEM_MAX_BYTES = 240
const NAMELESS = 'qr-code'

/** Controls, half surrogates, private characters, and what has no width or turns the reading order. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const RESERVED = /[<>:"/\\|?*]/g
/** Windows reads these as devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i

/**
 * A code's name as a file name without extension that Windows, macOS and Linux take: at most 100
 * UTF-16 units and 240 bytes, never empty, hidden, a device or a path.
 */
export function safeFileStem(name: string): string {
  const visible = name.normalize('NFC').replace(INVISIBLE, '').replace(RESERVED, ' ')
  const stem = trimmed(visible.replace(/\s+/g, ' '))
  return trimmed(bounded(DEVICE.test(stem) ? `${NAMELESS} ${stem}` : stem)) || NAMELESS
}

function trimmed(stem: string): string {
  return stem.replace(/^[.\s]+|[.\s]+$/g, '')
}

/** Whole characters from the start, as many as both bounds allow. */
function bounded(stem: string): string {
  let kept = ''
  for (const character of stem) {
    const longer = kept + character
    if (longer.length > STEM_MAX || Buffer.byteLength(longer) > STEM_MAX_BYTES) break
    kept = longer
  }
  return kept
}

/**
 * Content-Disposition of a download (RFC 6266): a plain name for old clients, and the full one as
 * `filename*` (RFC 8187) where they differ. Safe in a header whatever the name holds.
 */
export function attachment(fileName: string): string {
  const full = fileName.toWellFormed().replace(/\p{Cc}/gu, '')
  // A percent sign is left out of the plain name: some clients decode it there (RFC 6266 annex D).
  const plain = full
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const header = `attachment; filename="${plain}"`
  return plain === full ? header : `${header}; filename*=UTF-8''${extendedValue(full)}`
}

/** RFC 8187 §3.2.1: everything but attr-char is percent-encoded. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
