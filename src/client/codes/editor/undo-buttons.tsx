import { ActionIcon, Group } from '@mantine/core'
import { Redo2, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { LookFields } from '#contract/pictures/pictures.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './code-form.module.css'
import type { EditorForm } from './editor.ts'
import { beginHistory, type History, lookFieldsOf, recordLook, redo, undo } from './look-history.ts'

/** They stay where they are and take the focus, whether or not there is a step to take. */
export function UndoButtons({ canUndo, canRedo, undo, redo }: LookHistory) {
  return (
    <Group
      gap={4}
      wrap="nowrap"
      className={styles.steps}
      data-unused={!(canUndo || canRedo) || undefined}
    >
      <StepButton label="Undo" can={canUndo} onStep={undo}>
        <Undo2 size={18} />
      </StepButton>
      <StepButton label="Redo" can={canRedo} onStep={redo}>
        <Redo2 size={18} />
      </StepButton>
    </Group>
  )
}

type StepProps = { label: string; can: boolean; onStep: () => void; children: React.ReactNode }

function StepButton({ label, can, onStep, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={36}
        className={styles.step}
        aria-label={`${label} the last design change`}
        aria-disabled={!can}
        onClick={() => can && onStep()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
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
