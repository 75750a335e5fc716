import { Center, Modal } from '@mantine/core'
import { type ComponentType, useEffect, useRef } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../../ui/late-part.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { closeCode, NEW, replaceCode, useReadyCode } from '../code-address.ts'
import { useAskedPrint } from '../prints/print-address.ts'
import { isListed } from '../queries.ts'
import styles from './ready.module.css'

export type ContentProps = {
  code: QrCode
  user: User
  hostUrl: string
  onDone: () => void
  onAnother: () => void
}
type Part = { Content: ComponentType<ContentProps> }

type Props = {
  user: User
  hostUrl: string
  codes: readonly QrCode[] | undefined
  /** Fetches what the dialog holds; it must keep its identity. */
  load: () => Promise<Part>
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

/** What comes after the first save: the address says of which code, so that Back and a reload do no harm. */
export function ReadyDialog({ codes, load, onClosed, ...about }: Props) {
  const asked = useReadyCode()
  const code = codes?.find(({ id }) => id === asked)
  const isLoaded = codes !== undefined
  useEffect(() => {
    // The list in this render may be older than the one that the save has read.
    if (asked && isLoaded && !isListed(asked)) replaceCode(null)
  }, [asked, isLoaded])
  const shown = useLast(code)
  const narrow = useOnPhone()
  const isUnderPrint = useAskedPrint() !== null
  const part = useLatePart(load, code !== undefined)
  return (
    <Modal
      opened={code !== undefined}
      onClose={closeCode}
      closeOnEscape={!isUnderPrint}
      onExitTransitionEnd={onClosed}
      title="Your code is ready"
      size={720}
      fullScreen={narrow}
      classNames={{ content: styles.sheet, header: styles.header }}
    >
      <PanelBoundary what="Your code">
        {shown && <Shown part={part} code={shown} {...about} />}
      </PanelBoundary>
    </Modal>
  )
}

/** The dialog does not empty while it fades. */
function useLast(code: QrCode | undefined): QrCode | undefined {
  const last = useRef(code)
  if (code) last.current = code
  return last.current
}

type ShownProps = Pick<ContentProps, 'code' | 'user' | 'hostUrl'> & {
  part: Part | 'failed' | undefined
}

function Shown({ part, ...about }: ShownProps) {
  if (part === 'failed') {
    return <LoadFailure what="Your code" error={null} onRetry={() => window.location.reload()} />
  }
  if (!part) {
    return (
      <Center className={styles.waiting}>
        <Spinner label="Loading your code" />
      </Center>
    )
  }
  return <part.Content {...about} onDone={closeCode} onAnother={() => replaceCode(NEW)} />
}
