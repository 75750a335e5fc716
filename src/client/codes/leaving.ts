import { useRef } from 'react'
import type { Ask } from '../ui/question.tsx'

const DISCARD = {
  title: 'Discard your changes?',
  text: 'What you typed has not been saved.',
  stay: 'Keep editing',
  go: 'Discard',
}

/** Leaves a form, and asks first where that would lose what somebody has typed: then it is open still. */
export function useLeaving(ask: Ask, close: () => void) {
  const dirty = useRef(false)
  const place = useRef<HTMLElement | null>(null)
  const leaveBy = (way: () => void) => {
    if (!dirty.current) {
      way()
      return true
    }
    // The question gives the focus back to where it finds it: the form, not the button outside it.
    place.current?.focus()
    ask({ ...DISCARD, onGo: () => go(way) })
    return false
  }
  const go = (way: () => void) => {
    dirty.current = false
    way()
  }
  return { leave: () => leaveBy(close), leaveBy, leaveSaved: () => go(close), dirty, place }
}
export type Leaving = ReturnType<typeof useLeaving>
