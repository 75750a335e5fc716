import { useRef } from 'react'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { Late } from '../../ui/dialog/late.tsx'
import { importAddress, NO_FILE } from '../addresses.ts'

const loadSteps = () => import('./import-steps.tsx')

/** Codes out of a spreadsheet: what /dashboard?import asks for. Its steps are loaded when they are first needed. */
export function ImportDialog({ onClosed }: { onClosed: () => void }) {
  const asked = importAddress.useAsked()
  const last = useRef(asked)
  // The dialog does not change while it fades.
  if (asked !== null) last.current = asked
  return (
    <>
      <LateDialog
        load={loadSteps}
        height={320}
        opened={asked !== null}
        onClose={importAddress.close}
        onClosed={onClosed}
        title="Import QR codes"
        what="The import"
        size={880}
        isLarge
      >
        {({ ImportSteps }) => <ImportSteps id={last.current ?? NO_FILE} />}
      </LateDialog>
      <Late load={loadSteps} isNeeded={asked !== null} failed={null}>
        {({ ImportWatch }) => last.current !== null && <ImportWatch asked={asked} />}
      </Late>
    </>
  )
}
