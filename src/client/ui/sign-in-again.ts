import { toast } from './toast.ts'

/** Time to read the toast before the browser leaves for the sign-in page. */
export const LOGIN_REDIRECT_MS = 500

let leaving = false
const lastActs = new Set<() => void>()

/** What to do when the browser leaves to sign in, such as to keep what was typed; answers how to take it back. */
export function beforeSigningIn(act: () => void): () => void {
  lastActs.add(act)
  return () => {
    lastActs.delete(act)
  }
}

/** Says why, then sends the browser to sign in, and back here afterwards. Several failures at once say it once. */
export function signInAgain(reason = 'You are logged out. Logging in again...'): void {
  if (leaving) return
  leaving = true
  toast.error(reason, 'Unauthorized')
  setTimeout(() => {
    for (const act of lastActs) act()
    const here = window.location.pathname + window.location.search
    window.location.assign(`/api/login?returnTo=${encodeURIComponent(here)}`)
  }, LOGIN_REDIRECT_MS)
}

// A page that comes back from the browser's cache may have to say it again.
globalThis.addEventListener?.('pageshow', () => {
  leaving = false
})
