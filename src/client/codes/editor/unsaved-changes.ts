import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef } from 'react'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { beforeSigningIn, isGoingToSignIn } from '../../ui/sign-in-again.ts'

type Form = { isDirty: () => boolean }

/** For the dialog: it asks before a form with changes is left. */
export function useUnsavedChanges() {
  /** The open form, and the field in it that had the focus last. */
  const form = useRef<Form>(null)
  const focused = useRef<HTMLElement>(null)
  const areThere = () => form.current?.isDirty() ?? false
  /** Leaves the form in the given way, after a question if that would lose changes. */
  const leave = (way: () => void) => {
    if (!areThere()) return way()
    // A question gives the focus back to a field, not to the dialog's Close button.
    focused.current?.focus()
    confirm({
      title: 'Discard your changes?',
      text: 'Your changes haven’t been saved.',
      stay: 'Keep editing',
      go: 'Discard',
      onGo: way,
    })
  }
  return { form, focused, areThere, leave }
}
export type UnsavedChanges = ReturnType<typeof useUnsavedChanges>

/** A dialog's form. `opened` is false while the dialog fades: the form has been saved or discarded. */
type Guarded = { opened: boolean; unsaved: UnsavedChanges }

/** For the form: if the session ends, the tab keeps what was typed, and a reload asks first. */
export function useGuard({ opened, unsaved }: Guarded, form: Form, keepNow: () => void): void {
  const { form: current } = unsaved
  useEffect(() => {
    current.current = form
    return () => {
      current.current = null
    }
  }, [current, form])
  const keep = useEffectEvent(keepNow)
  useEffect(() => (opened ? beforeSigningIn(() => keep()) : undefined), [opened])
  // A listener that came with the first letter would be too late for a reload right after it.
  useWindowEvent('beforeunload', (event) => {
    // On the way to the sign-in page the form is kept.
    if (opened && form.isDirty() && !isGoingToSignIn()) event.preventDefault()
  })
}
