import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { useBackCloses } from '../ui/back-closes.ts'
import { QuestionDialog, useQuestion } from '../ui/question.tsx'
import styles from './code-dialog.module.css'
import { CodeForm } from './code-form.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { useLeaving } from './leaving.ts'

type Props = {
  dialog: CodeDialogState
  user: User
  hostUrl: string
  /** What stands above the form of an existing code. */
  renderStats: (code: QrCode) => ReactNode
  /** Told what had opened the dialog: it gets the focus back, wherever that was lost meanwhile. */
  onClosed: (opener: HTMLElement | null) => void
}

export function CodeDialog({ dialog, user, hostUrl, renderStats, onClosed }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)')
  const { question, ask, withdraw } = useQuestion()
  const leaving = useLeaving(ask, dialog.close)
  const stay = () => {
    withdraw()
    return false
  }
  useBackCloses(dialog.opened, question ? stay : leaving.leave)
  const closeSaved = () => {
    withdraw()
    dialog.close()
  }
  return (
    <>
      <Modal
        opened={dialog.opened}
        onClose={leaving.leave}
        closeOnEscape={question === null}
        onExitTransitionEnd={() => {
          dialog.clear()
          onClosed(dialog.opener())
        }}
        title={dialog.isEdit ? 'Edit QR Code' : 'Create New QR Code'}
        size={880}
        fullScreen={narrow}
        classNames={{ content: styles.content, header: styles.header }}
      >
        <CodeForm
          key={dialog.opening}
          dialog={dialog}
          user={user}
          hostUrl={hostUrl}
          stats={dialog.isEdit && dialog.code ? renderStats(dialog.code) : null}
          ask={ask}
          leaving={leaving}
          onSaved={closeSaved}
        />
      </Modal>
      <QuestionDialog question={question} onAnswered={withdraw} />
    </>
  )
}
