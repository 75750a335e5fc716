import { Anchor, Text } from '@mantine/core'
import { CalendarClock } from 'lucide-react'
import { Link } from 'wouter'
import type { QrCode } from '#contract/codes.ts'
import styles from './before-printing.module.css'
import { endingSoon } from './expiry.ts'

/** Printed codes are about to end: nobody may find that out from a guest at the door. */
export function EndingSoon({ codes }: { codes: readonly QrCode[] }) {
  const warning = endingSoon(codes, new Date())
  if (!warning) return null
  return (
    <div className={styles.note} role="status">
      <CalendarClock size={16} aria-hidden />
      <Text size="sm">
        {warning} On a paid plan they last.{' '}
        <Anchor component={Link} href="/subscription" c="inherit" fw={600} underline="always">
          See the plans
        </Anchor>
      </Text>
    </div>
  )
}
