import { Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ScanLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { LatestScan } from '#contract/analytics/analytics.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { requestJson } from '../api.ts'
import { pathOf } from '../query-client.ts'
import { useSignedOut } from '../ui/messages/sign-in-again.ts'
import { PlainButton } from '../ui/plain-button.tsx'
import { live } from './live/live.ts'
import { seenText } from './seen-scan.ts'

/** Without a stream of scans. */
const ASK_EVERY_MS = 2_000
/** Two minutes, without the time in which the page is hidden. */
const WAITS_MAX = 60

/** Waits for a scan of a code that is on the screen, and describes it. */
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
    <Stack gap={10} align="flex-start" mt={6}>
      <Group
        role="status"
        wrap="nowrap"
        gap={8}
        mih={24}
        {...(scan && { c: 'var(--good)', fw: 600 })}
      >
        {isListening && <Loader size={16} flex="none" aria-hidden />}
        {scan && <CircleCheck size={18} style={{ flexShrink: 0 }} />}
        <Text component="span" size="sm">
          {round === 0 && `Scan the picture with ${OTHER_DEVICE}. Your scan will show up here.`}
          {isListening && (isFailing ? FAILING : WAITING)}
          {scan && seenText(scan)}
          {isOver && !scan && 'No scan in the last two minutes.'}
        </Text>
      </Group>
      {!isListening && (
        <PlainButton leftSection={<ScanLine size={16} />} onClick={listen}>
          {round === 0 ? 'Scan it now' : scan ? 'Wait for another scan' : 'Keep waiting'}
        </PlainButton>
      )}
    </Stack>
  )
}

const WAITING = 'Waiting for a scan. Point your phone’s camera at the picture.'
/** A phone cannot scan its own screen. */
const OTHER_DEVICE = matchMedia('(pointer: coarse)').matches ? 'another phone' : 'your phone'
const FAILING = 'We can’t load your scans right now. Trying again.'

type Listening = {
  id: string
  after: string
  /** Each one is a new two minutes; 0 asks nothing. */
  round: number
}

/** Reads again when the stream has scans of the code; without it, every two seconds. */
function useNextScan({ id, after, round }: Listening) {
  const isLive = live.use()
  const isOver = useTwoMinutes(round)
  const { data, error } = useQuery<LatestScan>({
    queryKey: ['/api/analytics/qr-code', id, `latest?after=${after}`, round],
    queryFn: ({ queryKey }) => requestJson('GET', pathOf(queryKey.slice(0, -1))),
    enabled: ({ state }) => round > 0 && !state.data?.scan,
    gcTime: 0,
    refetchInterval: isLive || isOver ? false : ASK_EVERY_MS,
  })
  useSignedOut(error)
  return { scan: data?.scan, isFailing: error !== null, isOver }
}

/** Whether the time of a round is over. */
function useTwoMinutes(round: number): boolean {
  const [waited, setWaited] = useState({ round, times: 0 })
  const isOver = waited.round === round && waited.times >= WAITS_MAX
  useEffect(() => {
    if (round === 0 || isOver) return
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return
      setWaited((last) => ({ round, times: last.round === round ? last.times + 1 : 1 }))
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [round, isOver])
  return isOver
}
