import { CalendarClock, WifiOff } from 'lucide-react'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import { endOf, endOfNewCode } from './expiry.ts'
import { hostOf } from './links.ts'
import { Note } from './note.tsx'
import { type Reach, reachOf } from './reach.ts'

const reachTexts: Record<Reach, string | null> = {
  device: 'this code will not scan on other devices.',
  network: 'this code will not scan on devices outside your network.',
  anyone: null,
}

type Props = { code: QrCode | undefined; isNew: boolean; tier: Tier; hostUrl: string }

/** What a person must know before a code goes to the printer. */
export function BeforePrinting({ code, isNew, tier, hostUrl }: Props) {
  const now = new Date()
  const end = isNew ? endOfNewCode(tier, now) : code && endOf(code, now)
  const reach = reachTexts[reachOf(hostUrl)]
  return (
    <>
      {end && <Note icon={CalendarClock}>{end}</Note>}
      {reach && (
        <Note icon={WifiOff}>
          {hostOf(hostUrl)} is a private address: {reach}
        </Note>
      )}
    </>
  )
}
