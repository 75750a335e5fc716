import { ActionIcon, Group } from '@mantine/core'
import { Redo2, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { LookFields } from '#contract/pictures/pictures.ts'
import { useStacked } from '../../ui/columns.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { EditorForm } from './editor.ts'
import { beginHistory, lookFieldsOf, recordLook, shownIn, takeStep } from './look-history.ts'

/** They stay where they are and take the focus, whether or not there is a step to take. */
export function UndoButtons({ canUndo, canRedo, undo, redo }: LookHistory) {
  // A narrow bar has room for them once there is a step to take.
  if (useStacked() && !canUndo && !canRedo) return null
  const steps = [
    { label: 'Undo', can: canUndo, take: undo, icon: Undo2 },
    { label: 'Redo', can: canRedo, take: redo, icon: Redo2 },
  ]
  return (
    <Group gap={4} wrap="nowrap">
      {steps.map(({ label, can, take, icon: Icon }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon
            size={36}
            opacity={can ? undefined : 0.4}
            style={{ cursor: can ? undefined : 'default' }}
            aria-label={`${label} the last design change`}
            aria-disabled={!can}
            onClick={() => can && take()}
          >
            <Icon size={18} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  )
}

/** Undo and redo of a form's changes of the look. Another `begun` starts a new history. */
export function useLookHistory(form: EditorForm, begun: string) {
  const [{ of, history }, setKept] = useState(() => ({
    of: '',
    history: beginHistory(lookFieldsOf(form.values)),
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
  const take = (by: -1 | 1) => {
    const next = takeStep(history, by)
    if (next === history) return
    setKept({ of, history: next })
    form.setValues(shownIn(next))
  }
  return {
    canUndo: history.at > 0,
    canRedo: history.at < history.looks.length - 1,
    undo: () => take(-1),
    redo: () => take(1),
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
