import { navigate, useLocationProperty } from 'wouter/use-browser-location'

/** Marks a history entry that was opened from the page below it: one step back leads there. */
const ABOVE = 'above-list'

/**
 * A step through the history that the browser has not taken yet: it does so later, not at once.
 * `search` is the query that the address will have.
 */
let underWay: { search: string; arrived: Promise<void> } | null = null

/** The query of the page's address, or the one that it is about to have. */
export const searchNow = () => underWay?.search ?? window.location.search

/** A value out of the query. A change of another part of the address draws nothing again. */
export const useSearch = <T extends string | number | boolean | null>(
  read: (search: string) => T,
) => useLocationProperty(() => read(searchNow()))

/** Acts at once, or after a step that is under way: until then the page is at the former address. */
export function afterStep(act: () => void): void {
  if (underWay) void underWay.arrived.then(act)
  else act()
}

export function step(by: -1 | 1, search: string): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true })
  }).then(() => {
    underWay = null
  })
  underWay = { search, arrived }
  window.history.go(by)
  return arrived
}

/** Makes another query of the present one. */
type Change = (search: string) => string

const addressAfter = (change: Change) => window.location.pathname + change(window.location.search)

/** Opens something over the page: one step back leads to the page without it. A second press opens nothing more. */
export function openAbove(change: Change): void {
  afterStep(() => {
    const { pathname, search } = window.location
    if (addressAfter(change) !== pathname + search) navigate(addressAfter(change), { state: ABOVE })
  })
}

/** Changes what the current history entry asks for. */
export function replaceSearch(change: Change): void {
  navigate(addressAfter(change), { replace: true, state: window.history.state })
}

/** Leaves what was opened over the page. Back does not come to it again. */
export async function closeAbove(change: Change): Promise<void> {
  if (window.history.state !== ABOVE) return replaceSearch(change)
  const below = addressAfter(change)
  await step(-1, change(window.location.search))
  // The page may have changed in between, such as to show a new code.
  if (below !== addressAfter(change)) navigate(below, { replace: true })
}

/** The query with a parameter, with its name alone if its value is empty, or without it for null. */
export function queryWithValue(search: string, name: string, value: string | null): string {
  const rest = new URLSearchParams(search)
  rest.delete(name)
  const own = value === '' ? name : value !== null && `${name}=${encodeURIComponent(value)}`
  const query = [rest.toString(), own].filter(Boolean).join('&')
  // A parameter that is there by its name alone stays so.
  return query && `?${query.replaceAll(/=(?=&|$)/g, '')}`
}

/** Opens something over the page by a parameter of the address. The rest of the query stays. */
export function openedBy(name: string) {
  const asked = (search: string) => new URLSearchParams(search).get(name)
  const change = (value: string | null) => (search: string) => queryWithValue(search, name, value)
  return {
    /** The parameter's value; null if it is not there. */
    asked,
    useAsked: () => useSearch(asked),
    open: (value = '') => openAbove(change(value)),
    /** Opens something else in the history entry that is there. */
    replace: (value: string | null) => replaceSearch(change(value)),
    close: () => closeAbove(change(null)),
  }
}
