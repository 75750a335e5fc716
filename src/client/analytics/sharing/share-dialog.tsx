import { Center, Modal } from '@mantine/core'
import { useLatePart } from '../../ui/late-part.ts'
import { useIsAsking } from '../../ui/messages/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './sharing.module.css'

/** Above the drawer, from which it opens. */
const ABOVE_DRAWER = 220

type Props = {
  opened: boolean
  onClose: () => void
  onClosed: () => void
  code: string
  name: string
}

const load = () => import('./share-links.tsx')

/** The links by which a code's figures are shared. What it holds is loaded when it is first opened. */
export function ShareDialog({ opened, onClose, onClosed, code, name }: Props) {
  const isAsking = useIsAsking()
  const part = useLatePart(load, opened)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isAsking}
      onExitTransitionEnd={onClosed}
      title={
        <>
          Share the analytics of <bdi>{name}</bdi>
        </>
      }
      size={560}
      classNames={{ title: styles.dialogTitle }}
      zIndex={ABOVE_DRAWER}
    >
      <PanelBoundary what="Sharing">
        {part === 'failed' && (
          <LoadFailure what="Sharing" error={null} onRetry={() => window.location.reload()} />
        )}
        {part === undefined && (
          <Center mih={240}>
            <Spinner label="Loading" />
          </Center>
        )}
        {part && part !== 'failed' && <part.ShareLinks code={code} />}
      </PanelBoundary>
    </Modal>
  )
}
