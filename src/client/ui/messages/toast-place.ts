const CONTROLS = 'a, button, input, select, textarea, summary'
/** From the window's edges and from the page's header, in px. */
const GAP = 8
/** Points that are looked at are so far apart, in px: half a finger. */
const STEP = 22

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

/** Over a dialog it stands on the title, else below the page's header, or low down if that is better. */
function place(toast: HTMLElement, dialog: Element | undefined): void {
  const header = dialog ? undefined : document.querySelector('header')?.getBoundingClientRect()
  const high = Math.max(0, header?.bottom ?? 0) + GAP
  const low = floorOf(dialog ?? document) - toast.offsetHeight - GAP
  const top = pointsOnControls(toast, low) < pointsOnControls(toast, high) ? low : high
  toast.style.top = `${top}px`
}

/** The top of the bar with buttons that stays in view, or else the bottom of the window. */
function floorOf(scope: ParentNode): number {
  const bar = scope.querySelector('[data-bar]')?.getBoundingClientRect()
  const isAtBottom = bar && Math.abs(window.innerHeight - bar.bottom) < 2 * GAP
  return isAtBottom ? bar.top : window.innerHeight
}

/** How much of what can be pressed a toast would cover at this top. */
function pointsOnControls(toast: HTMLElement, top: number): number {
  const { left, right } = toast.getBoundingClientRect()
  let count = 0
  for (let y = top; y <= top + toast.offsetHeight; y += STEP) {
    for (let x = left; x <= right; x += STEP) {
      const shown = document.elementsFromPoint(x, y).find((element) => !toast.contains(element))
      if (shown?.closest(CONTROLS)) count++
    }
  }
  return count
}
