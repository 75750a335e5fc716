import { Center, Modal } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../../ui/late-part.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useAskedPrint } from '../prints/print-address.ts'
import styles from './code-dialog.module.css'
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

export function CodeDialog({ dialog, isCovered, onClosed, ...form }: Props) {
  const { unsaved } = dialog
  const narrow = useOnPhone()
  const part = useLatePart(loadForm, dialog.opened)
  const isUnderPrint = useAskedPrint() !== null
  return (
    <Modal
      opened={dialog.opened}
      onClose={() => unsaved.leave(dialog.close)}
      closeOnEscape={!dialog.isAsking && !isCovered && !isUnderPrint}
      onExitTransitionEnd={() => onClosed(dialog.opener())}
      title={dialog.isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      size={880}
      fullScreen={narrow}
      classNames={{ content: styles.content, header: styles.header }}
    >
      <PanelBoundary what="The form" key={dialog.count}>
        <Form part={part} dialog={dialog} {...form} />
      </PanelBoundary>
    </Modal>
  )
}

/** The form and its schema are loaded late: the list does not need them. */
const loadForm = () => import('./code-form.tsx')

type FormProps = Omit<Props, 'onClosed' | 'isCovered'> & {
  part: ReturnType<typeof useLatePart<FormPart>>
}
type FormPart = Awaited<ReturnType<typeof loadForm>>

function Form({ part, dialog, user, hostUrl, renderStats }: FormProps) {
  if (part === 'failed') {
    return (
      <div className={styles.waiting}>
        <LoadFailure what="The form" error={null} onRetry={() => window.location.reload()} />
      </div>
    )
  }
  if (!part) return <LoadingForm />
  const { code, isEdit } = dialog
  return (
    <part.CodeForm
      dialog={dialog}
      user={user}
      hostUrl={hostUrl}
      stats={isEdit && code ? renderStats(code) : null}
    />
  )
}

function LoadingForm() {
  // When the dialog opened, Mantine found no field to focus.
  useEffect(() => () => document.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <Center className={styles.waiting}>
      <Spinner label="Loading the form" />
    </Center>
  )
}
