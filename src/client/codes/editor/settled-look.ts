import { useDebouncedValue } from '@mantine/hooks'
import { useRef } from 'react'
import { lookOf } from '#contract/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { isDrawable } from '../image-address.ts'
import type { Values } from './editor.ts'

/** The preview follows this long after the last change of the look. */
export const PREVIEW_DELAY_MS = 150

/** The look that the form shows, once it has settled: what is drawn, and checked. */
export function useSettledLook(values: Values): Look {
  const [settled] = useDebouncedValue(useLastDrawable(lookOf(values)), PREVIEW_DELAY_MS)
  return settled
}

/** The same object while nothing changes; a half-typed colour leaves the picture as it is. */
function useLastDrawable(look: Look): Look {
  const last = useRef(look)
  const changed = JSON.stringify(look) !== JSON.stringify(last.current)
  if (changed && isDrawable(look)) last.current = look
  return last.current
}
