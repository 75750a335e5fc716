import styles from './tile-picture.module.css'
import { type TilePictureName, tilePictures } from './tile-pictures.ts'

/** As in the mark: tiles of 4.8, gaps of 0.8. */
const TILE = 4.8
const PITCH = 5.6

/** A small picture laid of tiles: `#` is a tile, `o` a round token, anything else is left out. */
export function TilePicture({ name }: { name: TilePictureName }) {
  const rows: readonly string[] = tilePictures[name]
  const width = (rows[0]?.length ?? 0) * PITCH - (PITCH - TILE)
  const height = rows.length * PITCH - (PITCH - TILE)
  const places = rows.flatMap((row, y) => [...row].map((kind, x) => ({ kind, x, y })))
  const data = (wanted: string, shape: (x: number, y: number) => string) =>
    places
      .filter(({ kind }) => kind === wanted)
      .map(({ x, y }) => shape(x * PITCH, y * PITCH))
      .join('')
  return (
    <svg className={styles.picture} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.tiles} d={data('#', square)} />
      <path className={styles.tokens} d={data('o', circle)} />
    </svg>
  )
}

const short = (value: number) => String(Math.round(10 * value) / 10)

/** Half a unit smaller on all sides, where its outline is drawn with round corners. */
const square = (x: number, y: number) => `M${short(x + 0.5)} ${short(y + 0.5)}h3.8v3.8h-3.8z`

const circle = (x: number, y: number) =>
  `M${short(x)} ${short(y + TILE / 2)}a2.4 2.4 0 0 1 4.8 0a2.4 2.4 0 0 1-4.8 0z`
