const CONTROLS = 'a, button, input, select, textarea, summary'
/** From the window's edges and from the page's header, in px. */
const GAP = 8
/** Points that are looked at are so far apart, in px: half a finger. */
const STEP = 22

const CONTROL_COST = 10

const lastDialog = () => [...document.querySelectorAll('[role=dialog]')].at(-1)

/**
 * Keeps a toast where it covers nothing that can be pressed, or as little as it can, also when a dialog
 * opens, grows, comes to rest or closes under it. Returns how to stop that.
 */
export function keepPlaced(toast: HTMLElement): () => void {
  let dialog: Element | undefined
  const placeAgain = () => place(toast, dialog)
  const sizes = new ResizeObserver(placeAgain)
  const follow = () => {
    sizes.disconnect()
    dialog = lastDialog()
    if (dialog) sizes.observe(dialog)
    placeAgain()
  }
  const dialogs = new MutationObserver(() => lastDialog() === dialog || follow())
  const atRest = ({ target }: Event) => target === dialog && placeAgain()
  follow()
  dialogs.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('transitionend', atRest)
  return () => {
    sizes.disconnect()
    dialogs.disconnect()
    document.removeEventListener('transitionend', atRest)
  }
}

/** As narrow as a phone: a toast has the width of the window there. */
const PHONE = '(max-width: 48em)'

/** On a phone it stands high or low, on a desk also at the other side, wherever it covers least. */
function place(toast: HTMLElement, dialog: Element | undefined): void {
  const header = dialog ? undefined : document.querySelector('header')?.getBoundingClientRect()
  const high = Math.max(0, header?.bottom ?? 0) + GAP
  const low = floorOf(dialog ?? document) - toast.offsetHeight - GAP
  const right = window.innerWidth - toast.offsetWidth - GAP
  const places = window.matchMedia(PHONE).matches
    ? [
        { left: GAP, top: high },
        { left: GAP, top: low },
      ]
    : [
        { left: right, top: low },
        { left: right, top: high },
        { left: GAP, top: low },
        { left: GAP, top: high },
      ]
  const costs = places.map((at) => coveredAt(toast, at))
  const { left, top } = places[costs.indexOf(Math.min(...costs))] as Place
  toast.style.left = `${left}px`
  toast.style.top = `${top}px`
}

type Place = { left: number; top: number }

/** The top of the bar with buttons that stays in view, or else the bottom of the window. */
function floorOf(scope: ParentNode): number {
  const bar = scope.querySelector('[data-bar]')?.getBoundingClientRect()
  const isAtBottom = bar && Math.abs(window.innerHeight - bar.bottom) < 2 * GAP
  return isAtBottom ? bar.top : window.innerHeight
}

/** How much a toast would cover there: what can be pressed counts most, a heading little. */
function coveredAt(toast: HTMLElement, { left, top }: Place): number {
  let cost = 0
  for (let y = top; y <= top + toast.offsetHeight; y += STEP) {
    for (let x = left; x <= left + toast.offsetWidth; x += STEP) {
      const shown = document.elementsFromPoint(x, y).find((element) => !toast.contains(element))
      if (shown?.closest(CONTROLS)) cost += CONTROL_COST
      else if (shown?.closest('h1, h2, h3')) cost++
    }
  }
  return cost
}
