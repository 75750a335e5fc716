import { Center, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { useBackCloses } from '../../ui/back-closes.ts'
import { confirm, type Question } from '../../ui/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/failure-alert.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './code-dialog.module.css'
import type { CodeForm } from './code-form.tsx'
import type { CodeDialogState } from './dialog-state.ts'
import { useCodeForm } from './form-loading.ts'
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
  const [takeBack, setTakeBack] = useState<(() => void) | null>(null)
  const withdraw = () => takeBack?.()
  const ask = (question: Question) => {
    const taken = confirm({ ...question, onClosed: () => setTakeBack(null) })
    setTakeBack(() => taken)
  }
  const leaving = useLeaving(ask, dialog.close)
  const form = useCodeForm(dialog.opened)
  const stay = () => {
    withdraw()
    return false
  }
  useBackCloses(dialog.opened, takeBack ? stay : leaving.leave)
  return (
    <Modal
      opened={dialog.opened}
      onClose={leaving.leave}
      closeOnEscape={takeBack === null}
      onExitTransitionEnd={() => {
        dialog.clear()
        onClosed(dialog.opener())
      }}
      title={dialog.isEdit ? 'Edit QR Code' : 'Create New QR Code'}
      size={880}
      fullScreen={narrow}
      classNames={{ content: styles.content, header: styles.header }}
    >
      <PanelBoundary what="The form" key={dialog.opening}>
        <LoadedForm
          form={form}
          dialog={dialog}
          user={user}
          hostUrl={hostUrl}
          stats={dialog.isEdit && dialog.code ? renderStats(dialog.code) : null}
          withdraw={withdraw}
          leaving={leaving}
        />
      </PanelBoundary>
    </Modal>
  )
}

type FormProps = ComponentProps<typeof CodeForm> & { form: ReturnType<typeof useCodeForm> }

/** The form, as soon as it is there. Where it comes late, the dialog has put the focus elsewhere. */
function LoadedForm({ form: Form, ...props }: FormProps) {
  const area = useRef<HTMLDivElement>(null)
  const isThere = typeof Form === 'function'
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (isThere && !wasThere.current) {
      area.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    }
  }, [isThere])
  if (Form === 'failed') {
    return (
      <div className={styles.waiting}>
        <LoadFailure what="The form" error={null} onRetry={() => window.location.reload()} />
      </div>
    )
  }
  return (
    <div ref={area}>
      {Form ? (
        <Form {...props} />
      ) : (
        <Center className={styles.waiting}>
          <Spinner label="Loading the form" />
        </Center>
      )}
    </div>
  )
}
