import { useRef } from 'react'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { useLatePart } from '../../ui/dialog/lazy-import.ts'
import { importAddress, NO_FILE } from '../addresses.ts'

const loadSteps = () => import('./import-steps.tsx')

/** Codes out of a spreadsheet: what /dashboard?import asks for. Its steps are loaded when they are first needed. */
export function ImportDialog({ onClosed }: { onClosed: () => void }) {
  const asked = importAddress.useAsked()
  const last = useRef(asked)
  // The dialog does not change while it fades.
  if (asked !== null) last.current = asked
  const part = useLatePart(loadSteps, asked !== null)
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
      {part && part !== 'failed' && last.current !== null && <part.ImportWatch asked={asked} />}
    </>
  )
}
