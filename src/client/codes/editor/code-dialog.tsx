import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { printAddress } from '../addresses.ts'
import type { CodeDialogState } from './dialog-state.ts'

type Props = {
  dialog: CodeDialogState
  /** Drawn above the form of an existing code. */
  renderStats: (code: QrCode) => ReactNode
  /** Something else is open above the dialog. */
  isCovered: boolean
  /** Called with the element that had opened the dialog, for the focus. */
  onClosed: (opener: HTMLElement | null) => void
}

export function CodeDialog({ dialog, isCovered, onClosed, renderStats }: Props) {
  const { unsaved, code, isEdit } = dialog
  const isUnderPrint = printAddress.useAsked() !== null
  return (
    <LateDialog
      load={loadForm}
      height={480}
      opened={dialog.opened}
      onClose={() => unsaved.leave(dialog.close)}
      closeOnEscape={!isCovered && !isUnderPrint}
      onClosed={() => onClosed(dialog.opener())}
      title={isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      what="The form"
      size={880}
      isLarge
    >
      {({ CodeForm }) => (
        <CodeForm
          key={dialog.count}
          dialog={dialog}
          stats={isEdit && code ? renderStats(code) : null}
        />
      )}
    </LateDialog>
  )
}

/** The form and its schema are loaded late: the list does not need them. */
const loadForm = () => import('./code-form.tsx')
