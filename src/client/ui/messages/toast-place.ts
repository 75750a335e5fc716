type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

const CONTROLS = 'a, button, input, select, textarea, summary'
/** From the window's edges and from the page's header, in px. */
const GAP = 8

const lastDialog = () => [...document.querySelectorAll('[role=dialog]')].at(-1)

/**
 * Keeps a toast where it covers nothing that can be pressed, or as little as it can, also when a dialog
 * opens or closes under it. Returns how to stop that.
 */
export function keepPlaced(toast: HTMLElement): () => void {
  let dialog = lastDialog()
  place(toast, dialog)
  const observer = new MutationObserver(() => {
    if (lastDialog() === dialog) return
    dialog = lastDialog()
    place(toast, dialog)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

function place(toast: HTMLElement, dialog: Element | undefined): void {
  const { left, right, height } = toast.getBoundingClientRect()
  const header = dialog ? undefined : document.querySelector('header')?.getBoundingClientRect()
  const scope = dialog ?? document
  const tops = [Math.max(0, header?.bottom ?? 0) + GAP, floorOf(scope) - height - GAP]
  const controls = [...scope.querySelectorAll(CONTROLS)]
    .filter((control) => !toast.contains(control))
    .map((control) => control.getBoundingClientRect())
  toast.style.top = `${freestOf(tops, { left, right, height }, controls)}px`
}

/** The top of the bar with buttons that stays in view, or else the bottom of the window. */
function floorOf(scope: ParentNode): number {
  const bar = scope.querySelector('[data-bar]')?.getBoundingClientRect()
  const isAtBottom = bar && Math.abs(window.innerHeight - bar.bottom) < 2 * GAP
  return isAtBottom ? bar.top : window.innerHeight
}

/** The first of the tops at which a toast covers the smallest area of controls. */
export function freestOf(
  tops: readonly number[],
  { left, right, height }: Pick<DOMRect, 'left' | 'right' | 'height'>,
  controls: readonly Box[],
): number {
  const places = tops.map((top) => {
    const place = { left, right, top, bottom: top + height }
    return { top, covered: controls.reduce((sum, box) => sum + sharedArea(place, box), 0) }
  })
  return places.reduce((best, place) => (place.covered < best.covered ? place : best)).top
}

function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return Math.max(0, width) * Math.max(0, height)
}
