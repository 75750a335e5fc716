import { useEffect, useMemo, useState } from 'react'
import type { Look } from '#qr/symbol/look.ts'
import { imageAddress } from '../image-address.ts'
import { fetchEngine } from './engine.ts'

/** Drawn at this edge in pixels, shown smaller: sharp on any display. */
const DRAWN_SIZE = 512

type Preview = {
  /** The code's; missing until the draft has come */
  id: string | undefined
  look: Look
  /** What the picture says; `isSaved` where the server would draw the same. */
  link: string
  isSaved: boolean
}

/** The preview's address: the server's picture, or our own while the typed path is not saved. */
export function usePicture({ id, look, link, isSaved }: Preview): string | undefined {
  const served = useMemo(
    () => id && imageAddress(id, 'png', look, { t: String(Date.now()) }),
    [id, look],
  )
  const drawn = useDrawn(id && !isSaved ? link : undefined, look)
  return isSaved ? served : drawn
}

/** A text drawn with the engine that the server uses, loaded when it is first needed. */
export function useDrawn(link: string | undefined, look: Look): string | undefined {
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    if (!link) return
    let current = true
    void draw(link, look).then((drawn) => current && setPicture(drawn))
    return () => {
      current = false
    }
  }, [link, look])
  return picture
}

async function draw(link: string, look: Look): Promise<string | undefined> {
  const engine = await fetchEngine()
  if (!engine) return undefined
  const drawn = engine.svg(engine.encode(link, look), { ...look, size: DRAWN_SIZE })
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`
}
