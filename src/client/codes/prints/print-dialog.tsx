import { Center, Modal } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../../ui/late-part.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { isListed } from '../queries.ts'
import { closePrint, dropPrint, useAskedPrint } from './print-address.ts'
import styles from './prints.module.css'

const loadCheck = () => import('./print-check.tsx')

type Props = {
  codes: readonly QrCode[] | undefined
  hostUrl: string
  isDemo: boolean
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

/** 'Check a print', which /dashboard?print= asks for: also on a phone, for a code on another screen. */
export function PrintDialog({ codes, onClosed, ...about }: Props) {
  const asked = useAskedPrint()
  const code = codes?.find(({ id }) => id === asked)
  const last = useRef(code)
  // The dialog does not empty while it fades.
  if (code) last.current = code
  const isLoaded = codes !== undefined
  useEffect(() => {
    if (asked && isLoaded && !isListed(asked)) dropPrint()
  }, [asked, isLoaded])
  const narrow = useOnPhone()
  return (
    <Modal
      opened={code !== undefined}
      onClose={closePrint}
      onExitTransitionEnd={onClosed}
      title="Check a print"
      size={640}
      fullScreen={narrow}
    >
      <PanelBoundary what="The check of a print">
        {last.current && <Check code={last.current} codes={codes ?? []} {...about} />}
      </PanelBoundary>
    </Modal>
  )
}

type CheckProps = Omit<Props, 'codes' | 'onClosed'> & { code: QrCode; codes: readonly QrCode[] }

/** Drawn only while the dialog is open: nothing is fetched before. */
function Check(props: CheckProps) {
  const part = useLatePart(loadCheck, true)
  if (part === 'failed') {
    return (
      <LoadFailure
        what="The check of a print"
        error={null}
        onRetry={() => window.location.reload()}
      />
    )
  }
  if (!part) {
    return (
      <Center className={styles.waiting}>
        <Spinner label="Loading the check of a print" />
      </Center>
    )
  }
  return <part.PrintCheck key={props.code.id} {...props} />
}
