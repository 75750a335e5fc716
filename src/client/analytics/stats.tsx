import { Center } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../ui/dialog/lazy-import.ts'
import { toast } from '../ui/messages/toast.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useAskedForReport, useAskedStats } from './stats-address.ts'

const loadDrawer = () => import('./drawer/stats-drawer.tsx')
const loadReport = () => import('./report/report-dialog.tsx')

type Props = {
  codes: readonly QrCode[] | undefined
  /** The link in a code's picture; undefined until its host is known. */
  linkOf: ((code: QrCode) => string) | undefined
  onClosed: () => void
}

/** The drawer that /dashboard?stats and ?qr= ask for, and its report. Each is loaded when it is first needed. */
export function Stats({ codes, linkOf, onClosed }: Props) {
  const isAsked = useAskedStats() !== null
  const isReport = useAskedForReport()
  // A user who comes for the report alone reads no figures for the drawer.
  const [hasDrawer, setHasDrawer] = useState(!isReport)
  if (!isReport && !hasDrawer) setHasDrawer(true)
  return (
    <>
      <LatePart load={loadDrawer} isNeeded={isAsked && hasDrawer}>
        {({ StatsDrawer }) => hasDrawer && <StatsDrawer codes={codes} onClosed={onClosed} />}
      </LatePart>
      {isAsked && (
        <LatePart load={loadReport} isNeeded={isReport}>
          {({ ReportDialog }) => <ReportDialog codes={codes} linkOf={linkOf} />}
        </LatePart>
      )}
    </>
  )
}

type PartProps<Part> = {
  load: () => Promise<Part>
  isNeeded: boolean
  children: (part: Part) => ReactNode
}

/** A part that is loaded late. If the server no longer has it, a toast says so. */
function LatePart<Part extends object>({ load, isNeeded, children }: PartProps<Part>) {
  const part = useLatePart(load, isNeeded)
  const isMissing = part === 'failed' && isNeeded
  useEffect(() => {
    if (isMissing) toast.error('This page is older than the server. Reload it and try again.')
  }, [isMissing])
  if (part && part !== 'failed') return children(part)
  if (!isNeeded || part === 'failed') return null
  return (
    <Center
      pos="fixed"
      inset={0}
      bg="color-mix(in srgb, var(--page) 70%, transparent)"
      style={{ zIndex: 210 }}
    >
      <Spinner label="Loading the analytics" />
    </Center>
  )
}
