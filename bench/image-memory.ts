import { setTimeout as sleep } from 'node:timers/promises'
import { colourPresets, pictureFormats } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK, styles } from '#qr/symbol/look.ts'
import { DrawingPool } from '../src/server/pictures/drawing-pool.ts'
import type { Picture } from '../src/server/pictures/pictures.ts'

const WARM = 1_000
const ALL = 10_000
const AT_ONCE = 8
const MEGABYTE = 2 ** 20

/** Every picture is another: texts, looks, formats and sizes take turns. */
function picture(index: number): Picture {
  const { foreground, background } = colourPresets[index % colourPresets.length] ?? colourPresets[0]
  return {
    text: `https://tessera.example/qr/${index.toString(36).padStart(7, 'k')}`,
    ...DEFAULT_LOOK,
    style: styles[index % styles.length] ?? 'classic',
    foreground,
    background,
    format: pictureFormats[(index >> 1) % pictureFormats.length] ?? 'png',
    size: 64 + ((index * 37) % 1000),
    printSize: 50,
  }
}

/** Resident memory of this process, drawing threads included, after 1,000 and after 10,000 pictures. */
export async function memory(): Promise<void> {
  const pool = new DrawingPool()
  let next = 0
  const draw = async (until: number) => {
    while (next < until)
      await pool.run({ kind: 'picture', picture: picture(next++) }, { owner: 'bench' })
  }
  const drawAll = (until: number) => Promise.all(Array.from({ length: AT_ONCE }, () => draw(until)))
  await drawAll(WARM)
  const warm = await resident()
  await drawAll(ALL)
  const after = await resident()
  console.log(
    `memory after ${ALL} pictures: ${(after / warm).toFixed(2)} of that after ${WARM} ` +
      `(${after.toFixed(0)} and ${warm.toFixed(0)} MB)`,
  )
  await pool.stop()
}

async function resident(): Promise<number> {
  await sleep(500)
  return process.memoryUsage.rss() / MEGABYTE
}
