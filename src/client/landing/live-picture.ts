import { useEffect, useMemo, useState } from 'react'
import type { Look } from '#qr/symbol/look.ts'
import type { drawLink } from './live-drawing.ts'

type Draw = typeof drawLink | 'failed'

/** What tells that somebody is there, who may type next; browsers make up moves of a pointer. */
const SIGNS = ['pointerdown', 'keydown', 'focusin'] as const

/** The engine, on its way from the first sign of a person; the page was complete without it. */
function useEngine(isWanted: boolean): Draw | undefined {
  const [draw, setDraw] = useState<Draw>()
  useEffect(() => {
    if (draw) return
    const signs = new AbortController()
    const load = async () => {
      signs.abort()
      const loaded = await import('./live-drawing.ts').catch(() => null)
      setDraw(() => loaded?.drawLink ?? 'failed')
    }
    if (isWanted) return void load()
    for (const sign of SIGNS) {
      window.addEventListener(sign, load, { once: true, passive: true, signal: signs.signal })
    }
    return () => signs.abort()
  }, [draw, isWanted])
  return draw
}

/** The picture of what is chosen: until it is drawn, the example that the page came with. */
export function useLivePicture(
  { link, look, isTouched }: { link: string; look: Look; isTouched: boolean },
  example: string,
): { picture: string; isDrawn: boolean; hasFailed: boolean } {
  const draw = useEngine(isTouched)
  const canDraw = isTouched && typeof draw === 'function'
  const drawn = useMemo(() => (canDraw ? draw(link, look) : null), [canDraw, draw, link, look])
  const hasFailed = isTouched && draw === 'failed'
  return { picture: drawn ?? example, isDrawn: drawn !== null, hasFailed }
}
