import { useEffect, useRef } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { Dialog, Late } from '../../ui/dialog/dialog.tsx'
import { useLatePart } from '../../ui/dialog/lazy-import.ts'
import { printAddress } from '../addresses.ts'
import { isListed } from '../queries.ts'

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
  const asked = printAddress.useAsked()
  const code = codes?.find(({ id }) => id === asked)
  const last = useRef(code)
  // The dialog does not empty while it fades.
  if (code) last.current = code
  const isLoaded = codes !== undefined
  useEffect(() => {
    if (asked !== null && isLoaded && !isListed(asked)) printAddress.replace(null)
  }, [asked, isLoaded])
  return (
    <Dialog
      opened={code !== undefined}
      onClose={printAddress.close}
      onClosed={onClosed}
      title="Check a print"
      what="The print check"
      size={640}
      isLarge
    >
      {last.current && <Check code={last.current} codes={codes ?? []} {...about} />}
    </Dialog>
  )
}

type CheckProps = Omit<Props, 'codes' | 'onClosed'> & { code: QrCode; codes: readonly QrCode[] }

/** Drawn only while the dialog is open: nothing is fetched before. */
function Check(props: CheckProps) {
  const part = useLatePart(loadCheck, true)
  return (
    <Late part={part} what="The print check" height={240}>
      {({ PrintCheck }) => <PrintCheck key={props.code.id} {...props} />}
    </Late>
  )
}
