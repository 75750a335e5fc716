import { Center, Modal } from '@mantine/core'
import { useRef } from 'react'
import type { Tier } from '#contract/plans.ts'
import { useLatePart } from '../../ui/late-part.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useOnPhone } from '../../ui/on-phone.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { closeImport, NO_FILE, useAskedImport } from './import-address.ts'

const loadSteps = () => import('./import-steps.tsx')

type Props = {
  tier: Tier
  hostUrl: string
  /** Called when the dialog has gone, for the focus. */
  onClosed: () => void
}

/** Codes out of a spreadsheet: what /dashboard?import asks for. Its steps are loaded when they are first needed. */
export function ImportDialog({ onClosed, ...about }: Props) {
  const asked = useAskedImport()
  const narrow = useOnPhone()
  const last = useRef(asked ?? NO_FILE)
  const wasAsked = useRef(false)
  // The dialog does not change while it fades.
  if (asked !== null) {
    last.current = asked
    wasAsked.current = true
  }
  const part = useLatePart(loadSteps, asked !== null)
  const isLoaded = part && part !== 'failed'
  return (
    <>
      <Modal
        opened={asked !== null}
        onClose={closeImport}
        onExitTransitionEnd={onClosed}
        title="Import QR codes"
        size={880}
        fullScreen={narrow}
      >
        <PanelBoundary what="The import">
          {part === 'failed' && (
            <LoadFailure what="The import" error={null} onRetry={() => window.location.reload()} />
          )}
          {part === undefined && (
            <Center mih={320}>
              <Spinner label="Loading the import" />
            </Center>
          )}
          {isLoaded && <part.ImportSteps id={last.current} {...about} />}
        </PanelBoundary>
      </Modal>
      {isLoaded && wasAsked.current && <part.ImportWatch asked={asked} />}
    </>
  )
}
