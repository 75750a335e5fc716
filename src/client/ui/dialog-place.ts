const MARK = 'dialog'

const isMarked = () => Boolean(window.history.state?.[MARK])
const marked = () => ({ ...window.history.state, [MARK]: true })

/** What the back button does to the open dialog; answers whether that has closed it. */
export type Leave = () => boolean

let leave: Leave | null = null
/** The page is at a dialog's own place, under the address that it has got there. */
let isHere = isMarked()
let address = window.location.href
/** A step of ours through the history, as what comes after it: nobody has pressed a button. */
let underWay: (() => void) | null = null

function step(by: -1 | 1, then = () => {}): void {
  underWay = then
  window.history.go(by)
}

const isSamePage = () => URL.parse(address)?.pathname === window.location.pathname

/** What has become of the address at the dialog's place goes for the list behind it as well. */
function carryOver(): void {
  if (!isSamePage() || address === window.location.href) return
  window.history.replaceState(window.history.state, '', address)
}

/** Gives an open dialog a place of its own in the history, at the same address. */
export function takePlace(onBack: Leave): void {
  leave = onBack
  if (!underWay && !isHere) window.history.pushState(marked(), '')
}

/** The dialog has closed, unless a link in it has led to another page. */
export function givePlaceUp(): void {
  leave = null
  if (!underWay && isHere) step(-1, carryOver)
}

/** A place whose dialog has gone, by a reload or long ago, is no place to stay at. */
export function skipEmptyPlace(): void {
  if (!underWay && !leave && isHere) step(-1)
}

/** A dialog that asks first stays, and so does its place. No new one: browsers pass over those. */
function goBack(leaves: Leave): void {
  if (leaves()) {
    leave = null
    carryOver()
  } else step(1)
}

function arrive(): void {
  isHere = isMarked()
  const then = underWay
  underWay = null
  if (then) {
    then()
    if (leave) takePlace(leave)
  } else if (leave && !isHere && isSamePage()) goBack(leave)
  skipEmptyPlace()
}

/** The router writes addresses over the place, and the mark with it. */
function keepMark(): void {
  if (!isHere) return
  isHere = isSamePage()
  address = window.location.href
  if (isHere && !isMarked()) window.history.replaceState(marked(), '')
}

function noteNewPlace(): void {
  isHere = isMarked()
  address = window.location.href
}

window.addEventListener('popstate', arrive)
// The router tells of every change of its own, and of ours, by these two events.
window.addEventListener('pushState', noteNewPlace)
window.addEventListener('replaceState', keepMark)
// What was under way when the page was left has never arrived.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) arrive()
})
