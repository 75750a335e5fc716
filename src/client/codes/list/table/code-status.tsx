import { Badge, Text } from '@mantine/core'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import { BAD } from '../../../ui/theme.ts'
import { WayBack } from '../../ending.tsx'
import { endingOf } from '../../expiry.ts'
import { scanVerdicts } from '../../scan-verdicts.ts'
import styles from './code-table.module.css'

/** Most codes work: only one that has stopped stands out. */
const badges = {
  active: { text: 'Active', className: styles.well },
  inactive: { text: 'Inactive', className: styles.resting },
  expired: { text: 'Expired', color: BAD },
}

/** Whether a code works and until when, with a warning if it may not scan. */
export function CodeStatus({ code, tier }: { code: QrCode; tier: Tier }) {
  const now = new Date()
  const status = statusOf(code, now)
  const { text, ...look } = badges[status]
  const ending = endingOf(code, now)
  return (
    <div>
      <Badge tt="none" {...look}>
        {text}
      </Badge>
      {ending && (
        <Text size="xs" c="dimmed" mt={4}>
          {ending.verb} <span className={styles.day}>{ending.day}</span>
        </Text>
      )}
      {status === 'expired' && <WayBack code={code} tier={tier} />}
      {code.legibility && status !== 'expired' && <ScanWarning verdict={code.legibility} />}
    </div>
  )
}

function ScanWarning({ verdict }: { verdict: NonNullable<QrCode['legibility']> }) {
  const { icon: Icon, warning } = scanVerdicts[verdict]
  if (!warning) return null
  return (
    <Text component="span" size="xs" mt={4} className={styles.warning} data-verdict={verdict}>
      <Icon size={13} aria-hidden />
      {warning}
    </Text>
  )
}
