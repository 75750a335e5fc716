import { useEffect } from 'react'
import { isUnauthorized } from '../../api.ts'
import { toast } from './toast.tsx'

/** Time to read the toast before the browser leaves for the sign-in page. */
const LOGIN_REDIRECT_MS = 500

let isAnnounced = false
let isOnTheWay = false
const lastActs = new Set<() => void>()

/** Registers what to do before the browser leaves to sign in, such as to keep a form. Returns how to unregister it. */
export function beforeSigningIn(act: () => void): () => void {
  lastActs.add(act)
  return () => {
    lastActs.delete(act)
  }
}

/** The browser is leaving for the sign-in page, and forms have been kept. */
export const isGoingToSignIn = () => isOnTheWay

/** Shows a toast, then sends the browser to sign in, and back here afterwards. Several failures at once count as one. */
export function signInAgain(reason = 'You are logged out. Logging in again...'): void {
  if (isAnnounced) return
  isAnnounced = true
  toast.error(reason, 'Unauthorized')
  setTimeout(goToSignIn, LOGIN_REDIRECT_MS)
}

/** Keeps what was typed and sends the browser to sign in, and back here afterwards. */
export function goToSignIn(): void {
  for (const act of lastActs) act()
  isOnTheWay = true
  const here = window.location.pathname + window.location.search
  window.location.assign(`/api/login?returnTo=${encodeURIComponent(here)}`)
}

/** Sends the person to sign in when a call finds that the session has ended. */
export function useSignedOut(error: Error | null): boolean {
  const signedOut = isUnauthorized(error)
  useEffect(() => {
    if (signedOut) signInAgain()
  }, [signedOut])
  return signedOut
}

// A page that the browser restores from its cache starts afresh.
globalThis.addEventListener?.('pageshow', () => {
  isAnnounced = false
  isOnTheWay = false
})
