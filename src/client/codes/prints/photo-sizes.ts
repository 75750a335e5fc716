import type { PrintTrouble } from '#qr/photo/troubles.ts'

/** Why a file cannot be read as a photo here. */
export type PhotoRefusal = 'too-large' | 'heic' | 'not-a-picture' | 'broken' | 'failed'

/** The result of reading a photo. `preview` is a small picture of it. */
export type PhotoResult =
  | { kind: 'read'; texts: string[]; preview: Blob }
  | { kind: 'unread'; trouble: PrintTrouble; preview: Blob }
  | { kind: 'refused'; why: PhotoRefusal }

/** A photo of 48 megapixels has about 25 MB. */
export const PHOTO_MAX_MB = 60

/** The middle of a photo: a share of its edges, scaled to at most `longest` pixels. */
export type Part = { share: number; longest: number }

/**
 * The parts that are read in turn: the whole photo, smaller ones with less noise and blur, and
 * last the middle by itself, for a small code in a large photo.
 */
export const tries: readonly Part[] = [
  { share: 1, longest: 2_000 },
  { share: 1, longest: 900 },
  { share: 1, longest: 450 },
  { share: 0.5, longest: 2_000 },
]

/** Which part of a photo is drawn, and how large. Nothing is enlarged. */
export function scaled({ width, height }: { width: number; height: number }, part: Part) {
  const [partWidth, partHeight] = [width * part.share, height * part.share]
  const scale = Math.min(1, part.longest / Math.max(partWidth, partHeight))
  const [left, top] = [(width - partWidth) / 2, (height - partHeight) / 2]
  return {
    left,
    top,
    right: left + partWidth,
    bottom: top + partHeight,
    width: Math.max(1, Math.round(partWidth * scale)),
    height: Math.max(1, Math.round(partHeight * scale)),
  }
}

/** Why a file is refused: by its size, or by its first bytes once the browser could not open it. */
export function refusalOf(
  { size }: Pick<Blob, 'size'>,
  start?: Uint8Array,
): PhotoRefusal | undefined {
  if (size > PHOTO_MAX_MB * 1024 ** 2) return 'too-large'
  if (!start) return undefined
  const text = String.fromCharCode(...start)
  if (/^.{4}ftyp(hei|hev|mif|msf)/s.test(text)) return 'heic'
  return PICTURES.some((mark) => mark.test(text)) ? 'broken' : 'not-a-picture'
}

/** The first bytes of files that browsers open: JPEG, PNG, GIF, WebP, AVIF, BMP. */
const PICTURES = [/^\xff\xd8/, /^\x89PNG/, /^GIF8/, /^RIFF.{4}WEBP/s, /^.{4}ftypavi/s, /^BM/]
