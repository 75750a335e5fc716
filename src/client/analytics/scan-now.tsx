import { Button, Loader, Text } from '@mantine/core'
import { type QueryState, useQuery } from '@tanstack/react-query'
import { CircleCheck, ScanLine } from 'lucide-react'
import { useState } from 'react'
import type { LatestScan } from '#contract/analytics.ts'
import type { QrCode } from '#contract/codes.ts'
import { requestJson } from '../api.ts'
import { pathOf, queryClient } from '../query-client.ts'
import { useSignedOut } from '../ui/sign-in-again.ts'
import styles from './scan-now.module.css'
import { seenText } from './seen-scan.ts'

const ASK_EVERY_MS = 2_000
/** Two minutes of asking, not counting those in which nobody sees the page. */
const ASKS_MAX = 60

/** Waits for a scan of a code that is on the screen, and says what it saw. */
export function ScanNow({ code }: { code: QrCode }) {
  const [after, setAfter] = useState(code.createdAt)
  const [round, setRound] = useState(0)
  const { scan, isOver, isFailing } = useNextScan({ id: code.id, after, round })
  const listen = () => {
    if (scan) setAfter(scan.at)
    setRound(round + 1)
  }
  const isListening = round > 0 && !scan && !isOver
  return (
    <div className={styles.area}>
      <div role="status" className={styles.status} data-seen={scan ? true : undefined}>
        {isListening && <Loader size={16} aria-hidden />}
        {scan && <CircleCheck size={18} aria-hidden />}
        <Text component="span" size="sm">
          {round === 0 && 'Scan the picture with a phone. Here you see that the scan has arrived.'}
          {isListening && (isFailing ? FAILING : WAITING)}
          {scan && seenText(scan)}
          {isOver && !scan && 'No scan in the last two minutes.'}
        </Text>
      </div>
      {!isListening && (
        <Button variant="default" leftSection={<ScanLine size={16} aria-hidden />} onClick={listen}>
          {round === 0 ? 'Scan it now' : scan ? 'Wait for another scan' : 'Keep waiting'}
        </Button>
      )}
    </div>
  )
}

const WAITING = 'Waiting for a scan. Point the camera of a phone at the picture.'
const FAILING = 'Your scans cannot be read at the moment. Trying again.'

type Listening = {
  id: string
  after: string
  /** Each one is a new two minutes; 0 asks nothing. */
  round: number
}

type State = Pick<QueryState<LatestScan>, 'data' | 'dataUpdateCount' | 'errorUpdateCount'>

const isAskedOut = ({ dataUpdateCount, errorUpdateCount }: State) =>
  dataUpdateCount + errorUpdateCount >= ASKS_MAX

/** Asks until there is a scan, and only while the page can be seen: that is the interval's own rule. */
function useNextScan({ id, after, round }: Listening) {
  const queryKey = ['/api/analytics/qr-code', id, `latest?after=${after}`, round]
  const { data, error } = useQuery<LatestScan>({
    queryKey,
    queryFn: () => requestJson('GET', pathOf(queryKey.slice(0, -1))),
    enabled: round > 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.scan || isAskedOut(state) ? false : ASK_EVERY_MS),
    // Drawn after each answer, so that the last one is noticed.
    notifyOnChangeProps: 'all',
  })
  useSignedOut(error)
  const state = queryClient.getQueryState<LatestScan>(queryKey)
  return { scan: data?.scan, isFailing: error !== null, isOver: !!state && isAskedOut(state) }
}
