import { useEffect, useEffectEvent } from 'react'
import { confirm } from '../ui/messages/confirm-dialog.tsx'
import { isGoingToSignIn } from '../ui/sign-in-again.ts'

const DISCARD = {
  title: 'Discard your changes?',
  text: 'Your changes haven’t been saved.',
  stay: 'Keep editing',
  go: 'Discard',
}

/** Leaves a form, after a question if that would lose changes. */
export function leaveForm(isDirty: boolean, leave: () => void): void {
  if (isDirty) confirm({ ...DISCARD, onGo: leave })
  else leave()
}

/** The browser itself asks before a reload or a closed tab loses changes of an open form. */
export function useReloadQuestion(opened: boolean, isDirty: () => boolean): void {
  const ask = useEffectEvent((event: Event) => {
    // On the way to the sign-in page the form is kept.
    if (isDirty() && !isGoingToSignIn()) event.preventDefault()
  })
  useEffect(() => {
    if (!opened) return
    // A listener that came with the first letter would be too late for a reload right after it.
    const listener = (event: Event) => ask(event)
    window.addEventListener('beforeunload', listener)
    return () => window.removeEventListener('beforeunload', listener)
  }, [opened])
}
