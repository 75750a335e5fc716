import { Center } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../ui/late-part.ts'
import { toast } from '../ui/messages/toast.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useAskedForReport } from './report/report-address.ts'
import styles from './stats.module.css'
import { useAskedStats } from './stats-address.ts'

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
  // Somebody who comes for the report alone reads no figures for the drawer.
  const [hasDrawer, setHasDrawer] = useState(!isReport)
  if (!isReport && !hasDrawer) setHasDrawer(true)
  const drawer = useLatePart(loadDrawer, isAsked && hasDrawer)
  return (
    <>
      {drawer && drawer !== 'failed' && hasDrawer ? (
        <drawer.StatsDrawer codes={codes} onClosed={onClosed} />
      ) : (
        <Coming isFailed={drawer === 'failed'} isNeeded={isAsked && hasDrawer} />
      )}
      {isAsked && <Report codes={codes} linkOf={linkOf} isNeeded={isReport} />}
    </>
  )
}

type ReportProps = Pick<Props, 'codes' | 'linkOf'> & { isNeeded: boolean }

function Report({ isNeeded, ...props }: ReportProps) {
  const part = useLatePart(loadReport, isNeeded)
  if (part && part !== 'failed') return <part.ReportDialog {...props} />
  return <Coming isFailed={part === 'failed'} isNeeded={isNeeded} />
}

/** While a part is loaded; where it is gone a toast says so. */
function Coming({ isFailed, isNeeded }: { isFailed: boolean; isNeeded: boolean }) {
  useEffect(() => {
    if (isFailed && isNeeded) {
      toast.error('This page is older than the server. Reload it and try again.')
    }
  }, [isFailed, isNeeded])
  if (!isNeeded || isFailed) return null
  return (
    <Center className={styles.waiting}>
      <Spinner label="Loading the analytics" />
    </Center>
  )
}
