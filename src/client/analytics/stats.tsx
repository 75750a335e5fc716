import { Center } from '@mantine/core'
import { useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { GiveUp, Late } from '../ui/dialog/late.tsx'
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
      <Late load={loadDrawer} isNeeded={isAsked && hasDrawer} {...STAND_INS}>
        {({ StatsDrawer }) => hasDrawer && <StatsDrawer codes={codes} onClosed={onClosed} />}
      </Late>
      {isAsked && (
        <Late load={loadReport} isNeeded={isReport} {...STAND_INS}>
          {({ ReportDialog }) => <ReportDialog codes={codes} linkOf={linkOf} />}
        </Late>
      )}
    </>
  )
}

const STAND_INS = {
  waiting: (
    <Center
      pos="fixed"
      inset={0}
      bg="color-mix(in srgb, var(--page) 70%, transparent)"
      style={{ zIndex: 210 }}
    >
      <Spinner label="Loading the analytics" />
    </Center>
  ),
  failed: <GiveUp text="This page is older than the server. Reload it and try again." />,
}
