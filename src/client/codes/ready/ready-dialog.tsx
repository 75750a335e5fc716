import type { ComponentType } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { closeCode, NEW, printAddress, replaceCode, useReadyCode } from '../addresses.ts'
import { useListedCode } from '../listed-code.ts'

export type ContentProps = {
  code: QrCode
  onDone: () => void
  onAnother: () => void
}
type Part = { Content: ComponentType<ContentProps> }

type Props = {
  codes: readonly QrCode[] | undefined
  /** Fetches what the dialog holds; it must keep its identity. */
  load: () => Promise<Part>
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

/** Follows the first save. The code is in the address, so that Back and a reload do no harm. */
export function ReadyDialog({ codes, load, onClosed }: Props) {
  const { opened, shown } = useListedCode(codes, useReadyCode(), replaceCode)
  const isUnderPrint = printAddress.useAsked() !== null
  return (
    <LateDialog
      load={load}
      height={480}
      opened={opened}
      onClose={closeCode}
      closeOnEscape={!isUnderPrint}
      onClosed={onClosed}
      title="Your code is ready"
      what="Your code"
      size={720}
      isLarge
    >
      {({ Content }) =>
        shown && <Content code={shown} onDone={closeCode} onAnother={() => replaceCode(NEW)} />
      }
    </LateDialog>
  )
}
