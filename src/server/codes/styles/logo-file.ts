import { deflateSync } from 'node:zlib'
import type { LogoPicture } from '#qr/artwork/artwork.ts'
import { pixelsPng } from '#qr/formats/pixels-png.ts'

/** A logo's PNG: its pixels, and nothing else of the file that was sent. */
export const logoFile = (picture: LogoPicture): Promise<Uint8Array> =>
  pixelsPng(picture, { deflate: (bytes) => deflateSync(bytes, { level: 3 }) })
