import { stone, verdigris } from '../../src/client/ui/theme/palette.ts'
import { Dice } from '../../src/server/demo/dice.ts'

/** Tiles and gaps in the proportions of the mark (4.8 to 0.8), in the picture's own units. */
const TILE = 18
const PITCH = 21
const COLUMNS = 56
const ROWS = 44

/** Mostly stone, some copper, a little of what copper becomes. */
const tones: [tone: string, weight: number][] = [
  [stone[2] as string, 16],
  [stone[3] as string, 30],
  [stone[4] as string, 26],
  [stone[5] as string, 10],
  ['#c39a76', 7],
  ['#b0622f', 3],
  [verdigris[6] as string, 4],
  [verdigris[8] as string, 4],
]

/** A floor of tiles, whole in the middle and broken towards its edges: one path a tone. */
export function mosaicFloor(seed: string): string {
  const dice = new Dice(seed)
  const paths = new Map(tones.map(([tone]) => [tone, '']))
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const tone = dice.pick(tones)
      if (!dice.chance(wholeness(column, row))) continue
      paths.set(tone, `${paths.get(tone)}M${column * PITCH + 1} ${row * PITCH + 1}h16v16h-16z`)
    }
  }
  const [width, height] = [COLUMNS * PITCH, ROWS * PITCH]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>Mosaic</title>`,
    `<g stroke-width="${TILE - 16}" stroke-linejoin="round">`,
    ...[...paths].map(([tone, data]) => `<path fill="${tone}" stroke="${tone}" d="${data}"/>`),
    '</g></svg>\n',
  ].join('')
}

/** How likely a tile is still there: 1 within an ellipse, 0 at the picture's edge. */
function wholeness(column: number, row: number): number {
  const x = (2 * (column + 0.5)) / COLUMNS - 1
  const y = (2 * (row + 0.5)) / ROWS - 1
  const distance = Math.hypot(x, y)
  return Math.min(1, Math.max(0, (1 - distance) / 0.45)) ** 1.4
}
