import { Anchor, Button, Text } from '@mantine/core'
import { CalendarX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import type { Tier } from '#contract/plans.ts'
import styles from './note.module.css'
import { useRevive } from './queries.ts'

type Props = { code: QrCode; tier: Tier }

/** Above the form of a code that has expired. */
export function ExpiredNote({ code, tier }: Props) {
  const [revived, setRevived] = useState(false)
  if (revived || statusOf(code, new Date()) !== 'expired') return null
  return (
    <div className={`${styles.note} ${styles.above}`} role="status">
      <CalendarX size={16} aria-hidden />
      <div>
        <Text size="sm">
          This code has stopped working. People who scan it see a page that says so.
        </Text>
        <WayBack code={code} tier={tier} onRevived={() => setRevived(true)} />
      </div>
    </div>
  )
}

type WayBackProps = Props & { onRevived?: () => void }

/** What makes an expired code work again: a button on a paid plan, and on the free one a paid plan. */
export function WayBack({ code, tier, onRevived }: WayBackProps) {
  const revive = useRevive()
  if (tier === 'free') {
    return (
      <Anchor component={Link} href="/subscription" size="xs" className={styles.way}>
        Upgrade to make it work again
      </Anchor>
    )
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      className={styles.way}
      aria-label={`Make it work again: ${code.name}`}
      aria-disabled={revive.isPending}
      onClick={() => revive.isPending || revive.mutate(code.id, { onSuccess: onRevived })}
    >
      Make it work again
    </Button>
  )
}
