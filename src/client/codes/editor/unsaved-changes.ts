import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { openedBy } from '../../ui/dialog/address-steps.ts'
import { confirm, useIsAsking, withdrawQuestion } from '../../ui/messages/confirm-dialog.tsx'
import { beforeSigningIn, isGoingToSignIn } from '../../ui/messages/sign-in-again.ts'

type Form = { isDirty: () => boolean }

/** For the dialog: it asks before a form with changes is left. */
export function useUnsavedChanges() {
  /** The open form, and the field in it that had the focus last. */
  const form = useRef<Form>(null)
  const focused = useRef<HTMLElement>(null)
  const isAsking = useIsAsking()
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
  /** Handles a press of Back. A form with changes stays, and asks. Returns whether it closes. */
  const goBack = (stay: () => void, close: () => void) => {
    if (!isAsking && !areThere()) return true
    stay()
    if (isAsking) withdrawQuestion()
    else leave(close)
    return false
  }
  return { form, focused, leave, goBack }
}
export type UnsavedChanges = ReturnType<typeof useUnsavedChanges>

type Address = Pick<ReturnType<typeof openedBy>, 'useAsked' | 'open' | 'close'>

/** For a dialog that a part of the address opens. `asked` is what it shows: with changes it stays after a press of Back. */
export function useGuardedAddress(address: Address) {
  const unsaved = useUnsavedChanges()
  const inAddress = address.useAsked()
  const [asked, setAsked] = useState(inAddress)
  const close = () => {
    setAsked(null)
    void address.close()
  }
  const follow = useEffectEvent(() => {
    const isBack = inAddress === null && asked !== null
    if (!isBack || unsaved.goBack(() => address.open(asked), close)) setAsked(inAddress)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the address
  useEffect(() => follow(), [inAddress])
  return {
    asked,
    unsaved,
    close,
    /** Closes it, after a question if changes would be lost */
    leave: () => unsaved.leave(close),
  }
}
export type OpenDialog = Guarded & Omit<ReturnType<typeof useGuardedAddress>, 'asked'>

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
