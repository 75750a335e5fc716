/** From the window's edge and from a bar with buttons, in px */
const GAP = 16

/**
 * Keeps a toast at the bottom of the window, above a bar with buttons that stands there, also when a
 * dialog opens, grows, comes to rest or closes under it. Returns how to stop that.
 */
export function keepPlaced(toast: HTMLElement): () => void {
  const place = () => {
    toast.style.bottom = `${window.innerHeight - floorFor(toast) + GAP}px`
  }
  const sizes = new ResizeObserver(place)
  const parts = new MutationObserver(place)
  sizes.observe(document.body)
  parts.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('transitionend', place)
  place()
  return () => {
    sizes.disconnect()
    parts.disconnect()
    document.removeEventListener('transitionend', place)
  }
}

/** The top of the bar that the toast would cover, or else the bottom of the window. */
function floorFor(toast: HTMLElement): number {
  const scope = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
  const reach = window.innerHeight - toast.offsetHeight - 2 * GAP
  const covered = [...scope.querySelectorAll('[data-bar]')]
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ top, bottom }) => bottom > reach && top < window.innerHeight)
  return Math.min(window.innerHeight, ...covered.map(({ top }) => top))
}
