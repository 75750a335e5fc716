/**
 * Calls `tell` with true before the page is printed and with false after it; returns a function that
 * stops it. Some browsers have only the events, others only the media query.
 */
export function whilePrinting(tell: (isPrinting: boolean) => void): () => void {
  let isPrinting = false
  const change = (now: boolean) => {
    if (now === isPrinting) return
    isPrinting = now
    tell(now)
  }
  const ended = new AbortController()
  const { signal } = ended
  const media = window.matchMedia('print')
  window.addEventListener('beforeprint', () => change(true), { signal })
  window.addEventListener('afterprint', () => change(false), { signal })
  media.addEventListener('change', ({ matches }) => change(matches), { signal })
  return () => ended.abort()
}

/** Paper is white: a dark screen prints in the light colours. */
export function printInLight(): () => void {
  const { dataset } = document.documentElement
  let shown: string | undefined
  return whilePrinting((isPrinting) => {
    if (isPrinting) {
      shown = dataset.mantineColorScheme
      dataset.mantineColorScheme = 'light'
    } else if (shown) dataset.mantineColorScheme = shown
  })
}
