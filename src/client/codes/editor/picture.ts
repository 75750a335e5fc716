import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawn-symbol.ts'
import type { Values } from '../../kept-form.ts'
import { imageAddress } from '../image-address.ts'
import { isDrawable } from './artwork/artwork-form.ts'

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

/** The preview follows a change of the look after this pause. */
export const PREVIEW_DELAY_MS = 150

/** The form's look, once nobody is changing it: this one is drawn and checked. */
export function useSettledLook(values: Values): Look {
  const [settled] = useDebouncedValue(useLastDrawable(lookOf(values)), PREVIEW_DELAY_MS)
  return settled
}

/** Keeps its identity while nothing changes. A half-typed colour or text does not change the picture. */
function useLastDrawable(look: Look): Look {
  const last = useRef(look)
  const changed = JSON.stringify(look) !== JSON.stringify(last.current)
  if (changed && isDrawable(look)) last.current = look
  return last.current
}
