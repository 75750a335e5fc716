import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Values } from '../../kept-form.ts'
import { keepForm } from '../../kept-form.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { beforeSigningIn, isGoingToSignIn } from '../../ui/sign-in-again.ts'
import type { EditorForm } from './editor.ts'

const DISCARD = {
  title: 'Discard your changes?',
  text: 'What you typed has not been saved.',
  stay: 'Keep editing',
  go: 'Discard',
}

export type UnsavedChanges = {
  /** The open form, and the field in it that had the focus last. */
  form: RefObject<EditorForm | null>
  focused: RefObject<HTMLElement | null>
  areThere: () => boolean
  /** Leaves the form in the given way, after a question if that would lose changes. */
  leave: (way: () => void) => void
}

/** For the dialog: it asks before a form with changes is left. */
export function useUnsavedChanges(): UnsavedChanges {
  const form = useRef<EditorForm>(null)
  const focused = useRef<HTMLElement>(null)
  const areThere = () => form.current?.isDirty() ?? false
  const leave = (way: () => void) => {
    if (!areThere()) return way()
    // The question gives the focus back to a field, not to the dialog's Close button.
    focused.current?.focus()
    confirm({ ...DISCARD, onGo: way })
  }
  return { form, focused, areThere, leave }
}

type Open = {
  /** False while the dialog fades: its form has been saved or discarded. */
  opened: boolean
  userId: string
  /** The edited code; undefined for a new one. */
  edited: QrCode | undefined
  /** The version of it that the form knows */
  version: number
  form: EditorForm
  unsaved: UnsavedChanges
}

/**
 * For the form: if the session ends, the tab keeps what was typed until the person is back. The
 * browser itself asks before a reload or a closed tab. What it returns keeps the form at once.
 */
export function useGuardedForm({ opened, userId, edited, version, form, unsaved }: Open) {
  const { form: current } = unsaved
  useEffect(() => {
    current.current = form
    return () => {
      current.current = null
    }
  }, [current, form])
  const keepNow = () => {
    if (!form.isDirty()) return
    const values = form.getValues()
    const fields = Object.keys(values) as (keyof Values)[]
    const typed = fields.filter((field) => form.isDirty(field))
    const code = edited ? { id: edited.id, name: edited.name, version } : null
    keepForm({ userId, at: Date.now(), code, values, typed })
  }
  const keep = useEffectEvent(keepNow)
  useEffect(() => (opened ? beforeSigningIn(() => keep()) : undefined), [opened])
  const askToStay = useEffectEvent((event: Event) => {
    // On the way to the sign-in page the form is kept.
    if (form.isDirty() && !isGoingToSignIn()) event.preventDefault()
  })
  useEffect(() => {
    if (!opened) return
    // A listener that came with the first letter would be too late for a reload right after it.
    const listener = (event: Event) => askToStay(event)
    window.addEventListener('beforeunload', listener)
    return () => window.removeEventListener('beforeunload', listener)
  }, [opened])
  return keepNow
}
