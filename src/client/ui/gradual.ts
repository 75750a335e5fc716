import { startTransition, useEffect, useState } from 'react'

/** Drawn at once: what fits on the first screen of a phone or a desktop. */
const FIRST = 8
/** Drawn with each further step. */
const STEP = 4

/**
 * The first items of a long list, then more with every step until all are there. Between the steps
 * the browser paints and answers: twenty-five rows in one go keep a slow phone busy for a quarter of
 * a second.
 */
export function useGradually<Item>(items: Item[]): Item[] {
  const [drawn, setDrawn] = useState(FIRST)
  const isWhole = drawn >= items.length
  useEffect(() => {
    if (!isWhole) startTransition(() => setDrawn(drawn + STEP))
  }, [isWhole, drawn])
  return isWhole ? items : items.slice(0, drawn)
}
