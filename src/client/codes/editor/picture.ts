import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import { lookOf } from '#contract/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { fetchPart } from '../../ui/late-part.ts'
import { imageAddress, isDrawable } from '../image-address.ts'
import type { Values } from './editor.ts'

/** Drawn with this edge in pixels and shown smaller, so that it is sharp on any display. */
const DRAWN_SIZE = 512

type Preview = {
  /** The code's id; missing until the draft arrives */
  id: string | undefined
  look: Look
  /** The link in the picture. `isSaved`: the server draws the same one. */
  link: string
  isSaved: boolean
}

/** The preview's address: the server's picture, or one drawn here while the typed path is not saved. */
export function usePicture({ id, look, link, isSaved }: Preview): string | undefined {
  const served = useMemo(
    () => id && imageAddress(id, 'png', look, { t: String(Date.now()) }),
    [id, look],
  )
  const drawn = useDrawn(id && !isSaved ? link : undefined, look)
  return isSaved ? served : drawn
}

/** Draws a text with the server's own engine. */
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

/** The server's own engine draws and measures here too. It is fetched when it is first needed. */
export function fetchEngine() {
  return fetchPart(async () => {
    const [encoding, drawing] = await Promise.all([
      import('#qr/symbol/encode.ts'),
      import('#qr/formats/svg.ts'),
    ])
    return { ...encoding, ...drawing }
  })
}
export type Engine = NonNullable<Awaited<ReturnType<typeof fetchEngine>>>

/** The preview follows a change of the look after this pause. */
export const PREVIEW_DELAY_MS = 150

/** The form's look, once nobody is changing it: this one is drawn and checked. */
export function useSettledLook(values: Values): Look {
  const [settled] = useDebouncedValue(useLastDrawable(lookOf(values)), PREVIEW_DELAY_MS)
  return settled
}

/** Keeps its identity while nothing changes. A half-typed colour does not change the picture. */
function useLastDrawable(look: Look): Look {
  const last = useRef(look)
  const changed = JSON.stringify(look) !== JSON.stringify(last.current)
  if (changed && isDrawable(look)) last.current = look
  return last.current
}
