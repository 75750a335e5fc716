import { Center } from '@mantine/core'
import { useEffect } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { useLatePart } from '../ui/late-part.ts'
import { toast } from '../ui/messages/toast.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './stats.module.css'
import { useAskedStats } from './stats-address.ts'

const loadDrawer = () => import('./drawer/stats-drawer.tsx')

type Props = { codes: readonly QrCode[] | undefined; onClosed: () => void }

/** The drawer that /dashboard?stats and ?qr= ask for. It is loaded when it is first needed. */
export function Stats(props: Props) {
  const isAsked = useAskedStats() !== null
  const part = useLatePart(loadDrawer, isAsked)
  const isFailed = part === 'failed' && isAsked
  useEffect(() => {
    if (isFailed) toast.error('This page is older than the server. Reload it and try again.')
  }, [isFailed])
  if (part && part !== 'failed') return <part.StatsDrawer {...props} />
  if (!isAsked || part === 'failed') return null
  return (
    <Center className={styles.waiting}>
      <Spinner label="Loading the analytics" />
    </Center>
  )
}
