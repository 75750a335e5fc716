import { useEffect, useEffectEvent } from 'react'
import { type Begun, keepFirstDraft } from './first-draft.ts'

const WAY_IN = 'a[href="/api/login"]'

/** Whichever link somebody takes to sign in, what they have begun goes with them. */
export function useCarriedDraft(begun: Begun): void {
  const keep = useEffectEvent(() => keepFirstDraft(begun))
  useEffect(() => {
    const carry = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(WAY_IN)) keep()
    }
    document.addEventListener('click', carry)
    return () => document.removeEventListener('click', carry)
  }, [])
}
