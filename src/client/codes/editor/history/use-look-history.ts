import { type KeyboardEvent, useEffect, useState } from 'react'
import type { LookFields } from '#contract/pictures/pictures.ts'
import type { EditorForm } from '../editor.ts'
import { beginHistory, type History, lookFieldsOf, recordLook, redo, undo } from './look-history.ts'

/** Undo and redo of what a form changes in the look. A form with another `begun` begins anew. */
export function useLookHistory(form: EditorForm, begun: string) {
  const [{ of, history }, setKept] = useState<{ of: string | null; history: History }>(() => ({
    ...{ of: null, history: beginHistory(lookFieldsOf(form.values)) },
  }))
  const look = JSON.stringify(lookFieldsOf(form.values))
  useEffect(() => {
    const seen: LookFields = JSON.parse(look)
    setKept((kept) => {
      if (kept.of !== begun) return { of: begun, history: beginHistory(seen) }
      const next = recordLook(kept.history, seen, Date.now())
      return next === kept.history ? kept : { of: begun, history: next }
    })
  }, [look, begun])
  const take = (step: (history: History) => History) => {
    const next = step(history)
    if (next === history) return
    setKept({ of, history: next })
    form.setValues(next.present)
  }
  return {
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => take(undo),
    redo: () => take(redo),
  }
}
export type LookHistory = ReturnType<typeof useLookHistory>

/** Ctrl or Cmd with Z takes the look's last change back, with Shift or Y makes it again. Text keeps its own undo. */
export function undoByKey(event: KeyboardEvent, { undo, redo }: LookHistory): void {
  const key = event.key.toLowerCase()
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  if ((key !== 'z' && key !== 'y') || isTyped(event.target)) return
  event.preventDefault()
  if (key === 'y' || event.shiftKey) redo()
  else undo()
}

const NOT_TYPED = ['radio', 'checkbox', 'range', 'color', 'button', 'submit', 'file']

function isTyped(target: EventTarget): boolean {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !NOT_TYPED.includes(target.type)
}
