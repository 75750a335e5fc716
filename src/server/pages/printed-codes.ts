import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { type Appearance, DEFAULT_LOOK } from '#qr/symbol/look.ts'

/*
 * Pictures of printed things for the landing page. Their codes are real: each leads to the start page
 * of this very server, so they are drawn when its address is known.
 */

/** Where the code stands on the thing, in units of the picture: its corner and its edge. */
type Place = { x: number; y: number; edge: number }

/** Edge of a drawn symbol; it is scaled to its place. */
const DRAWN = 100

function code(link: string, look: Appearance, { x, y, edge }: Place): string {
  const drawn = svg(encode(link, DEFAULT_LOOK), { ...look, size: DRAWN })
  return drawn.replace(
    `width="${DRAWN}" height="${DRAWN}"`,
    `x="${x}" y="${y}" width="${edge}" height="${edge}"`,
  )
}

/** Fonts that stand in for each other: nothing is loaded for a picture. */
const SERIF = 'font-family="Georgia,\'Times New Roman\',serif"'
const SANS = 'font-family="system-ui,-apple-system,\'Segoe UI\',sans-serif"'

const text = (x: number, y: number, size: number, words: string, more = '') =>
  `<text x="${x}" y="${y}" font-size="${size}" ${more}>${words}</text>`

const bar = (x: number, y: number, width: number, height = 5) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}"/>`

const picture = (parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="300" viewBox="0 0 360 300">${parts.join('')}</svg>\n`

/** A folded card on a café's table. */
function menu(link: string): string {
  const look: Appearance = { style: 'classic', foreground: '#2a2520', background: '#ffffff' }
  const dish = (y: number, width: number) => bar(74, y, width) + bar(158, y, 16)
  return picture([
    '<path fill="#d9c7ad" d="M0 0h360v300H0z"/>',
    '<path fill="#c9b596" d="M0 252h360v48H0z"/>',
    '<path fill="#000" opacity=".16" d="M38 262h292l18 14H22z"/>',
    '<path fill="#fffdf8" d="M50 34h260l14 230H36z"/>',
    '<path fill="#f1ebdf" d="M50 34h260l1.6 26H48.4z"/>',
    `<g fill="#2a2520" ${SERIF}>`,
    text(180, 54, 17, 'MENU', 'text-anchor="middle" letter-spacing="5"'),
    text(72, 92, 15, 'Lunch'),
    text(72, 180, 15, 'Dessert'),
    '</g>',
    `<g fill="#b9ae9d">${dish(104, 70)}${dish(118, 58)}${dish(132, 74)}${dish(146, 50)}</g>`,
    `<g fill="#b9ae9d">${dish(192, 64)}${dish(206, 72)}${dish(220, 46)}</g>`,
    code(link, look, { x: 188, y: 78, edge: 124 }),
    text(250, 220, 13, 'Today’s dishes', `text-anchor="middle" fill="#2a2520" ${SANS}`),
    text(250, 236, 11, 'Scan for what is fresh', `text-anchor="middle" fill="#665d51" ${SANS}`),
  ])
}

/** A poster on a wall of bricks. */
function poster(link: string): string {
  const look: Appearance = { style: 'rounded', foreground: '#0b3b33', background: '#f6efe2' }
  const brick = (y: number, shift: number) =>
    [0, 1, 2, 3, 4, 5]
      .map((at) => `<rect x="${at * 76 - shift}" y="${y}" width="72" height="26" rx="2"/>`)
      .join('')
  const rows = Array.from({ length: 10 }, (_, row) => brick(row * 30 + 2, row % 2 ? 38 : 0))
  return picture([
    '<path fill="#8d5a45" d="M0 0h360v300H0z"/>',
    `<g fill="#a56a51">${rows.join('')}</g>`,
    '<path fill="#000" opacity=".2" d="M88 20h196v272H88z"/>',
    '<path fill="#0b6655" d="M82 14h196v272H82z"/>',
    '<circle cx="180" cy="64" r="34" fill="#e9b872"/>',
    '<path fill="#0b3b33" d="M82 110c40-44 70-34 98-16s62 18 98-18v38H82z"/>',
    `<g fill="#f6efe2" text-anchor="middle" ${SERIF}>`,
    text(180, 137, 20, 'Summer Nights'),
    text(180, 154, 11, 'Open-air concerts', SANS),
    '</g>',
    code(link, look, { x: 122, y: 163, edge: 116 }),
  ])
}

/** A bag of coffee. */
function packaging(link: string): string {
  const look: Appearance = { style: 'rounded', foreground: '#4a2a18', background: '#fdf6ec' }
  return picture([
    '<path fill="#e4e7e2" d="M0 0h360v300H0z"/>',
    '<path fill="#d3d8d1" d="M0 258h360v42H0z"/>',
    '<ellipse cx="180" cy="276" rx="116" ry="13" fill="#000" opacity=".15"/>',
    '<path fill="#b98a63" d="M92 30h176l10 246q-98 10-196 0z"/>',
    '<path fill="#a67850" d="M92 30h176l1 22H91z"/>',
    '<path fill="#000" opacity=".07" d="M92 30h14l-8 247-16-1zM268 30h-14l8 247 16-1z"/>',
    '<path fill="none" stroke="#8a6040" stroke-width="2" stroke-dasharray="5 4" d="M92 46h177"/>',
    '<rect x="112" y="66" width="136" height="196" rx="6" fill="#fdf6ec"/>',
    `<g fill="#4a2a18" text-anchor="middle" ${SERIF}>`,
    text(180, 92, 19, 'House Blend'),
    text(180, 109, 11, 'Brew guide inside', SANS),
    '</g>',
    code(link, look, { x: 120, y: 116, edge: 120 }),
    text(180, 252, 11, 'Scan, then brew', `text-anchor="middle" fill="#7a5236" ${SANS}`),
  ])
}

export const printedThings = { menu, poster, packaging }
export type PrintedThing = keyof typeof printedThings
