import { Text } from '@mantine/core'
import { CalendarClock, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import styles from './before-printing.module.css'
import { endOf, endOfNewCode } from './expiry.ts'
import { hostOf } from './links.ts'
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
      {end && <Note icon={<CalendarClock size={16} aria-hidden />}>{end}</Note>}
      {reach && (
        <Note icon={<WifiOff size={16} aria-hidden />}>
          {hostOf(hostUrl)} is a private address: {reach}
        </Note>
      )}
    </>
  )
}

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.note}>
      {icon}
      <Text size="sm">{children}</Text>
    </div>
  )
}
