import { useEffect } from 'react'
import { isUnauthorized } from '../api.ts'
import { signInAgain } from './sign-in-again.ts'

/** Sends the person to sign in when a call finds that the session has ended. */
export function useSignedOut(error: Error | null): boolean {
  const signedOut = isUnauthorized(error)
  useEffect(() => {
    if (signedOut) signInAgain()
  }, [signedOut])
  return signedOut
}
