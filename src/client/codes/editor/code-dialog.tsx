import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { Dialog, Late } from '../../ui/dialog/dialog.tsx'
import { useLatePart } from '../../ui/dialog/lazy-import.ts'
import { printAddress } from '../addresses.ts'
import type { CodeDialogState } from './dialog-state.ts'

type Props = {
  dialog: CodeDialogState
  user: User
  hostUrl: string
  /** Drawn above the form of an existing code. */
  renderStats: (code: QrCode) => ReactNode
  /** Something else is open above the dialog. */
  isCovered: boolean
  /** Called with the element that had opened the dialog, for the focus. */
  onClosed: (opener: HTMLElement | null) => void
}

export function CodeDialog({ dialog, isCovered, onClosed, renderStats, ...form }: Props) {
  const { unsaved, code, isEdit } = dialog
  const part = useLatePart(loadForm, dialog.opened)
  const isUnderPrint = printAddress.useAsked() !== null
  return (
    <Dialog
      opened={dialog.opened}
      onClose={() => unsaved.leave(dialog.close)}
      closeOnEscape={!isCovered && !isUnderPrint}
      onClosed={() => onClosed(dialog.opener())}
      title={isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      what="The form"
      size={880}
      isLarge
    >
      <Late part={part} what="The form" height={480} key={dialog.count}>
        {({ CodeForm }) => (
          <CodeForm dialog={dialog} stats={isEdit && code ? renderStats(code) : null} {...form} />
        )}
      </Late>
    </Dialog>
  )
}

/** The form and its schema are loaded late: the list does not need them. */
const loadForm = () => import('./code-form.tsx')
