import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Values } from './editor.ts'
import { imageAddress, isDrawable, type Look, lookOf } from './image-address.ts'

/** The preview follows this long after the last change of style or colour. */
export const PREVIEW_DELAY_MS = 150

/** Drawn at this edge in pixels, shown smaller: sharp on any display. */
const DRAWN_SIZE = 512

/** The preview's address: the server's picture, or our own while the typed path is not saved. */
export function usePicture(code: QrCode, values: Values, link: string): string | undefined {
  const look = useLastDrawable(lookOf(values))
  const [settled] = useDebouncedValue(look, PREVIEW_DELAY_MS)
  const served = useMemo(
    () => imageAddress(code.id, 'png', settled, { t: String(Date.now()) }),
    [code.id, settled],
  )
  const isSaved = values.vanityUrl === (code.vanityUrl ?? '')
  const drawn = useDrawn(isSaved ? undefined : link, settled)
  return isSaved ? served : drawn
}

/** The same object while nothing changes; a half-typed colour leaves the picture as it is. */
function useLastDrawable(look: Look): Look {
  const last = useRef(look)
  const changed = JSON.stringify(look) !== JSON.stringify(last.current)
  if (changed && isDrawable(look)) last.current = look
  return last.current
}

/** Draws a link with the engine that the server uses, loaded when it is first needed. */
function useDrawn(link: string | undefined, look: Look): string | undefined {
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

async function draw(link: string, look: Look): Promise<string> {
  const [{ encode }, { svg }] = await Promise.all([import('#qr/encode.ts'), import('#qr/svg.ts')])
  return `data:image/svg+xml,${encodeURIComponent(svg(encode(link), { ...look, size: DRAWN_SIZE }))}`
}
