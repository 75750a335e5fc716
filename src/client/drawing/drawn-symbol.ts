import type { Look } from '#qr/symbol/look.ts'
import type { Matrix } from '#qr/symbol/matrix.ts'
import { useArrived } from '../ui/arrived.ts'
import { importLazily } from '../ui/dialog/lazy-import.ts'

/** Drawn with this edge in pixels and shown smaller, so that it is sharp on any display. */
const DRAWN_SIZE = 512

/** Draws a text with the server's own engine. */
export function useDrawn(link: string | undefined, look: Look): string | undefined {
  return useArrived(link ? () => draw(link, look) : undefined, `${link} ${JSON.stringify(look)}`)
}

/** The picture as the address of an image; undefined if the engine could not be fetched. */
export async function draw(link: string, look: Look): Promise<string | undefined> {
  const engine = await fetchEngine()
  if (!engine) return undefined
  const matrix = engine.encode(link, look)
  const drawn = look.artwork
    ? await drawArtwork(matrix, look)
    : engine.svg(matrix, { ...look, size: DRAWN_SIZE })
  return drawn && `data:image/svg+xml,${encodeURIComponent(drawn)}`
}

async function drawArtwork(matrix: Matrix, look: Look): Promise<string | undefined> {
  const part = await importLazily(() => import('./drawn-scene.ts'))
  // A text that cannot be drawn is said at its field.
  return part?.drawScene(matrix, look, DRAWN_SIZE).catch(() => undefined)
}

/** The server's own engine draws and measures here too. It is fetched when it is first needed. */
export function fetchEngine() {
  return importLazily(async () => {
    const [encoding, drawing] = await Promise.all([
      import('#qr/symbol/encode.ts'),
      import('#qr/formats/svg.ts'),
    ])
    return { ...encoding, ...drawing }
  })
}
export type Engine = NonNullable<Awaited<ReturnType<typeof fetchEngine>>>
