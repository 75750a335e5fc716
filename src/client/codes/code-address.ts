import { navigate, useLocationProperty } from 'wouter/use-browser-location'

/** Asked for by `?new`; an existing code is asked for by `?edit=` and its id. */
export const NEW = ''

/** The code whose form a query asks for: its id, NEW, or null where the list stands alone. */
export function codeAskedBy(query: string): string | null {
  const asked = new URLSearchParams(query)
  return asked.has('new') ? NEW : asked.get('edit') || null
}

/** The code that the page's address asks for. A change of the list's part of the address draws nothing again. */
export const useAskedCode = () =>
  useLocationProperty(() => (underWay ? underWay.code : codeAskedBy(window.location.search)))

/** The code that a query shows as ready to print, once it was saved first: `?ready=` and its id. */
export const readyIn = (query: string): string | null =>
  new URLSearchParams(query).get('ready') || null

/** The code that the page's address shows as ready. */
export const useReadyCode = () =>
  useLocationProperty(() => (underWay ? null : readyIn(window.location.search)))

/** The query with another code asked for, or none. The rest of it belongs to the list and stays. */
export function queryWith(query: string, code: string | null): string {
  const rest = new URLSearchParams(query)
  for (const own of ['new', 'edit', 'ready']) rest.delete(own)
  const own = code === NEW ? 'new' : code && `edit=${encodeURIComponent(code)}`
  return joined(rest.toString(), own)
}

/** The query with a code that is shown as ready, in place of its form. */
export function queryWithReady(query: string, id: string): string {
  return joined(queryWith(query, null).slice(1), `ready=${encodeURIComponent(id)}`)
}

function joined(...parts: (string | null)[]): string {
  const query = parts.filter(Boolean).join('&')
  return query && `?${query}`
}

const addressOf = (code: string | null) =>
  window.location.pathname + queryWith(window.location.search, code)

/** Marks a history entry that was opened from the list: one step back leads there. */
const ABOVE_LIST = 'above-list'

/** Opens a code's form, or with NEW the form of a new one. */
export function openCode(id: string): void {
  afterStep(() => navigate(addressOf(id), { state: ABOVE_LIST }))
}

export const openNewCode = () => openCode(NEW)

/** The name of a copy is to be written anew: its form opens with the name selected. */
let isCopy = false

export function openCopy(id: string): void {
  isCopy = true
  openCode(id)
}

/** Whether the form that opens is that of a copy just made. Only the first to ask is told. */
export function takeCopy(): boolean {
  const was = isCopy
  isCopy = false
  return was
}

/** Changes the code that the current history entry asks for. */
export function replaceCode(id: string | null): void {
  navigate(addressOf(id), { replace: true, state: window.history.state })
}

/** Shows a code as ready, in the history entry that its form had: Back leads to the list. */
export function showReady(id: string): void {
  const { pathname, search } = window.location
  navigate(pathname + queryWithReady(search, id), { replace: true, state: window.history.state })
}

/** Leaves the address of the form, or of the code that is ready. Back does not come to it again. */
export async function closeCode(): Promise<void> {
  if (window.history.state !== ABOVE_LIST) return replaceCode(null)
  const list = addressOf(null)
  await step(-1, null)
  // The list may have changed while the form was open, such as to show a new code.
  if (list !== addressOf(null)) navigate(list, { replace: true })
}

/** Undoes a press of Back, for a form that stays open. */
export const stayAtCode = (id: string) => void step(1, id)

/**
 * A step through the history that the browser has not taken yet: it does so later, not at once.
 * `code` is the one that the address will ask for.
 */
let underWay: { code: string | null; arrived: Promise<void> } | null = null

function step(by: -1 | 1, code: string | null): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true })
  }).then(() => {
    underWay = null
  })
  underWay = { code, arrived }
  window.history.go(by)
  return arrived
}

/** Acts at once, or after a step that is under way: until then the page is at the former address. */
export function afterStep(act: () => void): void {
  if (underWay) void underWay.arrived.then(act)
  else act()
}
