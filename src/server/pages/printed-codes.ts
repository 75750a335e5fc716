import { readFileSync } from 'node:fs'
import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { type Appearance, DEFAULT_LOOK } from '#qr/symbol/look.ts'

/*
 * Pictures of printed things for the landing page. Their codes are real: each leads to the start page
 * of this very server, so they are drawn when its address is known.
 */

const looks = {
  menu: { style: 'classic', foreground: '#2a2520', background: '#ffffff' },
  poster: { style: 'rounded', foreground: '#0b3b33', background: '#f6efe2' },
  packaging: { style: 'rounded', foreground: '#4a2a18', background: '#fdf6ec' },
} as const satisfies Record<string, Appearance>

export type PrintedThing = keyof typeof looks
export const printedThings = Object.keys(looks) as PrintedThing[]

/** Edge of a drawn symbol; it is scaled to its place. */
const DRAWN = 100

/** A picture of the folder `printed`, with a code that leads to `link` in its empty `svg`. */
export function printedThing(thing: PrintedThing, link: string): string {
  const picture = readFileSync(new URL(`./printed/${thing}.svg`, import.meta.url), 'utf8')
  const code = svg(encode(link, DEFAULT_LOOK), { ...looks[thing], size: DRAWN })
  return picture.replace(/<svg data-code (.*)\/>/, (_, place) =>
    code.replace(`width="${DRAWN}" height="${DRAWN}"`, place),
  )
}
