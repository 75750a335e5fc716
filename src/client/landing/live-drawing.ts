import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { DEFAULT_LOOK, type Look } from '#qr/symbol/look.ts'
import { EXAMPLE_LINK } from './typed-link.ts'

/** Edge in pixels that the picture says it has; it is shown as large as there is room. */
const DRAWN_SIZE = 512

/** The picture of a link as the address of an image, drawn with the engine of every other picture. */
export function drawLink(link: string, look: Look): string {
  const drawn = svg(encode(link, look), { ...look, size: DRAWN_SIZE })
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}

/** What the page shows before anybody has typed. */
export function drawExample(): string {
  return drawLink(EXAMPLE_LINK, DEFAULT_LOOK)
}
