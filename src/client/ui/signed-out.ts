import { useEffect } from 'react'
import { isUnauthorized } from '../api.ts'
import { signInAgain } from './sign-in-again.ts'

/** A session that has ended sends the person to sign in, whichever call finds out. */
export function useSignedOut(error: Error | null): boolean {
  const signedOut = isUnauthorized(error)
  useEffect(() => {
    if (signedOut) signInAgain()
  }, [signedOut])
  return signedOut
}
