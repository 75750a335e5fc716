import { ActionIcon } from '@mantine/core'
import { Redo2, Undo2 } from 'lucide-react'
import { Tooltip } from '../../../ui/tooltip.tsx'
import styles from '../code-form.module.css'
import type { LookHistory } from './use-look-history.ts'

/** They stay where they are and take the focus, whether or not there is a step to take. */
export function UndoButtons({ canUndo, canRedo, undo, redo }: LookHistory) {
  return (
    <div className={styles.steps} data-unused={!(canUndo || canRedo) || undefined}>
      <StepButton label="Undo" can={canUndo} onStep={undo}>
        <Undo2 size={18} aria-hidden />
      </StepButton>
      <StepButton label="Redo" can={canRedo} onStep={redo}>
        <Redo2 size={18} aria-hidden />
      </StepButton>
    </div>
  )
}

type StepProps = { label: string; can: boolean; onStep: () => void; children: React.ReactNode }

function StepButton({ label, can, onStep, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        className={styles.step}
        aria-label={`${label} the last change of the look`}
        aria-disabled={!can}
        onClick={() => can && onStep()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
