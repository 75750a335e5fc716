import type { QrCode } from '#contract/codes.ts'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { printAddress } from '../addresses.ts'
import { useListedCode } from '../listed-code.ts'

const loadCheck = () => import('./print-check.tsx')

type Props = {
  codes: readonly QrCode[] | undefined
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

/** 'Check a print', which /dashboard?print= asks for: also on a phone, for a code on another screen. */
export function PrintDialog({ codes, onClosed }: Props) {
  const asked = printAddress.useAsked()
  const { opened, shown } = useListedCode(codes, asked, printAddress.replace)
  // Nothing is fetched before the dialog is asked for.
  if (!shown) return null
  return (
    <LateDialog
      load={loadCheck}
      height={240}
      opened={opened}
      onClose={printAddress.close}
      onClosed={onClosed}
      title="Check a print"
      what="The print check"
      size={640}
      isLarge
    >
      {({ PrintCheck }) => <PrintCheck key={shown.id} code={shown} codes={codes ?? []} />}
    </LateDialog>
  )
}
