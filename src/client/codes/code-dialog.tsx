import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import styles from './code-dialog.module.css'
import { CodeForm } from './code-form.tsx'
import type { CodeDialogState } from './dialog-state.ts'

type Props = {
  dialog: CodeDialogState
  tier: Tier
  hostUrl: string
  /** What stands above the form of an existing code. */
  renderStats: (code: QrCode) => ReactNode
  /** Told what had opened the dialog: it gets the focus back, wherever that was lost meanwhile. */
  onClosed: (opener: HTMLElement | null) => void
}

export function CodeDialog({ dialog, tier, hostUrl, renderStats, onClosed }: Props) {
  const narrow = useMediaQuery('(max-width: 48em)')
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      onExitTransitionEnd={() => {
        dialog.clear()
        onClosed(dialog.opener())
      }}
      title={dialog.isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      size={880}
      fullScreen={narrow}
      classNames={{ content: styles.content }}
    >
      <CodeForm
        key={dialog.opening}
        code={dialog.code}
        draftError={dialog.draftError}
        isEdit={dialog.isEdit}
        tier={tier}
        hostUrl={hostUrl}
        stats={dialog.isEdit && dialog.code ? renderStats(dialog.code) : null}
        onDone={dialog.close}
      />
    </Modal>
  )
}
