import { DEFAULT_ECC } from '#contract/code-values.ts'
import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { FIRST_LOOK, type LiveLook } from './live-look.ts'
import { EXAMPLE_LINK } from './typed-link.ts'

/** Edge in pixels that the picture says it has; it is shown as large as there is room. */
const DRAWN_SIZE = 512

/** The picture of a link as the address of an image, drawn with the engine of every other picture. */
export function drawLink(link: string, { style, colours }: LiveLook): string {
  const { foreground, background } = colours
  const matrix = encode(link, { ecc: DEFAULT_ECC })
  const drawn = svg(matrix, { style, foreground, background, size: DRAWN_SIZE })
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}

/** What the page shows before anybody has typed. */
export function drawExample(): string {
  return drawLink(EXAMPLE_LINK, FIRST_LOOK)
}
