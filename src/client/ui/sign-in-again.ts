import { toast } from './toast.tsx'

/** Time to read the toast before the browser leaves for the sign-in page. */
export const LOGIN_REDIRECT_MS = 500

let isAnnounced = false
let isOnTheWay = false
const lastActs = new Set<() => void>()

/** What to do when the browser leaves to sign in, such as to keep what was typed; answers how to take it back. */
export function beforeSigningIn(act: () => void): () => void {
  lastActs.add(act)
  return () => {
    lastActs.delete(act)
  }
}

/** The browser leaves for the sign-in page: all that must be kept has been. */
export const isGoingToSignIn = () => isOnTheWay

/** Says why, then sends the browser to sign in, and back here afterwards. Several failures at once say it once. */
export function signInAgain(reason = 'You are logged out. Logging in again...'): void {
  if (isAnnounced) return
  isAnnounced = true
  toast.error(reason, 'Unauthorized')
  setTimeout(() => {
    for (const act of lastActs) act()
    isOnTheWay = true
    const here = window.location.pathname + window.location.search
    window.location.assign(`/api/login?returnTo=${encodeURIComponent(here)}`)
  }, LOGIN_REDIRECT_MS)
}

// A page that comes back from the browser's cache may have to say it again, and to guard what is typed.
globalThis.addEventListener?.('pageshow', () => {
  isAnnounced = false
  isOnTheWay = false
})
