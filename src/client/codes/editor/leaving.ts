import { useRef } from 'react'
import type { Question } from '../../ui/confirm-dialog.tsx'

const DISCARD = {
  title: 'Discard your changes?',
  text: 'What you typed has not been saved.',
  stay: 'Keep editing',
  go: 'Discard',
}

/** What of a form tells whether something would be lost with it. */
type Leavable = { isDirty: () => boolean }

/** Leaves a form, and asks first where that would lose what somebody has typed: then it is open still. */
export function useLeaving(ask: (question: Question) => void, close: () => void) {
  /** From its first drawing until it is left; a form that has crashed has not been left. */
  const open = useRef<Leavable | null>(null)
  const place = useRef<HTMLElement | null>(null)
  const go = (way: () => void) => {
    open.current = null
    way()
  }
  const hasUnsaved = () => open.current?.isDirty() ?? false
  const leaveBy = (way: () => void) => {
    if (!hasUnsaved()) {
      go(way)
      return true
    }
    // The question gives the focus back to where it finds it: the form, not the button outside it.
    place.current?.focus()
    ask({ ...DISCARD, onGo: () => go(way) })
    return false
  }
  return {
    leave: () => leaveBy(close),
    leaveBy,
    hasUnsaved,
    enter: (form: Leavable) => {
      open.current = form
    },
    /** Closes without a question what has been saved, unless another form has been opened since. */
    leaveSaved: (form: Leavable) => {
      const isOpen = open.current === form
      if (isOpen) go(close)
      return isOpen
    },
    place,
  }
}
export type Leaving = ReturnType<typeof useLeaving>
