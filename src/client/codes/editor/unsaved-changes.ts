import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Values } from '../../kept-form.ts'
import { keepForm } from '../../kept-form.ts'
import { beforeSigningIn } from '../../ui/sign-in-again.ts'
import { leaveForm, useReloadQuestion } from '../discard.ts'
import type { EditorForm } from './editor.ts'

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
    // A question gives the focus back to a field, not to the dialog's Close button.
    if (areThere()) focused.current?.focus()
    leaveForm(areThere(), way)
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
 * For the form: if the session ends, the tab keeps what was typed until the person is back. Returns
 * what keeps the form at once.
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
  useReloadQuestion(opened, () => form.isDirty())
  return keepNow
}
