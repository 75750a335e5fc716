import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { EXAMPLE_LINK } from './typed-link.ts'

/** The picture's own edge in pixels; the page scales it to the room there is. */
const DRAWN_SIZE = 512

/** Draws a link with the engine of every other picture. Returns the address of an image. */
export function drawLink(link: string, look: Look): string {
  const drawn = svg(encode(link, look), { ...look, size: DRAWN_SIZE })
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}

/** The picture that the build puts into the page. */
export function drawExample(): string {
  return drawLink(EXAMPLE_LINK, DEFAULT_LOOK)
}
